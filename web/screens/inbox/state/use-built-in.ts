import { useSchema } from '../../../records/data/schema.ts'

/** An object that every company has, whatever its key is. */
export const useBuiltIn = (name: string) => useSchema().find(({ key, built_in_key = key }) => built_in_key === name)
