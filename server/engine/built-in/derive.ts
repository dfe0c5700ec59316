// Values that are derived from others, in the built-in objects.
import { own } from '../../../contract/shared/own.ts'
import type { ObjectContext, Origin } from '../values/built-in-values.ts'
import type { Values } from '../values/from-row.ts'
import { withTime } from './activities/time.ts'
import { withStage } from './deals/stage.ts'
import { withResponse } from './leads/response-times.ts'
import { withCompletion } from './tasks/completion.ts'

/** By key of the built-in object. */
const rules: Record<string, typeof derive> = {
  activities: withTime,
  deals: withStage,
  leads: withResponse,
  tasks: withCompletion,
}

export function derive(place: ObjectContext, values: Values, origin: Origin): Values {
  const { built_in_key } = place.object
  const rule = built_in_key === null ? undefined : own(rules, built_in_key)
  return rule ? rule(place, values, origin) : values
}
