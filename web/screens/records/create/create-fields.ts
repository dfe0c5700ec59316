import type { FieldShape, ObjectShape } from '../../../records/schema.ts'
import type { Values } from '../../../records/update-record.ts'
import { isEmpty } from '../../../records/value-text.ts'

const firstFew = 6

/** What a new record needs, what it begins with, and the first fields; then the rest. */
export function createFields(object: ObjectShape, values: Values) {
  const own = object.fields.filter(({ is_read_only }) => !is_read_only)
  const owner = object.byKey.get('owner')
  const all = owner ? [...own, owner] : own
  const isFirst = (field: FieldShape, index: number) =>
    index < firstFew || field.is_required || (!isEmpty(values[field.key]) && isEmpty(field.default_value))
  const first = all.filter(isFirst)
  return { first, rest: all.filter((field) => !first.includes(field)) }
}

/** A new task is mine unless I say otherwise, wherever it is created. */
export const defaultsOf = (object: ObjectShape, me: string): Values => ({
  ...Object.fromEntries(
    object.fields
      .filter(({ default_value, is_read_only }) => !isEmpty(default_value) && !is_read_only)
      .map(({ key, default_value }) => [key, default_value]),
  ),
  ...(object.is_built_in &&
    (object.built_in_key ?? object.key) === 'tasks' &&
    object.byKey.get('assignee')?.type === 'user' && { assignee: me }),
})

/** Only what says something: an empty field is left to the server's defaults. */
export const saidOf = (values: Values): Values =>
  Object.fromEntries(
    Object.entries(values)
      .map(([key, value]) => [key, typeof value === 'string' ? value.trim() : value] as const)
      .filter(([, value]) => !isEmpty(value)),
  )
