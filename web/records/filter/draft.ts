// What a condition is about, and what it asks, while somebody puts it together.
import { fitValue } from '../../../contract/filter/check-value.ts'
import {
  type Checked,
  type Filter,
  type FilterField,
  type Op,
  operators,
  type Value,
} from '../../../contract/filter/index.ts'
import type { Operands } from '../../../contract/filter/tree.ts'
import { firstOp, isMoment } from './operator-words.ts'

/** A field by its path. */
export type FieldSubject = { path: string; label: string; field: FilterField }
/** Or all text of a record, or how long nothing has happened to it. */
export type Subject = FieldSubject | 'search' | 'quiet'
export type Draft = { op: Op; values: Value[] }
export type Asking = { subject: Subject; draft: Draft }

/** What a new condition begins with. */
export function beginning(subject: Subject): Asking {
  if (subject === 'search') return { subject, draft: { op: 'contains', values: [] } }
  if (subject === 'quiet') return { subject, draft: { op: 'eq', values: ['14d'] } }
  return { subject, draft: withOp(subject.field, firstOp(subject.field), []) }
}

/** Nothing for what has no form: any() and none(). */
export function askingOf(filter: Filter, checked: Checked): Asking | undefined {
  if (checked.kind === 'search') return { subject: 'search', draft: { op: 'contains', values: [checked.text] } }
  if (checked.kind === 'quiet') return { subject: 'quiet', draft: { op: 'eq', values: [checked.duration] } }
  if (checked.kind !== 'condition' || !('field' in filter)) return undefined
  const label = checked.path.map(({ field }) => field.label).join(' › ')
  const subject = { path: filter.field, label, field: checked.path.at(-1)!.field }
  return { subject, draft: { op: checked.op, values: checked.values } }
}

/** Another operator with the values that it takes too. */
export function withOp(field: FilterField, op: Op, values: Value[]): Draft {
  const { operands } = operators[op]
  const kept = values.filter((value) => 'value' in fitValue({ field, op, hasCaller: true }, value, undefined))
  const fitting = kept.length ? kept : firstValues(field, operands)
  if (operands === 'none' || operands === 'one') return { op, values: fitting.slice(0, operands === 'one' ? 1 : 0) }
  const [first, second = first] = fitting
  return { op, values: operands === 'pair' && first !== undefined ? [first, second!] : fitting }
}

function firstValues(field: FilterField, operands: Operands): Value[] {
  if (field.type === 'boolean') return [true]
  return isMoment(field) && operands !== 'list' ? [{ relative: '-7d' }, { range: 'today' }] : []
}
