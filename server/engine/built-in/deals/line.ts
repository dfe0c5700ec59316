// What the values of a deal line mean.
import type { FieldError } from '../../../../contract/shared/errors.ts'
import { builtInValue, type ObjectContext } from '../../values/built-in-values.ts'
import type { Values } from '../../values/from-row.ts'

/** A discount is a share of the price. Values of older versions that are not stay until someone changes them. */
export function lineFaults(
  { object }: ObjectContext,
  values: Values,
  before: Values | undefined,
  path: string,
): FieldError[] {
  const field = object.built_in_key === 'deal_lines' ? object.builtIn.get('discount') : undefined
  if (!field) return []
  const discount = builtInValue(object, values, 'discount')
  if (typeof discount !== 'number' || (discount >= 0 && discount <= 100)) return []
  if (before && builtInValue(object, before, 'discount') === discount) return []
  return [{ path: `${path}.${field.key}`, message: 'Enter a percentage from 0 to 100' }]
}
