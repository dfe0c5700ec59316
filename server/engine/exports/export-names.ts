// The names of users and related records in an export, where a name leads back to the same user or record.
import { isId } from '../../../contract/shared/ids.ts'
import type { Context } from '../../kernel/context.ts'
import type { NameOf } from '../cells/write-cell.ts'
import { recordsNamed } from '../names/named-records.ts'
import { usersNamed } from '../names/named-users.ts'
import { userNames } from '../names/user-names.ts'
import type { Field, Schema } from '../schema/schema.ts'
import type { Shown } from '../values/from-row.ts'

type Linked = { id: string; title?: string; is_private?: true }
type Relation = Pick<Field, 'key' | 'type' | 'to_objects'>

/** For these records, whose relations have been given their titles. `users` is filled over time. */
export async function namesIn(
  context: Context,
  schema: Schema,
  records: Shown[],
  fields: Relation[],
  users: Map<string, string>,
): Promise<NameOf> {
  const valuesOf = ({ key }: Relation) => records.flatMap((record) => [record[key] ?? []].flat())
  const unknown = fields
    .filter(({ type }) => type === 'user')
    .flatMap((field) => valuesOf(field) as string[])
    .filter((id) => !users.has(id))
  await addUsers(context, [...new Set(unknown)], users)
  const links = fields
    .filter(({ type }) => type === 'relation')
    .flatMap((field) => (valuesOf(field) as Linked[]).map((linked) => ({ field, ...linked })))
  const titled = new Map(
    links.flatMap(({ field, id, title, is_private }) =>
      title && !is_private ? [[keyOf(field, id), { objects: field.to_objects ?? [], text: title, id }]] : [],
    ),
  )
  const matches = await recordsNamed(context, schema, [...titled.values()])
  const names = new Map(
    [...titled].flatMap(([key, { text, id }], i) =>
      matches[i]!.length === 1 && matches[i]![0]!.id === id && isKept(text) ? [[key, text]] : [],
    ),
  )
  // The ID finds the record again if its name is ambiguous.
  for (const { field, id, title, is_private } of links) if (is_private) names.set(keyOf(field, id), `${title} (${id})`)
  return (field, id) => (field.type === 'user' ? users.get(id) : names.get(keyOf(field, id))) ?? id
}

const keyOf = ({ to_objects }: Pick<Field, 'to_objects'>, id: string) => `${to_objects?.join(' ')} ${id}`

/** Import trims names, and takes what looks like an id for one. */
const isKept = (text: string) => text === text.trim() && !isId(text)

async function addUsers(context: Context, ids: string[], users: Map<string, string>) {
  const names = await userNames(context, ids)
  const known = [...names]
  const matches = await usersNamed(
    context,
    known.map(([, name]) => name),
  )
  for (const id of ids) users.set(id, id)
  for (const [i, [id, name]] of known.entries()) {
    const active = matches[i]!.filter(({ is_active }) => is_active)
    if (active.length === 1 && active[0]!.id === id && isKept(name) && name.toLowerCase() !== 'me') users.set(id, name)
  }
}
