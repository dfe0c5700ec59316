import type { ObjectContext, Origin } from '../../values/built-in-values.ts'
import type { Values } from '../../values/from-row.ts'

/** A new activity without a time gets the current time. */
export function withTime({ object }: ObjectContext, values: Values, { before, now }: Origin): Values {
  const at = object.builtIn.get('at')
  return before || !at || at.archived_at ? values : { [at.key]: now.toISOString(), ...values }
}
