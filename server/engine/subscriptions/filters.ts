// The filters of a company's subscriptions, read once per version of its schema.
import {
  type Checked,
  type CheckedCondition,
  comparable,
  evaluate,
  hasFaults,
  type MatchValues,
  type Resolved,
  resolve,
} from '../../../contract/filter/index.ts'
import { own } from '../../../contract/shared/own.ts'
import type { ScopedField } from '../rights/scope.ts'
import { isOwnField, readFilterIn, wholeScopeOf } from '../rights/scope.ts'
import type { ObjectSchema, Schema } from '../schema/schema.ts'
import type { Subscription } from '../schema/subscription.ts'
import { isoTime, type Stored } from '../values/from-row.ts'

/** `resolved`: the filter for this moment; undefined if there is none. */
export type Watching = Subscription & { resolved(now: Date): Resolved | undefined }
/** `fields`: the fields of the record itself that the filters compare. */
export type Watchers = { all: Watching[]; fields: ScopedField[] }

const known = new WeakMap<Schema, Map<string, Watchers>>()

/** The subscriptions to changes of this object. One with a filter that no longer works is left out. */
export function watchersOf(schema: Schema, object: ObjectSchema): Watchers {
  const byObject = known.get(schema) ?? new Map<string, Watchers>()
  known.set(schema, byObject)
  const watchers = byObject.get(object.id) ?? readWatchers(schema, object)
  byObject.set(object.id, watchers)
  return watchers
}

function readWatchers(schema: Schema, object: ObjectSchema): Watchers {
  const wanted = schema.subscriptions.filter(
    ({ object_id, notification_kind }) =>
      (object_id === null || object_id === object.id) && notification_kind === 'record_matched',
  )
  return watchersFor(schema, object, wanted)
}

/** Also for subscriptions that are not active, to compare them with changes of the past. */
export function watchersFor(schema: Schema, object: ObjectSchema, wanted: Subscription[]): Watchers {
  const fields = new Map<string, ScopedField>()
  const all = wanted.flatMap((subscription): Watching[] => {
    if (!subscription.filter) return [{ ...subscription, resolved: () => undefined }]
    const read = readFilterIn(wholeScopeOf(schema), object.key, subscription.filter)
    if (hasFaults(read)) return []
    for (const field of fieldsIn(read.checked)) fields.set(field.key, field)
    const resolved = resolving(schema, subscription.owner_id, read.checked)
    return resolved ? [{ ...subscription, resolved }] : []
  })
  return { all, fields: [...fields.values()] }
}

/**
 * Whether records match a stored filter, from their own values; undefined if the filter no longer works. It must not need
 * the database.
 */
export function matcherOf(schema: Schema, object: ObjectSchema, filter: string, me: string) {
  const read = readFilterIn(wholeScopeOf(schema), object.key, filter)
  if (hasFaults(read) || needsDatabase(read.checked)) return undefined
  const fields = fieldsIn(read.checked)
  const resolved = resolving(schema, me, read.checked)
  return (
    resolved &&
    ((record: Stored, now: Date) => evaluate(resolved(now)!, comparableValues(schema, fields, record)) === true)
  )
}

/** A filter such as `due_date = today` means something else tomorrow, so it is resolved again for each change. */
function resolving(
  { time_zone: timeZone, first_weekday: firstWeekday, language }: Schema,
  me: string,
  checked: Checked,
) {
  const at = (now: Date) => {
    const result = resolve(checked, { now, timeZone, firstWeekday, languages: [language], me })
    return hasFaults(result) ? undefined : result.resolved
  }
  const first = at(new Date(0))
  if (!first) return undefined
  return isTimeless(checked) ? () => first : at
}

export const isTimeless = (checked: Checked): boolean => {
  if ('parts' in checked) return checked.parts.every(isTimeless)
  if ('part' in checked) return isTimeless(checked.part)
  if ('where' in checked) return isTimeless(checked.where)
  if (checked.kind === 'quiet') return false
  return checked.kind === 'search' || checked.values.every((value) => typeof value !== 'object' || 'me' in value)
}

/** The domain of an address is part of the record's own value. */
const isElsewhere = ({ path }: CheckedCondition) => path.length > (path.at(-1)!.field.part === 'domain' ? 2 : 1)

/** Whether the values of the record itself are not enough to answer it. */
export function needsDatabase(checked: Checked): boolean {
  if ('parts' in checked) return checked.parts.some(needsDatabase)
  if ('part' in checked) return needsDatabase(checked.part)
  if (checked.kind === 'quiet') return false
  if (checked.kind !== 'condition' || isElsewhere(checked)) return true
  return !isOwnField(checked.path[0]!.field as ScopedField)
}

export function fieldsIn(checked: Checked): ScopedField[] {
  if ('parts' in checked) return checked.parts.flatMap(fieldsIn)
  if ('part' in checked) return fieldsIn(checked.part)
  if (checked.kind === 'quiet')
    return [checked.activity, checked.creation].flatMap((path) => path.map(({ field }) => field))
  if (checked.kind !== 'condition' || isElsewhere(checked)) return []
  const { field } = checked.path[0]! as { field: ScopedField }
  return isOwnField(field) ? [field] : []
}

/** The record's own values in the form that filters compare. */
export function comparableValues(schema: Schema, fields: ScopedField[], record: Stored): MatchValues {
  const values: MatchValues = {}
  for (const field of fields) values[field.key] = comparable(field, entered(record, field), schema)
  return values
}

function entered(record: Stored, { key, system }: ScopedField) {
  if (!system) return own(record.values, key)
  const value = record[system.column as keyof Stored]
  return system.type === 'datetime' && typeof value === 'string' ? isoTime(value) : value
}
