// Objects and fields that every company has. Their keys differ where a company had one of the same key before, so they
// are found by their name in the documentation, never by key.
import { type FieldShape, type ObjectShape, useSchema } from './schema.ts'

type Keyed = { key: string; is_built_in: boolean; built_in_key?: string | undefined }

/** Nothing for those that the company made. */
export const builtInName = ({ key, is_built_in, built_in_key = key }: Keyed) => (is_built_in ? built_in_key : undefined)

export const isBuiltIn = (one: Keyed, ...names: string[]) => names.includes(builtInName(one) ?? '')

export const builtInObject = (objects: ObjectShape[], name: string) => objects.find((one) => isBuiltIn(one, name))

/** Nothing if the company has archived it, or the user may not see it. */
export const useBuiltIn = (name: string) => builtInObject(useSchema(), name)

export const builtInField = (object: ObjectShape, name: string): FieldShape | undefined =>
  object.fields.find((field) => isBuiltIn(field, name))
