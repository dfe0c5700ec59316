import { Button, Checkbox, Skeleton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useVirtualizer } from '@tanstack/react-virtual'
import { Mail, Phone } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { builtInName, isBuiltIn } from '../../../records/data/built-in.ts'
import { type RecordShape, relatedIn, titledIn } from '../../../records/data/records-api.ts'
import { useRights } from '../../../records/data/rights.ts'
import type { FieldShape, ObjectShape } from '../../../records/data/schema.ts'
import { isEmpty, mailtoOf, textOf } from '../../../records/data/value-text.ts'
import { contactsOf, telOf } from '../../../records/fields/contact.tsx'
import { FieldValue } from '../../../records/fields/field-value.tsx'
import { RecordFace } from '../../../records/fields/record-face.tsx'
import { Offline } from '../../../records/forms/offline.tsx'
import { shownColumns, usualColumns, valueIn } from '../../../records/lists/use-columns.ts'
import type { ListState } from '../../../records/lists/use-list-state.ts'
import type { Selection } from '../../../records/lists/use-selection.ts'
import { isOverdue, isTask, TaskTick } from '../tools/task-tick.tsx'
import css from './cards.module.css'
import { CardsFoot } from './grid-foot.tsx'
import { GroupCard } from './group-row.tsx'
import type { ShownList } from './shown-list.ts'
import { toggled } from './use-groups.ts'

/** `selection`: while records are being selected. */
type Props = ShownList & { selection: Selection | undefined }

const guessedHeight = 62

/** The list on a phone: two lines a record, the second with what tells most about it. */
export function Cards({ object, state, rows, columns, lines, numbers, count, selection }: Props) {
  const scroller = useRef<HTMLDivElement>(null)
  const fields = secondLine(object, state)
  const { mayEdit } = useRights(object)
  const recordAt = (index: number) => {
    const line = lines.list?.[index]
    return rows.rows[lines.list ? (line && 'row' in line ? line.row : -1) : index]
  }
  const virtual = useVirtualizer({
    count: lines.count + (rows.isWhole ? 0 : rows.error ? 1 : 3),
    getScrollElement: () => scroller.current,
    estimateSize: () => guessedHeight,
    getItemKey: (index) => {
      const line = lines.list?.[index]
      return line && 'group' in line ? `group ${line.group.key}` : (recordAt(index)?.id ?? index)
    },
    overscan: 8,
    paddingEnd: 80,
  })
  const items = virtual.getVirtualItems()
  const [first, last] = [items[0]?.index ?? 0, items.at(-1)?.index ?? 0]
  // With every render: the same positions may show other records now.
  useEffect(() => rows.seen(lines.rowAt(first), lines.rowAt(last)))
  return (
    <>
      <Offline />
      <div ref={scroller} className={css.scroller} data-old={rows.isOld || undefined}>
        <ul aria-label={object.label_plural} className={css.cards} style={{ height: virtual.getTotalSize() }}>
          {items.map(({ index, start, key }) => {
            const record = recordAt(index)
            const line = lines.list?.[index]
            const isGroup = line !== undefined && 'group' in line
            return (
              <li
                key={key}
                ref={virtual.measureElement}
                data-index={index}
                className={css.card}
                data-group={isGroup || undefined}
                style={{ transform: `translateY(${start}px)` }}
              >
                {isGroup ? (
                  <GroupCard
                    object={object}
                    columns={columns}
                    group={line.group}
                    currency={numbers?.currency ?? null}
                    onToggle={(key) => state.change({ collapsed: toggled(state.collapsed, key) })}
                  />
                ) : record ? (
                  <Card
                    object={object}
                    fields={fields}
                    record={record}
                    selection={selection}
                    isLocked={!mayEdit(record)}
                  />
                ) : rows.error ? (
                  <Button variant="default" fullWidth loading={rows.isFetching} onClick={rows.retry}>
                    More could not be loaded. Retry
                  </Button>
                ) : (
                  <Skeleton height={36} animate={false} aria-hidden="true" />
                )}
              </li>
            )
          })}
        </ul>
      </div>
      <CardsFoot object={object} columns={columns} count={count} numbers={numbers} />
    </>
  )
}

type CardProps = {
  object: ObjectShape
  fields: FieldShape[]
  record: RecordShape
  selection: Selection | undefined
  isLocked: boolean
}

function Card({ object, fields, record, selection, isLocked }: CardProps) {
  const title = String(valueIn(object, object.byKey.get('title')!, record) ?? '')
  const filled = fields.filter(({ key }) => !isEmpty(record[key])).slice(0, mostFields)
  const isDone = isTask(object) && record.status === 'done'
  return (
    <>
      {selection ? (
        <Checkbox
          size="sm"
          radius={5}
          className={css.mark}
          aria-label={`Select ${record.title}`}
          checked={selection.has(record.id)}
          onChange={() => selection.toggle(record.id, false)}
        />
      ) : isTask(object) ? (
        <span className={css.above}>
          <TaskTick object={object} record={record} isLocked={isLocked} />
        </span>
      ) : (
        <RecordFace object={object.key} title={title} size={34} id={record.id} />
      )}
      <div className={css.lines}>
        <Link
          to="/records/$object/$id"
          params={{ object: object.key, id: record.id }}
          className={css.title}
          data-done={isDone || undefined}
        >
          <bdi>{title}</bdi>
        </Link>
        {filled.length > 0 && (
          <p className={css.second}>
            {filled.map((field) => (
              <span key={field.key} data-overdue={isOverdue(object, field.key, record) || undefined}>
                <Piece field={field} value={record[field.key]} />
              </span>
            ))}
          </p>
        )}
      </div>
      {!selection && <Contact object={object} record={record} title={title} />}
    </>
  )
}

/** A value without a link of its own: the row is one. */
function Piece({ field, value }: { field: FieldShape; value: unknown }) {
  if (field.type === 'relation') {
    const titles = relatedIn(value).map((related) => titledIn(related, field)?.title)
    return <bdi>{titles.filter(Boolean).join(', ')}</bdi>
  }
  if (boxed.has(field.type)) return <FieldValue field={field} value={value} />
  return <bdi>{textOf(field, value)}</bdi>
}

const boxed = new Set<FieldShape['type']>(['select', 'multi_select', 'user', 'boolean'])

/** One tap calls or writes. */
function Contact({ object, record, title }: { object: ObjectShape; record: RecordShape; title: string }) {
  if (!isBuiltIn(object, ...contacts)) return null
  const { numbers, emails } = contactsOf(object, record)
  const [[number], [email]] = [numbers, emails]
  return (
    <span className={css.contact}>
      {number && (
        <a href={telOf(number)} aria-label={`Call ${title}`}>
          <Phone size={18} strokeWidth={1.75} />
        </a>
      )}
      {email && (
        <a href={mailtoOf(email)} aria-label={`Email ${title}`}>
          <Mail size={18} strokeWidth={1.75} />
        </a>
      )}
    </span>
  )
}

const contacts = ['people', 'leads', 'organizations']
const mostFields = 3

const seconds: Record<string, string[]> = {
  people: ['job_title', 'organization'],
  organizations: ['industry', 'city', 'country'],
  deals: ['amount', 'stage', 'expected_close'],
  leads: ['company_name', 'status', 'source'],
  tasks: ['due_at', 'assignee', 'about'],
  activities: ['kind', 'at', 'about'],
}

/** Other columns than usual are what one wants to see here, too. */
function secondLine(object: ObjectShape, state: ListState): FieldShape[] {
  const usual = usualColumns(object).map(({ key }) => key)
  const keys = state.columns.map(({ key }) => key)
  const isUsual = keys.join() === usual.join()
  const chosen = isUsual ? seconds[builtInName(object) ?? ''] : undefined
  const shown = shownColumns(object, state.columns).flatMap(({ field }) => (field.key === 'title' ? [] : [field]))
  return chosen?.flatMap((key) => object.byKey.get(key) ?? []) ?? shown
}
