// What other products call our built-in options.
import { fold } from '../../../contract/filter/index.ts'
import { own } from '../../../contract/shared/own.ts'
import type { Field, ObjectSchema } from '../schema/schema.ts'
import { findOption } from '../values/read-values.ts'

const words: Record<string, Record<string, string[]>> = {
  'tasks.status': {
    open: ['not started', 'in progress', 'to do', 'todo', 'pending', 'deferred', 'waiting on someone else'],
    done: ['completed', 'complete', 'finished', 'closed'],
  },
  'tasks.priority': { normal: ['medium', 'none'], high: ['urgent'] },
  'activities.kind': { meeting: ['lunch', 'demo', 'event'], call: ['phone call'], other: ['task', 'deadline'] },
}

/** An option of that name comes first. */
export function usualOptions(
  { built_in_key: object }: Pick<ObjectSchema, 'built_in_key'>,
  field: Pick<Field, 'built_in_key' | 'options'>,
  value: unknown,
): unknown {
  const known = own(words, `${object}.${field.built_in_key}`)
  if (!known || typeof value !== 'string' || findOption(field, value)) return value
  const key = Object.keys(known).find((option) => known[option]!.includes(fold(value.trim())))
  return key && findOption(field, key) ? key : value
}
