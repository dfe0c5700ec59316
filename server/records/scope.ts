// The company's objects as the filter language sees them: only what the caller may read, with relations both ways.
import type { FilterField, FilterObjects } from '../../contract/filter/index.ts'
import type { Actor } from '../kernel/context.ts'
import type { Field, ObjectSchema, Schema } from '../objects/schema.ts'
import { rightsFor } from './rights.ts'
import { type SystemField, systemByKey, systemFields } from './system-fields.ts'
import { asFilterField } from './values.ts'

/** A field with what SQL needs of it. `from`: it is a relation of another object, followed backwards. */
export type ScopedField = FilterField & { own?: Field; system?: SystemField; from?: Field[] }

export function scopeOf(schema: Schema, actor: Actor): FilterObjects {
  const shown = [...schema.objects.values()].filter(
    (object) => !object.archived_at && rightsFor(actor, object.key).read !== 'none',
  )
  return Object.fromEntries(shown.map((object) => [object.key, scoped(object, shown)]))
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
  const named = new Set([...system, ...own].map((field) => field.key))
  const backwards = shown.filter(({ key }) => !named.has(key)).flatMap((other) => backwardsFrom(other, object))
  return { key: object.key, label: object.label, fields: [...own, ...system, ...backwards] }
}

/** The records of another object that lead here, under that object's name: any(deals: ...) of an organization. */
function backwardsFrom(other: ObjectSchema, object: ObjectSchema): ScopedField[] {
  const from = other.fields.filter(
    ({ type, to_objects }) => type === 'relation' && (!to_objects?.length || to_objects.includes(object.key)),
  )
  if (!from.length) return []
  return [{ key: other.key, label: other.label_plural, type: 'relation', many: true, to: [other.key], from }]
}
