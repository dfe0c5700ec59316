import { type ObjectRights, type Reach, type RecordRights, reaches } from '../../../../contract/access.ts'
import { builtIn } from '../../../../contract/built-in.ts'
import { own } from '../../../../contract/own.ts'

export type Right = keyof ObjectRights
export const others = '*'

/** The objects to show: those that every company has, and any other that the role names. */
export const objectsOf = (records: RecordRights) =>
  Object.keys({ ...builtIn, ...records }).filter((key) => key !== others)

export const nameOfObject = (key: string) => own<{ label_plural: string }>(builtIn, key)?.label_plural ?? key

/** What may be edited or deleted must be readable: the rights pull each other along. */
export function withRight<R extends Right>(rights: ObjectRights, right: R, value: ObjectRights[R]): ObjectRights {
  const next = { ...rights, [right]: value }
  if (right === 'read') return { ...next, edit: less(next.edit, next.read), delete: less(next.delete, next.read) }
  if (right === 'create') return next
  return { ...next, read: more(next.read, value as Reach) }
}

const less = (a: Reach, b: Reach) => reaches[Math.max(reaches.indexOf(a), reaches.indexOf(b))]!
const more = (a: Reach, b: Reach) => reaches[Math.min(reaches.indexOf(a), reaches.indexOf(b))]!
