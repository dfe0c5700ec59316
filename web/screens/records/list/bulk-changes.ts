import { plain } from '../../../records/related.ts'
import type { FieldShape, ObjectShape } from '../../../records/schema.ts'
import type { Values } from '../../../records/update-record.ts'
import { faultOf } from '../../../records/value-fault.ts'
import { isEmpty } from '../../../records/value-text.ts'

export type How = 'set' | 'add' | 'remove' | 'clear'
/** What is to happen to one field of many records. Without a field, nobody has chosen one yet. */
export type Change = { id: number; field?: FieldShape; how: How; value: unknown }

/** A unique value cannot be given to several records. */
export const editableFields = (object: ObjectShape) =>
  object.columns.filter(({ is_read_only, is_unique }) => !is_read_only && !is_unique)

const isList = ({ type, is_multi }: FieldShape) => type === 'multi_select' || is_multi

const labels: Record<How, string> = { set: 'Set', add: 'Add', remove: 'Remove', clear: 'Clear' }

export function waysOf(field: FieldShape): { value: How; label: string }[] {
  const ways: How[] = isList(field) ? ['add', 'remove', 'set'] : ['set']
  const canClear = !field.is_required && field.type !== 'boolean'
  return [...ways, ...(canClear ? (['clear'] as const) : [])].map((value) => ({
    value,
    label: value === 'set' && isList(field) ? 'Replace' : labels[value],
  }))
}

export const changeOf = (id: number, field: FieldShape): Change => ({
  id,
  field,
  how: isList(field) ? 'add' : 'set',
  value: field.type === 'boolean' ? false : null,
})

export function faultIn({ field, how, value }: Change) {
  if (!field) return 'Choose a field'
  if (how === 'clear') return undefined
  return isEmpty(value) ? 'Enter a value' : faultOf(field, value)
}

export const valuesOf = (changes: Change[]): Values =>
  Object.fromEntries(changes.map((change) => [change.field!.key, sent(change)]))

function sent({ how, value }: Change) {
  if (how === 'clear') return null
  return how === 'set' ? plain(value) : { [how]: [plain(value)].flat() }
}
