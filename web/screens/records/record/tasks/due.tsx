import type { RecordShape } from '../../../../records/records-api.ts'
import { asFull, asNearDay } from '../../../../ui/moments.ts'
import css from './tasks.module.css'

/** When it is due, in the words that people use for near days. */
export function Due({ at, isOpen }: { at: string; isOpen: boolean }) {
  const isLate = isOpen && Date.parse(at) < Date.now()
  return (
    <time dateTime={at} title={asFull(at)} className={css.when} data-late={isLate || undefined}>
      {isLate && <span className={css.unseen}>Overdue: </span>}
      {asNearDay(at)}
    </time>
  )
}

export const isOpen = ({ status }: RecordShape) => status !== 'done' && status !== 'cancelled'
