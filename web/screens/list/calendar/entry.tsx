import { draggable } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { type RecordShape, relatedIn, titledIn } from '../../../records/data/records-api.ts'
import type { FieldShape, ObjectShape } from '../../../records/data/schema.ts'
import { isEmpty, optionOf, textOf } from '../../../records/data/value-text.ts'
import { valueIn } from '../../../records/lists/use-columns.ts'
import { asTime, plusDays } from '../../../ui/text/moments.ts'
import { isOverdue } from '../tools/task-tick.tsx'
import css from './calendar.module.css'
import type { DayActions } from './calendar.tsx'

type Props = DayActions & { record: RecordShape; day: string }

const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }

/** One record on a day. It is dragged to another one, or moved with Shift and the arrow keys. */
export function Entry({ record, day, object, field, facts, openId, mayMove, onOpen, onMove }: Props) {
  const box = useRef<HTMLButtonElement>(null)
  const isMovable = mayMove(record)
  const latest = useRef({ record, isMovable })
  latest.current = { record, isMovable }
  useEffect(() => {
    const element = box.current
    if (!element) return
    return draggable({
      element,
      canDrag: () => latest.current.isMovable,
      getInitialData: () => ({ kind: 'entry', record: latest.current.record }),
    })
  }, [])
  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key]
    if (!event.shiftKey || step === undefined || !isMovable) return
    event.preventDefault()
    onMove(record, plusDays(day, step))
    // It is rendered again on its new day.
    setTimeout(() => document.querySelector<HTMLElement>(`[data-entry="${record.id}"]`)?.focus(), 60)
  }
  const title = String(valueIn(object, object.byKey.get('title')!, record) ?? '')
  const more = facts
    .map((fact) => factText(fact, valueIn(object, fact, record)))
    .filter(Boolean)
    .join(' · ')
  const isDone = record.status === 'done' || record.status === 'cancelled'
  return (
    <button
      ref={box}
      type="button"
      className={css.entry}
      data-entry={record.id}
      data-color={colorOf(object, record)}
      data-open={openId === record.id || undefined}
      data-done={isDone || undefined}
      data-overdue={isOverdue(object, field.key, record) || undefined}
      aria-description={isMovable ? 'Shift and the arrow keys move it to another day' : undefined}
      title={title}
      onClick={() => onOpen(record)}
      onKeyDown={onKeyDown}
    >
      {field.type === 'datetime' && <time>{asTime(String(record[field.key]))}</time>}
      <bdi>{title}</bdi>
      {more && <span className={css.facts}>{more}</span>}
    </button>
  )
}

/** Users are faces elsewhere; a line of text names what the record is about. */
function factText(field: FieldShape, value: unknown) {
  if (isEmpty(value) || field.type === 'user') return ''
  if (field.type === 'relation')
    return relatedIn(value)
      .flatMap((one) => titledIn(one, field)?.title ?? [])
      .join(', ')
  return [value]
    .flat()
    .map((one) => textOf(field, one))
    .join(', ')
}

/** Of the stage, the status or the kind: the first choice that has a color. */
function colorOf(object: ObjectShape, record: RecordShape) {
  const colored = (field: FieldShape) => optionOf(field, record[field.key])?.color
  const fields = object.fields.filter(({ type }) => type === 'select')
  const first = fields.find(({ options }) => options?.some(({ kind }) => kind)) ?? fields.find(colored)
  return (first && colored(first)) ?? 'gray'
}
