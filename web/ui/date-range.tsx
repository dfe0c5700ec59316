import { DayInput } from './day-input.tsx'
import { startOf } from './moments.ts'

type Days = { from?: string | undefined; to?: string | undefined }
type Props = Days & { onChange: (days: { from: string; to: string }) => void }

/** The first and the last day of a time, either of them left out. */
export const DateRange = ({ from = '', to = '', onChange }: Props) => (
  <>
    <DayInput label="From" max={to} value={from} onChange={(day) => onChange({ from: day, to })} />
    <DayInput label="To" min={from} value={to} onChange={(day) => onChange({ from, to: day })} />
  </>
)

/** The same as moments, in the reader's time zone: the last day is meant to its end. */
export const momentsOf = ({ from, to }: Days) => ({
  since: from ? startOf(from) : undefined,
  until: to ? startOf(to, 1) : undefined,
})
