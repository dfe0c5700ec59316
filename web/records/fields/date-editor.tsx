import { Input, Popover, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import dayjs from 'dayjs'
import { useEffect, useState } from 'react'
import { isDay, isMomentText } from '../../../contract/filter/days.ts'
import { useSignedIn } from '../../client/session.ts'
import { later } from '../../ui/basics/later.tsx'
import { asTime } from '../../ui/text/moments.ts'
import { mannerIn, readDay } from '../../ui/text/read-day.ts'
import { asWeekdayDate } from '../data/value-text.ts'
import { type EditorProps, inputProps, selectUnlessTyped } from './editor.ts'
import css from './editors.module.css'
import { Understood } from './number-editor.tsx'
import { clockText, instantText, readMoment, usualTime, writeMoment } from './read-moment.ts'

const loadCalendar = async () => (await import('./calendar.tsx')).Calendar
const Calendar = later(loadCalendar)

export function DateEditor(props: EditorProps) {
  const { me, company } = useSignedIn()
  const language = me.language ?? company.language
  if (props.field.type === 'date') return <DayEditor {...props} language={language} />
  return <MomentEditor {...props} language={language} zone={me.time_zone ?? company.time_zone} />
}

function DayEditor({ language, ...props }: EditorProps & { language: string }) {
  const { value, onChange, onDone, isCell } = props
  const manner = mannerIn(language)
  const day = isDay(String(value)) ? String(value) : null
  return (
    <DateField
      {...props}
      day={day}
      written={day && dayjs(day).format(manner.format)}
      placeholder={manner.format}
      read={(text) => readDay(text, manner)}
      words={day && asWeekdayDate(day)}
      onPick={(picked) => {
        onChange(picked)
        if (isCell) onDone(picked)
      }}
    />
  )
}

/** Written and read on the clock of the zone that the person chose, which need not be that of the browser. */
function MomentEditor({ language, zone, ...props }: EditorProps & { language: string; zone: string }) {
  const { value, onChange } = props
  const manner = mannerIn(language)
  const isHalfDay = new Intl.DateTimeFormat(language, { hour: 'numeric' }).resolvedOptions().hour12 ?? false
  const clock = typeof value === 'string' && isMomentText(value) ? clockText(Date.parse(value), zone) : null
  const time = clock?.slice(11) ?? usualTime
  return (
    <DateField
      {...props}
      day={clock?.slice(0, 10) ?? null}
      written={clock && writeMoment(clock, manner.format, isHalfDay)}
      placeholder={`${manner.format} ${isHalfDay ? '9:00 AM' : '09:00'}`}
      read={(text) => {
        const read = readMoment(text, manner, time, clockText(Date.now(), zone))
        return read && instantText(read, zone)
      }}
      words={clock && `${asWeekdayDate(clock.slice(0, 10))}, ${asTime(value as string)}`}
      // The calendar knows days only: the time stays.
      onPick={(picked) => onChange(instantText(`${picked} ${time}`, zone))}
    />
  )
}

type FieldProps = EditorProps & {
  day: string | null
  /** The value in words; null if there is none, or none that can be read. */
  written: string | null
  placeholder: string
  read: (text: string) => string | null
  /** The value with the day of the week, to see what was understood. */
  words: string | null
  onPick: (day: string) => void
}

/** Text with a calendar. Text that is no date becomes the value as it is, so that it is not lost and the check refuses it. */
function DateField({ day, written, placeholder, read, words, onPick, ...props }: FieldProps) {
  const { field, value, typed, error, isCell, onChange } = props
  const [draft, setDraft] = useState(typed)
  const [isOpen, { open, close }] = useDisclosure()
  const tell = (text: string) => onChange(text.trim() === '' ? null : (read(text) ?? text))
  // biome-ignore lint/correctness/useExhaustiveDependencies: the letter with which editing began
  useEffect(() => {
    if (typed !== undefined) tell(typed)
    void loadCalendar().catch(() => {})
  }, [])
  const text = draft ?? written ?? (typeof value === 'string' ? value : '')
  const isShown = (isCell || isOpen) && !error
  const understood = draft !== undefined && words
  return (
    <>
      <Popover
        // The calendar would cover the error.
        opened={isShown}
        position="bottom-start"
        shadow="md"
        trapFocus={false}
        withRoles={false}
      >
        <Popover.Target>
          <TextInput
            {...inputProps(props)}
            autoComplete="off"
            placeholder={placeholder}
            value={text}
            rightSection={
              text !== '' &&
              !field.is_required && (
                <Input.ClearButton
                  aria-label={`Clear ${field.label}`}
                  onClick={() => {
                    setDraft(undefined)
                    onChange(null)
                  }}
                />
              )
            }
            onFocus={selectUnlessTyped(typed)}
            // In a form, the calendar opens on request: it would cover the fields below.
            onClick={open}
            // Escape closes the calendar, and not the form around it.
            data-mantine-stop-propagation={(!isCell && isShown) || undefined}
            onKeyDown={({ key }) => {
              if (key === 'ArrowDown') open()
              if (key === 'Escape') close()
            }}
            onBlur={() => {
              close()
              setDraft(undefined)
            }}
            onChange={(event) => {
              setDraft(event.currentTarget.value)
              tell(event.currentTarget.value)
            }}
          />
        </Popover.Target>
        {/* A click on a day leaves the focus in the text. */}
        <Popover.Dropdown onMouseDown={(event) => event.preventDefault()}>
          {understood && (
            <p className={css.above} aria-live="polite">
              {understood}
            </p>
          )}
          <div className={css.calendar}>
            <Calendar
              day={day}
              onPick={(picked) => {
                setDraft(undefined)
                close()
                onPick(picked)
              }}
            />
          </div>
        </Popover.Dropdown>
      </Popover>
      <Understood isCell={isCell}>{!isShown && understood}</Understood>
    </>
  )
}
