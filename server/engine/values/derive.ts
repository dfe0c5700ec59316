// Values that are derived from others.
import type { FieldError } from '../../../contract/errors.ts'
import { own } from '../../../contract/own.ts'
import type { ObjectSchema } from '../schema/schema.ts'
import type { Values } from './from-row.ts'

/** By key of the built-in object. */
const rules: Record<string, typeof derive> = { activities: withTime, deals: withStatus, tasks: withCompletion }

export function derive(object: ObjectSchema, values: Values, before: Values | undefined, now: Date): Values {
  const rule = object.built_in_key === null ? undefined : own(rules, object.built_in_key)
  return rule ? rule(object, values, before, now) : values
}

/** A new activity without a time gets the current time. */
function withTime(object: ObjectSchema, values: Values, before: Values | undefined, now: Date): Values {
  const at = object.builtIn.get('at')
  return before || !at || at.archived_at ? values : { [at.key]: now.toISOString(), ...values }
}

/** The stage of a deal determines its status. Sets the closing time when a deal is won or lost. */
function withStatus(object: ObjectSchema, values: Values, before: Values | undefined, now: Date): Values {
  const options = object.byKey.get(object.builtIn.get('stage')?.key ?? '')?.options
  const status = options?.find(({ key }) => key === builtInValue(object, values, 'stage'))?.kind ?? 'open'
  const was = before && builtInValue(object, before, 'status')
  const closed_at = status === 'open' ? undefined : keptOr(object, values, 'closed_at', was !== status, now)
  return withBuiltIn(object, values, { status, closed_at })
}

/** Sets the time when a task is completed. Tasks completed in version 0.2 or earlier have none. */
function withCompletion(object: ObjectSchema, values: Values, before: Values | undefined, now: Date): Values {
  const isClosing = !before || !isDone(object, before)
  const completed_at = isDone(object, values) ? keptOr(object, values, 'completed_at', isClosing, now) : undefined
  return withBuiltIn(object, values, { completed_at, repeats_from: repeatsFrom(object, values, before) })
}

/** What a series is counted from: a new due time or another rhythm starts it again. */
function repeatsFrom(tasks: ObjectSchema, values: Values, before: Values | undefined) {
  const of = (one: Values, key: string) => builtInValue(tasks, one, key)
  const due_at = of(values, 'due_at')
  if (!due_at || !of(values, 'repeats')) return undefined
  const given = of(values, 'repeats_from')
  // Callers cannot write it, so a different value comes from an undo.
  const isKept = before ? !isMoved(tasks, before, values) || given !== of(before, 'repeats_from') : given
  return (isKept && given) || due_at
}

const isMoved = (tasks: ObjectSchema, before: Values, values: Values) =>
  ['due_at', 'repeats'].some((key) => builtInValue(tasks, before, key) !== builtInValue(tasks, values, key))

export const isDone = (tasks: ObjectSchema, values: Values) => builtInValue(tasks, values, 'status') === 'done'

const keptOr = (object: ObjectSchema, values: Values, key: string, isClosing: boolean, now: Date) =>
  builtInValue(object, values, key) ?? (isClosing ? now.toISOString() : undefined)

export function builtInValue(object: ObjectSchema, values: Values, key: string) {
  const field = object.builtIn.get(key)
  return field && own(values, field.key)
}

/** Replaces these values; undefined removes one. Skips fields that the company does not have yet. */
export function withBuiltIn(object: ObjectSchema, values: Values, given: Values): Values {
  const derived = { ...values }
  for (const [key, value] of Object.entries(given)) {
    const field = object.builtIn.get(key)
    if (!field) continue
    if (value === undefined) delete derived[field.key]
    else derived[field.key] = value
  }
  return derived
}

/** Errors for values that contradict the derived ones. */
export function contradictions(object: ObjectSchema, sent: Values, derived: Values, path: string): FieldError[] {
  if (object.built_in_key !== 'deals' || builtInValue(object, derived, 'status') !== 'open') return []
  const closed_at = object.builtIn.get('closed_at')
  if (!closed_at || isEmpty(own(sent, closed_at.key))) return []
  return [
    {
      path: `${path}.${closed_at.key}`,
      message: 'Only a won or lost deal has a closing time. Change its stage as well',
    },
  ]
}

const isEmpty = (value: unknown) => value === null || value === undefined || value === ''
