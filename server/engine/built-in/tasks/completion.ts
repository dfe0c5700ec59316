import type { ObjectSchema } from '../../schema/schema.ts'
import { builtInValue, keptOr, type ObjectContext, type Origin, withBuiltIn } from '../../values/built-in-values.ts'
import type { Values } from '../../values/from-row.ts'

/** Sets the time when a task is completed. Tasks completed in version 0.2 or earlier have none. */
export function withCompletion({ object }: ObjectContext, values: Values, { before, now }: Origin): Values {
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
