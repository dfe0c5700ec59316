// The typed columns of a record, which hold the comparable values of fields that have one short value.
import type { FieldType } from '../../../contract/built-in/field-types.ts'

const numeric: FieldType[] = ['number', 'money']
const textual: FieldType[] = [
  'text',
  'email',
  'phone',
  'url',
  'country',
  'date',
  'datetime',
  'select',
  'user',
  'boolean',
]
const slots = {
  n: Array.from({ length: 12 }, (_, i) => `n${i + 1}`),
  s: Array.from({ length: 20 }, (_, i) => `s${i + 1}`),
}

/** The first free slot of its kind, or none: the field then works without one, only slower to sort. */
export function freeSlot(type: FieldType, is_multi: boolean, taken: Set<string>) {
  if (is_multi) return null
  const kind = numeric.includes(type) ? slots.n : textual.includes(type) ? slots.s : []
  return kind.find((slot) => !taken.has(slot)) ?? null
}
