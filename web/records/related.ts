// Related records as an answer has them, with their titles, or as somebody has just chosen them, by their ids.
import type { FieldShape } from './schema.ts'
import type { Titled } from './titles.ts'

export type Related = string | { id: string; title?: string; object?: string }

export const relatedIn = (value: unknown) => [value ?? []].flat() as Related[]
export const idOf = (related: Related) => (typeof related === 'string' ? related : related.id)

/** What the answer says of it. null: deleted, or not for this user. Nothing: it must be looked up. */
export function titledIn(related: Related, { to_objects }: Pick<FieldShape, 'to_objects'>): Titled | null | undefined {
  if (typeof related === 'string') return undefined
  const { id, title, object = to_objects?.[0] } = related
  return title === undefined || object === undefined ? null : { object, id, title }
}

/** With ids in the place of related records: two values are the same if these are. */
export function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain)
  return typeof value === 'object' && value !== null && 'id' in value ? value.id : value
}
