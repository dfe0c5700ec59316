// The fields that a filter may name, worked out from describe_schema alone: a second opinion on the server's own list.
import type { FilterField, FilterObjects } from '../../contract/filter/index.ts'
import type { Api } from '../app.ts'

/** `from`: the relation is followed backwards, from these fields of the object it leads to. */
export type ScopeField = FilterField & { from?: string[] }
export type Scope = Record<string, { key: string; label: string; fields: ScopeField[] }> & FilterObjects

type Described = Awaited<ReturnType<Api['describeSchema']>>['objects']

const system: ScopeField[] = [
  { key: 'id', label: 'ID', type: 'text' },
  { key: 'title', label: 'Title', type: 'text' },
  { key: 'owner', label: 'Owner', type: 'user' },
  { key: 'created_at', label: 'Created', type: 'datetime' },
  { key: 'created_by', label: 'Created by', type: 'user' },
  { key: 'updated_at', label: 'Updated', type: 'datetime' },
  { key: 'last_activity_at', label: 'Last activity', type: 'datetime' },
]

/** Fields of which there is only to be one more of their kind, so that others find no typed column. */
export const isFiller = (key: string) => key.startsWith('filler')

export function scopeFrom(objects: Described): Scope {
  const scope: Scope = {}
  for (const object of objects) {
    const own = object.fields.filter(({ key, options }) => !isFiller(key) && options?.length !== 0).map(fieldFrom)
    const fields = [...own, ...system.filter(({ key }) => !own.some((field) => field.key === key))]
    for (const other of objects) {
      const from = other.fields.filter(
        ({ type, to_objects }) => type === 'relation' && (!to_objects!.length || to_objects!.includes(object.key)),
      )
      if (!from.length || fields.some(({ key }) => key === other.key)) continue
      const keys = from.map(({ key }) => key)
      fields.push({ key: other.key, label: other.label, type: 'relation', many: true, to: [other.key], from: keys })
    }
    scope[object.key] = { key: object.key, label: object.label, fields }
  }
  return scope
}

function fieldFrom({
  key,
  label,
  type,
  is_multi,
  options,
  to_objects,
}: Described[number]['fields'][number]): ScopeField {
  const field: ScopeField = { key, label, type, multi: is_multi }
  if (options) field.options = options
  if (type !== 'relation') return field
  return { ...field, multi: false, many: is_multi, to: to_objects ?? [] }
}

export const targetsOf = (scope: Scope, field: ScopeField) =>
  (field.to!.length ? field.to! : Object.keys(scope)).filter((key) => scope[key])

/** What may be asked of records that can be of any of these objects: what all of them have, of the same kind. */
export function sharedFields(scope: Scope, objects: string[]): ScopeField[] {
  const [first, ...others] = objects.map((key) => scope[key]!.fields)
  const kind = ({ key, type, multi, many, to }: ScopeField) =>
    JSON.stringify([key, type, Boolean(multi), Boolean(many), to ?? []])
  return first!.filter((field) => others.every((fields) => fields.some((other) => kind(other) === kind(field))))
}
