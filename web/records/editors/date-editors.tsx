// Loaded only when somebody edits a date: the calendar is not small.
import '@mantine/dates/styles.layer.css'
import { DateInput, DatesProvider } from '@mantine/dates'
import { useEffect, useRef } from 'react'
import { isDay } from '../../../contract/filter/days.ts'
import { clockAt, instantAt } from '../../../contract/filter/zones.ts'
import { useSignedIn } from '../../session.ts'
import { type EditorProps, inputProps } from './editor.ts'
import { orderIn, readDay, readMoment, writeMoment } from './read-moment.ts'

const weekdays = { sunday: 0, monday: 1, saturday: 6 } as const

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
  const order = orderIn(language)
  const { shared, takePicked } = useShared(props)
  return (
    <DateInput
      {...shared}
      value={isDay(String(value)) ? String(value) : null}
      valueFormat={order.format}
      placeholder={order.format}
      dateParser={(text) => readDay(text, order.parts)}
      onChange={(day) => {
        onChange(day)
        if (takePicked() && isCell) onDone(day)
      }}
    />
  )
}

const usualTime = '09:00:00'

/** Written and read on the clock of the zone that the person chose, which need not be that of the browser. */
function MomentEditor({ language, zone, ...props }: EditorProps & { language: string; zone: string }) {
  const { value, onChange } = props
  const order = orderIn(language)
  const isHalfDay = new Intl.DateTimeFormat(language, { hour: 'numeric' }).resolvedOptions().hour12 ?? false
  const clock = typeof value === 'string' ? clockText(value, zone) : null
  const time = clock?.slice(11) ?? usualTime
  const { shared, takePicked } = useShared(props)
  return (
    <DateInput
      {...shared}
      withTime
      value={clock}
      valueFormat={(shown: string) => writeMoment(shown, order.format, isHalfDay)}
      placeholder={`${order.format} ${isHalfDay ? '9:00 AM' : '09:00'}`}
      dateParser={(text) => readMoment(text, order.parts, time)}
      onChange={(next) => {
        // The calendar knows days only: the time stays.
        const whole = next && takePicked() ? `${String(next).slice(0, 10)} ${time}` : next
        onChange(whole && instantText(String(whole), zone))
      }}
    />
  )
}

/** What is emptied is emptied; a click on the chosen day chooses it, and does not take it away. */
function useShared(props: EditorProps) {
  const { isCell, typed, field } = props
  const input = useRef<HTMLInputElement>(null)
  const isPicked = useRef(false)
  useEffect(() => typeInto(input.current, typed), [typed])
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
    popoverProps: { shadow: 'md', withinPortal: true, ...(isCell && { opened: true }) },
    getDayProps: () => ({
      onClick: () => {
        isPicked.current = true
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

const instantText = (clock: string, zone: string) =>
  new Date(instantAt(Date.parse(`${clock.replace(' ', 'T')}Z`), zone)).toISOString()
