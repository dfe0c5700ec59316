import '@mantine/dates/styles.layer.css'
import { DateInput, DatesProvider } from '@mantine/dates'
import { firstWeekday, timeLanguage } from '../text/moments.ts'
import { mannerIn, readDay } from '../text/read-day.ts'

type Days = { from?: string | undefined; to?: string | undefined }
type Props = Days & { onChange: (days: { from: string; to: string }) => void }

/** The first and the last day of a time, either of them left out. */
export const DateRange = ({ from = '', to = '', onChange }: Props) => (
  <>
    <DayInput label="From" max={to} value={from} onChange={(day) => onChange({ from: day, to })} />
    <DayInput label="To" min={from} value={to} onChange={(day) => onChange({ from, to: day })} />
  </>
)

type DayInputProps = {
  label: string
  /** For those who do not see it, where the label is empty. */
  name?: string
  /** As 2026-06-15; empty: none. */
  value: string
  onChange: (day: string) => void
  min?: string
  max?: string
  /** In a panel that closes with a click outside: the calendar is drawn inside it. */
  isNested?: boolean
  error?: string | undefined
}

/** Without them, the buttons of the calendar are only arrows. */
const calendarWords = {
  nextMonth: 'Next month',
  previousMonth: 'Previous month',
  monthLevelControl: 'Choose a month',
  nextYear: 'Next year',
  previousYear: 'Previous year',
  yearLevelControl: 'Choose a year',
  nextDecade: 'Next decade',
  previousDecade: 'Previous decade',
}

/** A day, typed or chosen in a calendar, in the format of the reader's language. */
export function DayInput({ label, name, value, onChange, min, max, isNested = false, error }: DayInputProps) {
  const manner = mannerIn(timeLanguage())
  return (
    <DatesProvider settings={{ firstDayOfWeek: firstWeekday(), weekendDays: [] }}>
      <DateInput
        label={label}
        aria-label={name}
        error={error}
        clearable
        clearButtonProps={{ 'aria-label': `Clear ${name ?? label}` }}
        ariaLabels={calendarWords}
        placeholder={manner.format}
        valueFormat={manner.format}
        dateParser={(text) => readDay(text, manner)}
        value={value || null}
        minDate={min || undefined}
        maxDate={max || undefined}
        onChange={(day) => onChange(day ?? '')}
        popoverProps={{ shadow: 'md', withinPortal: !isNested }}
      />
    </DatesProvider>
  )
}
