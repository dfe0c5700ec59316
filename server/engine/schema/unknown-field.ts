import { didYouMean, nearestNames } from '../../../contract/filter/index.ts'
import { inSentence } from '../../../contract/shared/in-sentence.ts'
import type { ObjectSchema } from './schema.ts'

type Named = { key: string; label: string }

/** The error message for a field that does not exist or is archived. */
export function unknownField(object: ObjectSchema, key: string, choices: Named[] = object.fields) {
  const objectName = inSentence(object.label_plural)
  if (object.archivedFields.some((field) => field.key === key))
    return `The field ${key} of ${objectName} is archived. An Admin can restore it`
  return `There is no field ${key.slice(0, 63)} on ${objectName}.${didYouMean(nearestNames(key, choices))}`
}
