// Which fields an answer holds, those of related records included.

import { AppError } from '../kernel/app-error.ts'
import type { Actor, Context } from '../kernel/context.ts'
import type { Field, ObjectSchema, Schema } from '../objects/schema.ts'
import { recordsById } from './query.ts'
import { rightsFor } from './rights.ts'
import { type Shown, shown } from './stored.ts'
import { systemByKey } from './system-fields.ts'
import { unknownField } from './unknown-field.ts'

/** `own`: nothing means all. `related`: relation to one -> what to show of the record it leads to. */
export type Wanted = { own?: Set<string>; related: { field: Field; target: ObjectSchema; keys: Set<string> }[] }

export function readFields(schema: Schema, actor: Actor, object: ObjectSchema, given?: string[]): Wanted {
  if (!given?.length) return { related: [] }
  const own = new Set<string>()
  const related = new Map<string, Wanted['related'][number]>()
  for (const [index, path] of given.entries()) {
    const [key, inner, ...deeper] = path.split('.') as [string, string?]
    const field = object.byKey.get(key)
    if (!field && !systemByKey.has(key) && key !== 'version') throw misnamed(index, object, key)
    own.add(key)
    if (inner === undefined) continue
    const target = field?.to_objects?.length === 1 ? schema.objects.get(field.to_objects[0]!) : undefined
    if (!field || field.is_multi || !target || deeper.length || rightsFor(actor, target.key).read === 'none')
      throw refused(index, `${path} cannot be shown. Use a relation to one record and one field of it.`)
    if (!target.byKey.has(inner) && !systemByKey.has(inner)) throw misnamed(index, target, inner)
    const known = related.get(key) ?? { field, target, keys: new Set<string>() }
    known.keys.add(inner)
    related.set(key, known)
  }
  return { own, related: [...related.values()] }
}

const refused = (index: number, message: string) =>
  new AppError('invalid_input', `Correct the fields. ${message}`, { errors: [{ path: `fields.${index}`, message }] })

const misnamed = (index: number, object: ObjectSchema, key: string) => refused(index, unknownField(object, key))

/** Puts the wanted fields of related records in the place of their ids: one query a relation, whatever the page. */
export async function expand(context: Context, _schema: Schema, records: Shown[], { related }: Wanted) {
  for (const { field, target, keys } of related) {
    const ids = [...new Set(records.flatMap((record) => (record[field.key] as string | null) ?? []))]
    const found = ids.length ? await recordsById(context, target, ids) : new Map()
    for (const record of records) {
      const row = found.get(record[field.key] as string)
      record[field.key] = row ? shown(target, row, keys) : null
    }
  }
  return records
}
