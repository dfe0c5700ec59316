import { Check } from 'lucide-react'
import type { MouseEvent } from 'react'
import { builtInName, isBuiltIn } from '../../../records/data/built-in.ts'
import { saveField } from '../../../records/data/field-edits.ts'
import type { RecordShape } from '../../../records/data/records-api.ts'
import type { ObjectShape } from '../../../records/data/schema.ts'
import { dayOf } from '../../../ui/text/moments.ts'
import css from './task-tick.module.css'

type Props = { object: ObjectShape; record: RecordShape; isLocked: boolean; tabIndex?: number }

/** Completes or reopens a task. Round, to tell it apart from the selection checkbox. */
export function TaskTick({ object, record, isLocked, tabIndex }: Props) {
  const isDone = record.status === 'done'
  const toggle = (event: MouseEvent) => {
    event.stopPropagation()
    const field = object.byKey.get('status')!
    saveField({
      object,
      record,
      field,
      value: isDone ? 'open' : 'done',
      version: record.version,
      said: `“${String(record.title)}” is ${isDone ? 'open again' : 'done'}.`,
      isAnnounced: true,
      isShown: () => false,
    })
  }
  return (
    <button
      type="button"
      aria-pressed={isDone}
      aria-label={`Done: ${String(record.title)}`}
      className={css.tick}
      tabIndex={tabIndex}
      disabled={isLocked}
      onClick={toggle}
    >
      <span>
        <Check size={12} strokeWidth={3} />
      </span>
    </button>
  )
}

/** Has this record a tick? */
export const isTask = (object: ObjectShape) =>
  isBuiltIn(object, 'tasks') && (object.byKey.get('status')?.options ?? []).some((option) => option.key === 'done')

const dueIn: Record<string, string> = { tasks: 'due_at', deals: 'expected_close' }

/** A day or time by which something should have happened that is still open. */
export function isOverdue(object: ObjectShape, key: string, record: RecordShape) {
  const value = record[key]
  if (dueIn[builtInName(object) ?? ''] !== key || record.status !== 'open' || typeof value !== 'string') return false
  const now = Date.now()
  return value.length === 10 ? value < dayOf(now) : Date.parse(value) < now
}
