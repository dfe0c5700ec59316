// Finds records by a unique value.

import { asFilterField, comparable } from '../../../contract/filter/index.ts'
import { inSentence } from '../../../contract/shared/in-sentence.ts'
import { refused } from '../../kernel/app-error.ts'
import { actorOf } from '../../kernel/context.ts'
import { Params, run } from '../../kernel/statement.ts'
import type { Field } from '../schema/schema.ts'
import type { Target } from '../schema/target.ts'
import { uniqueKeys } from '../values/to-row.ts'

export function uniqueField({ object }: Target, key: string, path: string): Field {
  const field = object.byKey.get(key)
  if (field?.is_unique) return field
  const known = object.fields.filter(({ is_unique }) => is_unique).map(({ key }) => key)
  throw refused(
    path,
    `${key.slice(0, 63)} is not a unique field of ${inSentence(object.label_plural)}. Unique fields: ${known.join(', ') || 'none'}`,
  )
}

export const keysOf = ({ schema }: Pick<Target, 'schema'>, field: Field, value: unknown) =>
  uniqueKeys(field, comparable(asFilterField(field), value, schema))

type Held = { field: Field; key: string }
const heldAs = ({ field, key }: Held) => `${field.id} ${key}`

/** The records that have these values, in one query by primary key. */
export async function holdersOf({ context }: Target, wanted: Held[]) {
  const params = new Params()
  const fields = wanted.map(({ field }) => field.id)
  const keys = wanted.map(({ key }) => key)
  const rows = await run<{ held: string; record_id: string }>(
    context.db,
    `select w.field_id || ' ' || w.key as held, u.record_id
      from unnest(${params.add(fields, 'uuid[]')}, ${params.add(keys, 'text[]')}) w(field_id, key)
      cross join lateral (select record_id from unique_values u
        where u.company_id = ${params.add(actorOf(context).company_id, 'uuid')} and u.field_id = w.field_id and u.key = w.key limit 1) u`,
    params,
  )
  const holders = new Map(rows.map(({ held, record_id }) => [held, record_id]))
  return (value: Held) => holders.get(heldAs(value))
}

/** For each value, the id of the record that has it, if there is one. */
export async function findByUnique(target: Target, by: { field: string; value: string }[]) {
  if (!by.length) return []
  const wanted = by.map(({ field: key, value }, i): Held => {
    const field = uniqueField(target, key, `by.${i}.field`)
    return { field, key: keysOf(target, field, value)[0] ?? '' }
  })
  return wanted.map(await holdersOf(target, wanted))
}
