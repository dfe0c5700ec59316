// Records by a unique value.
import { asFilterField, comparable } from '../../contract/filter/index.ts'
import { AppError } from '../kernel/app-error.ts'
import { actorOf } from '../kernel/context.ts'
import { Params, run } from '../kernel/statement.ts'
import type { Field } from '../objects/schema.ts'
import type { Target } from './apply.ts'
import { recordsById } from './query.ts'
import { uniqueKeys } from './row.ts'
import { noSuchRecord } from './write.ts'

export function uniqueField({ object }: Target, key: string, path: string): Field {
  const field = object.byKey.get(key)
  if (field?.is_unique) return field
  const known = object.fields.filter((one) => one.is_unique).map((one) => one.key)
  const message = `${key.slice(0, 63)} is not a unique field of ${object.label.toLowerCase()}. There are: ${known.join(', ') || 'none'}`
  throw new AppError('invalid_input', message, { errors: [{ path, message }] })
}

export const keysOf = ({ schema }: Target, field: Field, value: unknown) =>
  uniqueKeys(comparable(asFilterField(field), value, schema))

/** Who has which of these values. */
export async function holdersOf({ context }: Target, field: Field, keys: string[]) {
  const params = new Params()
  const rows = await run<{ key: string; record_id: string }>(
    context.db,
    `select key, record_id from unique_values where company_id = ${params.add(actorOf(context).company_id, 'uuid')} and field_id = ${params.add(field.id, 'uuid')} and key = any(${params.add(keys, 'text[]')})`,
    params,
  )
  return new Map(rows.map((row) => [row.key, row.record_id]))
}

export async function findByUnique(target: Target, by: { field: string; value: string }[]) {
  const ids: string[] = []
  const { context, object } = target
  for (const [i, { field: key, value }] of by.entries()) {
    const field = uniqueField(target, key, `by.${i}.field`)
    const keys = keysOf(target, field, value)
    const id = (await holdersOf(target, field, keys)).get(keys[0] ?? '')
    if (!id || !(await recordsById(context, object, [id])).has(id)) throw noSuchRecord(object, `by.${i}`)
    ids.push(id)
  }
  return ids
}
