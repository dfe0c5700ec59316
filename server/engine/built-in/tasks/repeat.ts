// Completing a repeating task creates the next one in the same change set, so that one undo takes both back.
import { randomUUIDv7 } from 'node:crypto'
import { actorOf } from '../../../kernel/context.ts'
import type { Target } from '../../schema/target.ts'
import { builtInValue, withBuiltIn } from '../../values/built-in-values.ts'
import type { Change } from '../../values/change.ts'
import type { Stored, Values } from '../../values/from-row.ts'
import { newRow } from '../../values/new-row.ts'
import { rowOf } from '../../values/to-row.ts'
import { isDone } from './completion.ts'
import { nextTimes, type Times } from './next-times.ts'

/** The completed task stops repeating, so that completing it again after reopening it does not create a second one. */
export function repeated(target: Target, before: Stored, after: Stored): { values: Values; next?: Change } {
  const { object } = target
  const { values } = after
  if (object.built_in_key !== 'tasks' || !isDone(object, values) || isDone(object, before.values)) return { values }
  const times = timesOf(target, values)
  if (!times) return { values }
  return {
    values: withBuiltIn(object, values, { repeats: undefined, repeats_from: undefined }),
    next: nextTask(target, after, times),
  }
}

function timesOf({ context, schema, object }: Target, values: Values) {
  const of = (key: string) => builtInValue(object, values, key)
  const keys = ['due_at', 'remind_at', 'repeats_from']
  const times = Object.fromEntries(keys.map((key) => [key, of(key)])) as Times
  const timeZone = actorOf(context).time_zone ?? schema.time_zone
  return nextTimes(of('repeats'), times, { now: context.now, timeZone })
}

function nextTask(target: Target, { values, owner_id }: Stored, times: Times): Change {
  const { schema, object } = target
  const uniques = object.fields.filter(({ is_unique }) => is_unique).map(({ key }) => [key, undefined])
  const copied = { ...values, ...Object.fromEntries(uniques) }
  const fresh = withBuiltIn(object, copied, { ...times, status: 'open', completed_at: undefined })
  const given = Object.fromEntries(Object.entries(fresh).filter(([, value]) => value !== undefined))
  return {
    before: undefined,
    after: newRow(target, randomUUIDv7(), given, owner_id),
    row: rowOf(schema, object, given),
  }
}
