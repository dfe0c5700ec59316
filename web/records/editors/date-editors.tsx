// Loaded only when somebody edits a date: the calendar is not small.
import '@mantine/dates/styles.layer.css'
import { DateInput, DatesProvider, DateTimePicker } from '@mantine/dates'
import { useEffect, useRef } from 'react'
import { isDay } from '../../../contract/filter/days.ts'
import { clockAt, instantAt } from '../../../contract/filter/zones.ts'
import { useSignedIn } from '../../session.ts'
import { type EditorProps, inputProps } from './editor.ts'

const weekdays = { sunday: 0, monday: 1, saturday: 6 } as const

export default function DateEditors(props: EditorProps) {
  const { me, company } = useSignedIn()
  const language = me.language ?? company.language
  return (
    <DatesProvider settings={{ firstDayOfWeek: weekdays[company.first_weekday] }}>
      {props.field.type === 'date' ? (
        <DayEditor {...props} language={language} />
      ) : (
        <MomentEditor {...props} language={language} zone={me.time_zone ?? company.time_zone} />
      )}
    </DatesProvider>
  )
}

function DayEditor({ language, ...props }: EditorProps & { language: string }) {
  const { value, onChange, isCell, typed } = props
  const order = orderIn(language)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => typeInto(input.current, typed), [typed])
  return (
    <DateInput
      {...inputProps(props)}
      value={isDay(String(value)) ? String(value) : null}
      ref={input}
      valueFormat={order.format}
      placeholder={order.format}
      dateParser={(text) => readDay(text, order.parts)}
      clearable={!isCell && !props.field.is_required}
      popoverProps={{ shadow: 'md', opened: isCell ? true : undefined, withinPortal: true }}
      onChange={(day) => onChange(day)}
    />
  )
}

/** The field keeps its text to itself: what was typed before it was there is typed again. */
function typeInto(input: HTMLInputElement | null, typed: string | undefined) {
  if (!input || typed === undefined) return
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, typed)
  input.dispatchEvent(new Event('input', { bubbles: true }))
}

/** Written and read on the clock of the zone that the person chose, which need not be that of the browser. */
function MomentEditor({ language, zone, ...props }: EditorProps & { language: string; zone: string }) {
  const { value, onChange, isCell } = props
  return (
    <DateTimePicker
      {...inputProps(props)}
      value={typeof value === 'string' ? clockText(value, zone) : null}
      valueFormat={`${orderIn(language).format} HH:mm`}
      placeholder="Choose a day and time"
      clearable={!props.field.is_required}
      popoverProps={{ shadow: 'md' }}
      timePickerProps={{ format: hourFormat(language) }}
      defaultTimeValue="09:00"
      {...(isCell && { dropdownType: 'popover' as const })}
      onChange={(clock) => onChange(clock === null ? null : instantText(String(clock), zone))}
    />
  )
}

const clockText = (moment: string, zone: string) =>
  new Date(clockAt(Date.parse(moment), zone)).toISOString().slice(0, 19).replace('T', ' ')

const instantText = (clock: string, zone: string) =>
  new Date(instantAt(Date.parse(`${clock.replace(' ', 'T')}Z`), zone)).toISOString()

const hourFormat = (language: string) =>
  new Intl.DateTimeFormat(language, { hour: 'numeric' }).resolvedOptions().hour12 ? '12h' : '24h'

type Part = 'day' | 'month' | 'year'
const written: Record<Part, string> = { day: 'DD', month: 'MM', year: 'YYYY' }

/** In which order a language writes day, month and year, and what stands between them. */
function orderIn(language: string) {
  const settings = { day: '2-digit', month: '2-digit', year: 'numeric', calendar: 'gregory' } as const
  const all = new Intl.DateTimeFormat(`${language}-u-nu-latn`, settings).formatToParts(new Date(0))
  const isPart = (type: string): type is Part => type in written
  const format = all
    .map(({ type, value }) => (isPart(type) ? written[type] : value.replace(/[^\d\s./-]/g, '')))
    .join('')
  return { format: format.trim(), parts: all.map(({ type }) => type).filter(isPart) }
}

/** 2026-06-15 in every language; else in the order of this one, with the year in two digits or left out. */
function readDay(text: string, parts: Part[]): string | null {
  if (isDay(text.trim())) return text.trim()
  const numbers = text.match(/\d+/g) ?? []
  const order = numbers.length === 2 ? parts.filter((part) => part !== 'year') : parts
  if (numbers.length !== order.length) return null
  const read = Object.fromEntries(order.map((part, i) => [part, numbers[i]!])) as Partial<Record<Part, string>>
  const year = read.year ?? String(new Date().getFullYear())
  const whole = `${year.length === 2 ? `20${year}` : year}-${read.month!.padStart(2, '0')}-${read.day!.padStart(2, '0')}`
  return isDay(whole) ? whole : null
}
