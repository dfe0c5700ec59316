// When something was closed or completed in the system that it comes from, if its file only says when it was due.
import type { Here } from '../../../contract/filter/moments.ts'
import { stageCalled } from '../schema/pipeline-schema.ts'
import { builtInValue, type ObjectContext, withBuiltIn } from '../values/built-in-values.ts'
import type { Values } from '../values/from-row.ts'
import { instantOf } from '../values/read-times.ts'
import { isDone } from './tasks/completion.ts'

/**
 * Of a new record. Otherwise it would be the time of the import, and last year's deals would count for this month.
 * `closing`: when a deal was expected to close, if its file has the time as well.
 */
export function withImportedTimes(
  { schema, object }: ObjectContext,
  values: Values,
  { created_at, closing, here }: { created_at: string | undefined; closing: string | undefined; here: Here },
): Values {
  const pastTime = (value: unknown) => {
    const at = typeof value === 'string' ? instantOf(value, here) : undefined
    return at && at <= here.now.toISOString() ? at : undefined
  }
  const past = (key: string) => pastTime(builtInValue(object, values, key))
  const lacks = (key: string) => !builtInValue(object, values, key)
  if (object.built_in_key === 'deals' && lacks('closed_at')) {
    const kind = stageCalled(schema.pipelines, builtInValue(object, values, 'stage'))?.kind
    const at = kind === 'open' ? undefined : (pastTime(closing) ?? past('expected_close'))
    return at ? withBuiltIn(object, values, { closed_at: at }) : values
  }
  if (object.built_in_key === 'activities' && lacks('at') && created_at)
    return withBuiltIn(object, values, { at: created_at })
  if (object.built_in_key === 'tasks' && lacks('completed_at') && isDone(object, values)) {
    const at = past('due_at') ?? created_at
    return at ? withBuiltIn(object, values, { completed_at: at }) : values
  }
  return values
}

type Completion = { completed_at: string | undefined; isSent: boolean; before: Values | undefined }

/** Done, at the time that its file says. `isSent`: the file also has its status, which decides. */
export function withCompletionTime({ object }: ObjectContext, values: Values, completion: Completion): Values {
  const { completed_at, isSent, before } = completion
  if (before && isDone(object, before)) return values
  const done = isSent ? values : withBuiltIn(object, values, { status: 'done' })
  return completed_at && isDone(object, done) ? withBuiltIn(object, done, { completed_at }) : done
}
