// The company's objects as the filter language sees them, with relations both ways: the same as on the server.
import {
  asFilterField,
  type FilterField,
  type FilterObject,
  type FilterObjects,
  type Scope,
} from '../../../contract/filter/index.ts'
import { systemFields } from '../../../contract/system-fields.ts'
import { type ObjectShape, useSchema } from '../schema.ts'

const known = new WeakMap<ObjectShape[], FilterObjects>()

export function filterObjects(schema: ObjectShape[]): FilterObjects {
  const objects = known.get(schema) ?? Object.fromEntries(schema.map((object) => [object.key, seen(object, schema)]))
  known.set(schema, objects)
  return objects
}

export function useScope(object: string): Scope {
  return { objects: filterObjects(useSchema()), root: object }
}

function seen(object: ObjectShape, schema: ObjectShape[]): FilterObject {
  const own = object.fields.map(asFilterField)
  const fields: FilterField[] = [...own, ...systemFields.filter(({ key }) => !own.some((field) => field.key === key))]
  const named = new Set(fields.map(({ key }) => key))
  const backwards = schema.filter(({ key }) => !named.has(key)).filter((other) => leadsTo(other, object.key))
  return { key: object.key, label: object.label, fields: [...fields, ...backwards.map(backwardsFrom)] }
}

const leadsTo = (other: ObjectShape, key: string) =>
  other.fields.some(({ type, to_objects }) => type === 'relation' && (!to_objects?.length || to_objects.includes(key)))

/** The records of another object that lead here, under that object's name: any(deals: ...) of an organization. */
const backwardsFrom = ({ key, label_plural }: ObjectShape): FilterField => ({
  key,
  label: label_plural,
  type: 'relation',
  many: true,
  to: [key],
})
