// Values that are derived from others.
import { own } from '../../../contract/shared/own.ts'
import type { ObjectSchema } from '../schema/schema.ts'
import { builtInValue, keptOr, type Origin, type Place, withBuiltIn } from './built-in-values.ts'
import { withStage } from './deal-stage.ts'
import type { Values } from './from-row.ts'

/** By key of the built-in object. */
const rules: Record<string, typeof derive> = {
  activities: withTime,
  deals: withStage,
  leads: withResponse,
  tasks: withCompletion,
}

export function derive(place: Place, values: Values, origin: Origin): Values {
  const { built_in_key } = place.object
  const rule = built_in_key === null ? undefined : own(rules, built_in_key)
  return rule ? rule(place, values, origin) : values
}

function withResponse(place: Place, values: Values, origin: Origin): Values {
  const { object } = place
  const at = builtInValue(object, values, 'first_response_at')
  if (typeof at !== 'string')
    return withResponseDue(place, withBuiltIn(object, values, { response_minutes: undefined }), origin)
  const waited = Date.parse(at) - new Date(origin.created_at ?? origin.now).getTime()
  return withBuiltIn(object, values, { response_minutes: Math.max(0, Math.round(waited / 60_000)) })
}

/** A new lead that no one has answered yet is to be answered in time. */
function withResponseDue({ schema, object }: Place, values: Values, { before, now }: Origin): Values {
  const { lead_response_minutes: minutes } = schema
  const isNew = !before && builtInValue(object, values, 'status') === 'new'
  if (!minutes || !isNew) return values
  return withBuiltIn(object, values, { response_due_at: new Date(now.getTime() + minutes * 60_000).toISOString() })
}

/** A new activity without a time gets the current time. */
function withTime({ object }: Place, values: Values, { before, now }: Origin): Values {
  const at = object.builtIn.get('at')
  return before || !at || at.archived_at ? values : { [at.key]: now.toISOString(), ...values }
}

/** Sets the time when a task is completed. Tasks completed in version 0.2 or earlier have none. */
function withCompletion({ object }: Place, values: Values, { before, now }: Origin): Values {
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
