// Loaded only when somebody edits a date: the calendar is not small.
import '@mantine/dates/styles.layer.css'
import { DateInput, DatesProvider } from '@mantine/dates'
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { isDay, isMomentText } from '../../../contract/filter/days.ts'
import { weekdays } from '../../../contract/filter/moments.ts'
import { clockAt } from '../../../contract/filter/zones.ts'
import { useSignedIn } from '../../session.ts'
import { mannerIn, readDay } from '../../ui/read-day.ts'
import { type EditorProps, inputProps, selectUnlessTyped } from './editor.ts'
import { instantText, readMoment, usualTime, writeMoment } from './read-moment.ts'

export default function DateEditors(props: EditorProps) {
  const { me, company } = useSignedIn()
  const language = me.language ?? company.language
  return (
    <DatesProvider settings={{ firstDayOfWeek: weekdays[company.first_weekday], weekendDays: [] }}>
      {props.field.type === 'date' ? (
        <DayEditor {...props} language={language} />
      ) : (
        <MomentEditor {...props} language={language} zone={me.time_zone ?? company.time_zone} />
      )}
    </DatesProvider>
  )
}

function DayEditor({ language, ...props }: EditorProps & { language: string }) {
  const { value, onChange, onDone, isCell } = props
  const manner = mannerIn(language)
  const read = (text: string) => readDay(text, manner)
  const { shared, takePicked } = useShared(props, read)
  const day = isDay(String(value)) ? String(value) : null
  return (
    <DateInput
      {...shared}
      value={day}
      valueFormat={manner.format}
      placeholder={manner.format}
      dateParser={read}
      onChange={(next) => {
        const isPicked = takePicked()
        if (isPicked || next === null) onChange(next)
        if (isPicked && isCell) onDone(next)
      }}
    />
  )
}

/** Written and read on the clock of the zone that the person chose, which need not be that of the browser. */
function MomentEditor({ language, zone, ...props }: EditorProps & { language: string; zone: string }) {
  const { value, onChange } = props
  const manner = mannerIn(language)
  const isHalfDay = new Intl.DateTimeFormat(language, { hour: 'numeric' }).resolvedOptions().hour12 ?? false
  const clock = typeof value === 'string' && isMomentText(value) ? clockText(value, zone) : null
  const time = clock?.slice(11) ?? usualTime
  const read = (text: string) => readMoment(text, manner, time)
  const readInstant = (text: string) => {
    const whole = read(text)
    return whole && instantText(whole, zone)
  }
  const { shared, takePicked } = useShared(props, readInstant)
  return (
    <DateInput
      {...shared}
      withTime
      value={clock}
      valueFormat={(shown: string) => writeMoment(shown, manner.format, isHalfDay)}
      placeholder={`${manner.format} ${isHalfDay ? '9:00 AM' : '09:00'}`}
      dateParser={read}
      onChange={(next) => {
        if (next === null) onChange(null)
        // The calendar knows days only: the time stays.
        else if (takePicked()) onChange(instantText(`${String(next).slice(0, 10)} ${time}`, zone))
      }}
    />
  )
}

/**
 * What is emptied is emptied; a click on the chosen day chooses it, and does not take it away.
 * What is no day goes on as it was typed, so that nothing is lost and the check can say so.
 */
function useShared(props: EditorProps, read: (text: string) => string | null) {
  const { isCell, typed, field, value, onChange, error } = props
  const input = useRef<HTMLInputElement>(null)
  const isPicked = useRef(false)
  const isOld = useRef(false)
  // In a form, the calendar opens on request: it would cover the fields below.
  const [isAsked, setAsked] = useState(isCell)
  const isOpen = isAsked && !error
  const isUnread = typeof value === 'string' && value !== '' && !isDay(value) && !isMomentText(value)
  const unread = useRef(isUnread && typed === undefined ? String(value) : undefined)
  useEffect(() => {
    isOld.current = typed === undefined
    typeInto(input.current, typed ?? unread.current)
    isOld.current = false
  }, [typed])
  const takePicked = () => {
    const is = isPicked.current
    isPicked.current = false
    return is
  }
  const shared = {
    ...inputProps(props),
    ref: input,
    clearable: !field.is_required,
    allowDeselect: false,
    fixOnBlur: !isUnread,
    onFocus: selectUnlessTyped(typed),
    onInput: ({ currentTarget: { value: text } }: FormEvent<HTMLInputElement>) => {
      if (!isOld.current) onChange(text.trim() === '' ? null : (read(text) ?? text))
    },
    // The calendar would cover the error.
    popoverProps: { shadow: 'md', withinPortal: true, opened: isOpen },
    ...(!isCell && {
      // Escape closes the calendar, and not the form around it.
      'data-mantine-stop-propagation': isOpen || undefined,
      onClick: () => setAsked(true),
      onBlur: () => setAsked(false),
      onKeyDown: ({ key }: KeyboardEvent) => {
        if (key === 'ArrowDown') setAsked(true)
        if (key === 'Escape') setAsked(false)
      },
    }),
    getDayProps: () => ({
      onClick: () => {
        isPicked.current = true
        if (!isCell) setAsked(false)
      },
    }),
  }
  return { shared, takePicked }
}

/** The field keeps its text to itself: what was typed before it was there is typed again. */
function typeInto(input: HTMLInputElement | null, typed: string | undefined) {
  if (!input || typed === undefined) return
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, typed)
  input.dispatchEvent(new Event('input', { bubbles: true }))
}

const clockText = (moment: string, zone: string) =>
  new Date(clockAt(Date.parse(moment), zone)).toISOString().slice(0, 19).replace('T', ' ')
