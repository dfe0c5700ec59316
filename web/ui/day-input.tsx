import '@mantine/dates/styles.layer.css'
import { DateInput, DatesProvider } from '@mantine/dates'
import { firstWeekday, timeLanguage } from './moments.ts'
import { mannerIn, readDay } from './read-day.ts'

type Props = {
  label: string
  /** As 2026-06-15; empty: none. */
  value: string
  onChange: (day: string) => void
  min?: string
  max?: string
}

/** A day, typed or chosen in a calendar, in the format of the reader's language. */
export function DayInput({ label, value, onChange, min, max }: Props) {
  const manner = mannerIn(timeLanguage())
  return (
    <DatesProvider settings={{ firstDayOfWeek: firstWeekday(), weekendDays: [] }}>
      <DateInput
        label={label}
        clearable
        clearButtonProps={{ 'aria-label': `Clear ${label}` }}
        placeholder={manner.format}
        valueFormat={manner.format}
        dateParser={(text) => readDay(text, manner)}
        value={value || null}
        minDate={min || undefined}
        maxDate={max || undefined}
        onChange={(day) => onChange(day ?? '')}
        popoverProps={{ shadow: 'md' }}
      />
    </DatesProvider>
  )
}
