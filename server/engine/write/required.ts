import type { FieldError } from '../../../contract/shared/errors.ts'
import { own } from '../../../contract/shared/own.ts'
import type { ObjectSchema } from '../schema/schema.ts'
import type { Values } from '../values/from-row.ts'

export const withoutNulls = (values: Values) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))

/** For an update, checks only the changed fields, so that older records without a required value can still be edited. */
export function missing(object: ObjectSchema, values: Values, path: string, touched?: Set<string>): FieldError[] {
  return object.fields
    .filter(({ key, is_required }) => is_required && (!touched || touched.has(key)))
    .filter(({ key }) => (own(values, key) ?? null) === null)
    .map(({ key }) => ({ path: `${path}.${key}`, message: 'This is required' }))
}
