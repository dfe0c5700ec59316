import { rightsFor } from '../engine/rights/rights.ts'
import type { ObjectSchema } from '../engine/schema/schema.ts'
import type { Frame } from './figures.ts'

/** A built-in object that is in use and that the caller may read. */
export function objectFor({ schema, actor }: Pick<Frame, 'schema' | 'actor'>, key: string): ObjectSchema | undefined {
  const object = schema.builtIn.get(key)
  return object && !object.archived_at && rightsFor(actor, object.key).read !== 'none' ? object : undefined
}
