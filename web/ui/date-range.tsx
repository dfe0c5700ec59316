import { DayInput } from './day-input.tsx'

type Days = { from?: string | undefined; to?: string | undefined }
type Props = Days & { onChange: (days: { from: string; to: string }) => void }

/** The first and the last day of a time, either of them left out. */
export const DateRange = ({ from = '', to = '', onChange }: Props) => (
  <>
    <DayInput label="From" max={to} value={from} onChange={(day) => onChange({ from: day, to })} />
    <DayInput label="To" min={from} value={to} onChange={(day) => onChange({ from, to: day })} />
  </>
)
