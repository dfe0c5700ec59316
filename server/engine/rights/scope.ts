// The objects and fields available in filters: what the caller may read, with relations in both directions.

import { comparedAs, hasDuplicate } from '../../../contract/built-in/compared.ts'
import { enteredFields } from '../../../contract/built-in/stage-fields.ts'
import {
  asFilterField,
  type CheckedFilter,
  type FilterField,
  type FilterInput,
  type FilterObjects,
  hasFaults,
  readFilter,
} from '../../../contract/filter/index.ts'
import { own } from '../../../contract/shared/own.ts'
import type { Actor } from '../../kernel/context.ts'
import type { Field, ObjectSchema, Schema } from '../schema/schema.ts'
import { type SystemField, systemByKey, systemFields } from '../schema/system-fields.ts'
import { openAmong } from './readable-among.ts'
import { seenBy } from './rights.ts'

/**
 * A field with what its SQL needs. `from`: relations of another object, followed backwards. `stage`: when a deal entered it. `duplicates`: whether
 * there are any.
 */
export type ScopedField = FilterField & {
  own?: Field
  system?: SystemField
  from?: Field[]
  stage?: string
  duplicates?: true
}

/** Whether the record's own values answer it. */
export const isOwnField = ({ from, stage, duplicates }: ScopedField) => !from && !stage && !duplicates

const known = new WeakMap<Schema, Map<string, FilterObjects>>()

export function scopeOf(schema: Schema, actor: Actor): FilterObjects {
  const readable = openAmong(actor, [...schema.objects.values()])
  const readableKeys = readable.map(({ key }) => key).join()
  const shown = readable.filter((object) => !object.archived_at).map((object) => seenBy(actor, object))
  const scopes = known.get(schema) ?? new Map<string, FilterObjects>()
  known.set(schema, scopes)
  const scope =
    scopes.get(readableKeys) ?? Object.fromEntries(shown.map((object) => [object.key, scoped(object, shown)]))
  scopes.set(readableKeys, scope)
  return scope
}

/** With every object: for filters that are checked before it is known who may read what they find. */
export const wholeScopeOf = (schema: Schema) => scopeOf(schema, { is_admin: true } as Actor)

/** The objects that link to this one, and the fields by which they do. */
export const backwardsTo = (schema: Schema, actor: Actor, object: string) =>
  (own(scopeOf(schema, actor), object)?.fields ?? []).flatMap(({ key, from }: ScopedField) =>
    from ? [{ object: key, by: from.map((field) => field.key) }] : [],
  )

const mostFilters = 200
const longestKept = 1000
const read = new WeakMap<FilterObjects, Map<string, CheckedFilter>>()

/** The same filters are used again and again, so parsed ones are cached together with the fields they were parsed for. */
export function readFilterIn(objects: FilterObjects, root: string, filter: string | FilterInput) {
  if (typeof filter !== 'string' || filter.length > longestKept) return readFilter(filter, { objects, root })
  const filters = read.get(objects) ?? new Map<string, CheckedFilter>()
  read.set(objects, filters)
  const key = `${root} ${filter}`
  const cached = filters.get(key)
  if (cached) return cached
  const result = readFilter(filter, { objects, root })
  if (hasFaults(result)) return result
  if (filters.size >= mostFilters) filters.clear()
  filters.set(key, result)
  return result
}

function scoped(object: ObjectSchema, shown: ObjectSchema[]) {
  const system = systemFields
    .filter(({ key }) => !object.byKey.has(key))
    .map((field): ScopedField => ({ key: field.key, label: field.label, type: field.type, system: field }))
  const own = object.fields.map(
    (field): ScopedField => ({
      ...asFilterField(field),
      own: field,
      ...(field.key === 'title' && { system: systemByKey.get('title')! }),
    }),
  )
  const stage = object.built_in_key === 'deals' ? object.builtIn.get('stage') : undefined
  const entered = stage && !stage.archived_at ? enteredFields(stage).filter(({ key }) => !object.byKey.has(key)) : []
  const duplicates =
    comparedAs(object.built_in_key) && !object.byKey.has(hasDuplicate.key)
      ? [{ ...hasDuplicate, duplicates: true as const }]
      : []
  const named = new Set([...system, ...own, ...entered, ...duplicates].map((field) => field.key))
  const backwards = shown.filter(({ key }) => !named.has(key)).flatMap((other) => backwardsFrom(other, object))
  const archived = object.archivedFields.map(({ key }) => key)
  return {
    key: object.key,
    label: object.label_plural,
    fields: [...own, ...system, ...entered, ...duplicates, ...backwards],
    archived,
  }
}

/** The records of another object that link to this one, under that object's key: any(deals: ...) of an organization. */
function backwardsFrom(other: ObjectSchema, object: ObjectSchema): ScopedField[] {
  const from = other.fields.filter(
    ({ type, to_objects }) => type === 'relation' && (!to_objects?.length || to_objects.includes(object.key)),
  )
  if (!from.length) return []
  return [{ key: other.key, label: other.label_plural, type: 'relation', many: true, to: [other.key], from }]
}
