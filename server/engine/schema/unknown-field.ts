import { didYouMean, nearestNames } from '../../../contract/filter/index.ts'
import type { ObjectSchema } from './schema.ts'

type Named = { key: string; label: string }

/** What to say of a field that is not there: it may only have been archived. */
export function unknownField(object: ObjectSchema, key: string, choices: Named[] = object.fields) {
  const whose = object.label.toLowerCase()
  if (object.archivedFields.some((field) => field.key === key))
    return `The field ${key} of ${whose} is archived. An Admin can bring it back`
  return `There is no field ${key.slice(0, 63)} of ${whose}.${didYouMean(nearestNames(key, choices))}`
}
