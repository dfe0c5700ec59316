import '@mantine/dates/styles.layer.css'
import { DatePicker, DatesProvider } from '@mantine/dates'
import { weekdays } from '../../../contract/filter/moments.ts'
import { useSignedIn } from '../../client/session.ts'

type Props = { day: string | null; onPick: (day: string) => void }

export function Calendar({ day, onPick }: Props) {
  const { company } = useSignedIn()
  return (
    <DatesProvider settings={{ firstDayOfWeek: weekdays[company.first_weekday], weekendDays: [] }}>
      <DatePicker
        key={day?.slice(0, 7)}
        size="sm"
        value={day}
        defaultDate={day ?? undefined}
        onChange={(picked) => {
          if (picked) onPick(picked)
        }}
      />
    </DatesProvider>
  )
}
