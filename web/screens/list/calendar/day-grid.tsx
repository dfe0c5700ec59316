import { dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { Plus } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { inSentence } from '../../../../contract/shared/in-sentence.ts'
import type { RecordShape } from '../../../records/data/records-api.ts'
import { counted } from '../../../records/data/value-text.ts'
import css from './calendar.module.css'
import type { DayActions } from './calendar.tsx'
import { Entry } from './entry.tsx'
import { dayName } from './use-calendar.ts'

type Props = DayActions & {
  days: string[]
  byDay: Map<string, RecordShape[]>
  /** The month that is shown; other days of its weeks are dimmed. Nothing: one week. */
  month: string | undefined
  isNarrow: boolean
  isOld: boolean
}

/** Weeks below each other, a cell for each day. */
export function DayGrid({ days, byDay, month, isNarrow, isOld, ...actions }: Props) {
  const weeks = Array.from({ length: days.length / 7 }, (_, week) => days.slice(week * 7, week * 7 + 7))
  return (
    <div className={css.scroller} data-old={isOld || undefined}>
      <table className={css.grid} data-weeks={weeks.length} data-narrow={isNarrow || undefined}>
        <thead>
          <tr>
            {days.slice(0, 7).map((day) => (
              <th key={day} scope="col">
                <abbr title={dayName(day, { weekday: 'long' })}>
                  {dayName(day, { weekday: isNarrow ? 'narrow' : 'short' })}
                </abbr>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]}>
              {week.map((day) => (
                <Day
                  key={day}
                  day={day}
                  records={byDay.get(day) ?? []}
                  most={month ? mostInMonth : Number.POSITIVE_INFINITY}
                  isOutside={month !== undefined && !day.startsWith(month)}
                  isNarrow={isNarrow}
                  {...actions}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const mostInMonth = 4

type DayProps = DayActions & {
  day: string
  records: RecordShape[]
  most: number
  isOutside: boolean
  isNarrow: boolean
}

function Day({ day, records, most, isOutside, isNarrow, ...actions }: DayProps) {
  const { object, today, onCreate, onShowDay, onMove } = actions
  const box = useRef<HTMLTableCellElement>(null)
  const [isOver, setOver] = useState(false)
  const latest = useRef(onMove)
  latest.current = onMove
  useEffect(() => {
    const element = box.current
    if (!element) return
    return dropTargetForElements({
      element,
      canDrop: ({ source }) => source.data.kind === 'entry',
      onDragEnter: () => setOver(true),
      onDragLeave: () => setOver(false),
      onDrop: ({ source }) => {
        setOver(false)
        latest.current(source.data.record as RecordShape, day)
      },
    })
  }, [day])
  const name = dayName(day, { dateStyle: 'full' })
  // One more line would say no more than the entry itself.
  const shown = records.length > most ? records.slice(0, most - 1) : records
  return (
    <td
      ref={box}
      data-outside={isOutside || undefined}
      data-today={day === today || undefined}
      data-over={isOver || undefined}
      aria-current={day === today ? 'date' : undefined}
    >
      <div className={css.dayHead}>
        <button
          type="button"
          className={css.dayNumber}
          aria-label={`${name}: ${counted(records.length, object)}`}
          onClick={() => onShowDay(day)}
        >
          {Number(day.slice(8))}
          {isNarrow && records.length > 0 && <span className={css.many}>{records.length}</span>}
        </button>
        {onCreate && !isNarrow && (
          <button
            type="button"
            className={css.add}
            aria-label={`New ${inSentence(object.label)} on ${name}`}
            onClick={() => onCreate(day)}
          >
            <Plus size={14} />
          </button>
        )}
      </div>
      {!isNarrow && (
        <ul className={css.entries}>
          {shown.map((record) => (
            <li key={record.id}>
              <Entry record={record} day={day} {...actions} />
            </li>
          ))}
          {shown.length < records.length && (
            <li>
              <button type="button" className={css.more} onClick={() => onShowDay(day)}>
                {records.length - shown.length} more
              </button>
            </li>
          )}
        </ul>
      )}
    </td>
  )
}
