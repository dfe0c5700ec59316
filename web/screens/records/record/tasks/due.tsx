import type { RecordShape } from '../../../../records/records-api.ts'
import { asDay, asFull } from '../../../../ui/moments.ts'
import css from './tasks.module.css'

const dayMs = 86_400_000

/** When it is due, in the words that people use for near days. */
export function Due({ at, isOpen }: { at: string; isOpen: boolean }) {
  const isLate = isOpen && Date.parse(at) < Date.now()
  return (
    <time dateTime={at} title={asFull(at)} className={css.when} data-late={isLate || undefined}>
      {isLate && <span className={css.unseen}>Overdue: </span>}
      {near(at)}
    </time>
  )
}

/** Compared as they are written, which is in the zone of the reader. */
function near(at: string) {
  const day = asDay(at)
  const from = (days: number) => asDay(new Date(Date.now() + days * dayMs).toISOString())
  if (day === from(0)) return 'Today'
  if (day === from(1)) return 'Tomorrow'
  return day === from(-1) ? 'Yesterday' : day
}

export const isOpen = ({ status }: RecordShape) => status !== 'done' && status !== 'cancelled'
