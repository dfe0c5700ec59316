// How long a lead waited for its first response, and until when it is to get one.

import { addWorkingTime } from '../../../platform/working-time.ts'
import { builtInValue, type ObjectContext, type Origin, withBuiltIn } from '../../values/built-in-values.ts'
import type { Values } from '../../values/from-row.ts'

export function withResponse(place: ObjectContext, values: Values, origin: Origin): Values {
  const { object } = place
  const at = builtInValue(object, values, 'first_response_at')
  if (typeof at !== 'string')
    return withResponseDue(place, withBuiltIn(object, values, { response_minutes: undefined }), origin)
  const waited = Date.parse(at) - new Date(origin.created_at ?? origin.now).getTime()
  return withBuiltIn(object, values, { response_minutes: Math.max(0, Math.round(waited / 60_000)) })
}

/** A new lead that no one has answered yet is to be answered in time. */
function withResponseDue({ schema, object }: ObjectContext, values: Values, { before, now }: Origin): Values {
  const { lead_response_minutes: minutes, working_hours: hours, time_zone } = schema
  const isNew = !before && builtInValue(object, values, 'status') === 'new'
  if (!minutes || !isNew) return values
  const due = addWorkingTime({ hours, zone: hours?.time_zone ?? time_zone }, now, minutes * 60_000)
  return due ? withBuiltIn(object, values, { response_due_at: due.toISOString() }) : values
}
