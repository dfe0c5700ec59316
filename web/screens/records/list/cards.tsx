import { Button, Checkbox, Skeleton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef } from 'react'
import { FieldValue } from '../../../records/field-value.tsx'
import { Offline } from '../../../records/offline.tsx'
import type { RecordShape } from '../../../records/records-api.ts'
import type { ObjectShape } from '../../../records/schema.ts'
import { isEmpty } from '../../../records/value-text.ts'
import css from './cards.module.css'
import { type Shown, shownColumns, valueIn } from './use-columns.ts'
import type { ListState } from './use-list-state.ts'
import type { Rows } from './use-rows.ts'
import type { Selection } from './use-selection.ts'

/** `selection`: while records are being selected. Otherwise a box would look as if it finished a task. */
type Props = { object: ObjectShape; state: ListState; rows: Rows; selection: Selection | undefined }

const guessedHeight = 96
const mostFields = 4

/** The list on a phone: a card a record, with what its first columns hold. */
export function Cards({ object, state, rows, selection }: Props) {
  const scroller = useRef<HTMLDivElement>(null)
  const columns = shownColumns(object, state.columns).filter(({ key }) => key !== 'title')
  const virtual = useVirtualizer({
    count: rows.rows.length + (rows.isWhole ? 0 : rows.error ? 1 : 3),
    getScrollElement: () => scroller.current,
    estimateSize: () => guessedHeight,
    getItemKey: (index) => rows.rows[index]?.id ?? index,
    overscan: 6,
    gap: 8,
    paddingStart: 8,
    paddingEnd: 80,
  })
  const items = virtual.getVirtualItems()
  const [first, last] = [items[0]?.index ?? 0, items.at(-1)?.index ?? 0]
  // With every render: the same places may hold other records by now.
  useEffect(() => rows.seen(first, last))
  return (
    <>
      <Offline />
      <div ref={scroller} className={css.scroller} data-old={rows.isOld || undefined}>
        <ul aria-label={object.label_plural} className={css.cards} style={{ height: virtual.getTotalSize() }}>
          {items.map(({ index, start, key }) => {
            const record = rows.rows[index]
            return (
              <li
                key={key}
                ref={virtual.measureElement}
                data-index={index}
                className={css.card}
                style={{ transform: `translateY(${start}px)` }}
              >
                {record ? (
                  <Card object={object} columns={columns} record={record} selection={selection} />
                ) : rows.error ? (
                  <Button variant="default" fullWidth loading={rows.isFetching} onClick={rows.retry}>
                    More could not be loaded. Retry
                  </Button>
                ) : (
                  <Skeleton height={40} animate={false} aria-hidden="true" />
                )}
              </li>
            )
          })}
        </ul>
      </div>
    </>
  )
}

type CardProps = { object: ObjectShape; columns: Shown[]; record: RecordShape; selection: Selection | undefined }

function Card({ object, columns, record, selection }: CardProps) {
  const title = object.byKey.get('title')!
  const filled = columns.filter(({ field }) => !isEmpty(record[field.key])).slice(0, mostFields)
  return (
    <>
      <div className={css.top}>
        <Link to="/records/$object/$id" params={{ object: object.key, id: record.id }} className={css.title} dir="auto">
          {String(valueIn(object, title, record) ?? '')}
        </Link>
        {selection && (
          <Checkbox
            size="sm"
            radius={5}
            className={css.mark}
            aria-label={`Select ${record.title}`}
            checked={selection.has(record.id)}
            onChange={() => selection.toggle(record.id, false)}
          />
        )}
      </div>
      {filled.length > 0 && (
        <dl className={css.fields}>
          {filled.map(({ key, field }) => (
            <div key={key}>
              <dt>{field.label}</dt>
              <dd>
                <FieldValue field={field} value={record[key]} />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </>
  )
}
