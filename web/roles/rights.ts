import { useQuery } from '@tanstack/react-query'
import { type ObjectRights, type Reach, type RecordRights, reaches } from '../../contract/access.ts'
import { builtIn } from '../../contract/built-in.ts'
import { own } from '../../contract/own.ts'
import { type ObjectShape, schemaQuery } from '../records/schema.ts'

export type Right = keyof ObjectRights
export const others = '*'

type Named = { key: string; label_plural: string }

/** The objects to show: those of the company, and any other that the role names. */
export const objectsOf = (records: RecordRights, objects: Named[]) =>
  [...new Set([...objects.map(({ key }) => key), ...Object.keys(records)])].filter((key) => key !== others)

const none: ObjectShape[] = []
export const useObjects = () => useQuery(schemaQuery).data ?? none

/** As the company calls it. One that is archived, or that this user cannot read, goes by its first name or its key. */
export const nameOfObject = (key: string, objects: Named[]) =>
  (objects.find((one) => one.key === key) ?? own<Omit<Named, 'key'>>(builtIn, key))?.label_plural ?? key

/** What may be edited or deleted must be readable: the rights pull each other along. */
export function withRight<R extends Right>(rights: ObjectRights, right: R, value: ObjectRights[R]): ObjectRights {
  const next = { ...rights, [right]: value }
  if (right === 'read') return { ...next, edit: less(next.edit, next.read), delete: less(next.delete, next.read) }
  if (right === 'create') return next
  return { ...next, read: more(next.read, value as Reach) }
}

const less = (a: Reach, b: Reach) => reaches[Math.max(reaches.indexOf(a), reaches.indexOf(b))]!
const more = (a: Reach, b: Reach) => reaches[Math.min(reaches.indexOf(a), reaches.indexOf(b))]!
