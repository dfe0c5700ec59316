// Selects the fields of a response, including those of related records.

import { own } from '../../../contract/shared/own.ts'
import { refused } from '../../kernel/app-error.ts'
import { type Actor, actorOf, type Reader } from '../../kernel/context.ts'
import { type LinkedTitle, linkedTitlesOf } from '../names/find-titles.ts'
import { userNames } from '../names/user-names.ts'
import { rightsFor, seenBy } from '../rights/rights.ts'
import type { Field, ObjectSchema, Schema } from '../schema/schema.ts'
import { systemByKey, systemFields } from '../schema/system-fields.ts'
import { unknownField } from '../schema/unknown-field.ts'
import { type Shown, shown } from '../values/from-row.ts'
import { recordsById } from './by-id.ts'

/** `own`: undefined means all fields. `related`: fields of a record that a single-value relation links to. */
export type FieldSelection = {
  object: ObjectSchema
  own?: Set<string>
  related: { field: Field; target: ObjectSchema; keys: Set<string> }[]
  /** Fields that hold users, who are shown with their names. */
  users?: string[]
}

/** What a relation to a single record links to, if the caller may read it. */
export const linkedObject = (schema: Schema, actor: Actor) => (field: Field) => {
  const target = field.to_objects?.length === 1 ? schema.objects.get(field.to_objects[0]!) : undefined
  const isOpen = target && !target.archived_at && rightsFor(actor, target.key).read !== 'none'
  return isOpen && !field.is_multi ? seenBy(actor, target) : undefined
}

export function readFields(schema: Schema, actor: Actor, object: ObjectSchema, given?: string[]): FieldSelection {
  if (!given?.length) return { object, related: [] }
  const own = new Set<string>()
  const related = new Map<string, FieldSelection['related'][number]>()
  const users = new Set<string>()
  for (const [index, path] of given.entries()) {
    if (path === '*') continue
    const [key, inner, ...deeper] = path.split('.') as [string, string?]
    const field = object.byKey.get(key)
    if (!field && !systemByKey.has(key) && key !== 'version') throw misnamed(index, object, key)
    own.add(key)
    if (inner === undefined) continue
    if (inner === 'name' && !deeper.length && (field ?? systemByKey.get(key))?.type === 'user') {
      users.add(key)
      continue
    }
    const target = field && linkedObject(schema, actor)(field)
    if (!target || deeper.length)
      throw refused(
        `fields.${index}`,
        `${path} cannot be selected. Use a relation to a single record and one of its fields.`,
      )
    if (!target.byKey.has(inner) && !systemByKey.has(inner)) throw misnamed(index, target, inner)
    const known = related.get(key) ?? { field: field!, target, keys: new Set<string>() }
    known.keys.add(inner)
    related.set(key, known)
  }
  return { object, ...(!given.includes('*') && { own }), related: [...related.values()], users: [...users] }
}

function misnamed(index: number, object: ObjectSchema, key: string) {
  const shared = systemFields.filter((field) => !object.byKey.has(field.key))
  return refused(`fields.${index}`, unknownField(object, key, [...object.fields, ...shared]))
}

/** Replaces the ids of related records with the selected fields, or with the title. */
export async function expand(context: Reader, schema: Schema, records: Shown[], wanted: FieldSelection) {
  const { object, related, users = [] } = wanted
  if (users.length) await nameUsers(context, records, users)
  for (const { field, target, keys } of related) {
    const ids = [...new Set(records.flatMap((record) => (record[field.key] as string | null) ?? []))]
    const rows = ids.length ? await recordsById(context, target, ids) : new Map()
    for (const record of records) {
      const id = record[field.key] as string | null
      const row = rows.get(id)
      record[field.key] = row ? shown(seenBy(actorOf(context), target), row, keys) : id
    }
    const unread = records.filter((record) => typeof record[field.key] === 'string')
    await withTitles(context, schema, unread, [field])
  }
  const byTitle = object.fields.filter((field) => !related.some((relation) => relation.field === field))
  return withTitles(context, schema, records, byTitle)
}

/** Users who are no longer members have no name. */
async function nameUsers(context: Reader, records: Shown[], keys: string[]) {
  const idsIn = (record: Shown) => keys.flatMap((key) => [own(record, key) ?? []].flat() as string[])
  const names = await userNames(context, [...new Set(records.flatMap(idsIn))])
  const named = (id: string) => (names.has(id) ? { id, name: names.get(id)! } : { id })
  for (const record of records)
    for (const key of keys) {
      const value = own(record, key) as string | string[] | null
      if (value) record[key] = Array.isArray(value) ? value.map(named) : named(value)
    }
}

type Related = { id: string; title?: string; object?: string; is_private?: true }

/**
 * Shows relations as { id, title }, with the object if a relation can link to several. A record in the trash shows only its
 * id. Needs at most one query.
 */
export async function withTitles(context: Reader, schema: Schema, records: Shown[], fields: Field[]) {
  const ids = new Set(records.flatMap((record) => relatedIds(record, fields)))
  if (!ids.size) return records
  const titled = new Map((await linkedTitlesOf(context, schema, [...ids])).map((record) => [record.id, record]))
  return showRelations(records, fields, titled)
}

export const relatedIds = (values: Record<string, unknown>, fields: Field[]) =>
  fields.flatMap(({ type, key }) => (type === 'relation' ? ([own(values, key) ?? []].flat() as string[]) : []))

export function showRelations(records: Shown[], fields: Field[], titled: Map<string, LinkedTitle>) {
  const relations = fields.filter(({ type }) => type === 'relation')
  const relatedBy = ({ to_objects }: Field, id: string): Related => {
    const { object, title, is_private } = titled.get(id) ?? {}
    if (title === undefined) return { id }
    return { id, title, ...(to_objects?.length !== 1 && { object: object! }), ...(is_private && { is_private }) }
  }
  for (const record of records)
    for (const field of relations) {
      const value = own(record, field.key) as string | string[] | null | undefined
      if (value === undefined || value === null) continue
      record[field.key] = Array.isArray(value) ? value.map((id) => relatedBy(field, id)) : relatedBy(field, value)
    }
  return records
}
