// The titles of records of any object, for relations, which may link to several objects.
import { inSentence } from '../../../contract/shared/in-sentence.ts'
import { actorOf, may, type Reader } from '../../kernel/context.ts'
import { Params, run } from '../../kernel/statement.ts'
import { openAmong, ownOnly, readableAmong } from '../rights/readable-among.ts'
import type { ObjectSchema, Schema } from '../schema/schema.ts'

export type Titled = { object: string; id: string; title: string }
/** `is_private`: the caller may not read it, and its title is a word for that, unless their role lets them see names. */
export type LinkedTitle = Titled & { is_private?: true }

/** Omits records that are permanently deleted or hidden from this user and, by default, those in the trash. */
export async function titlesOf(
  context: Pick<Reader, 'actor' | 'db'>,
  schema: Schema,
  ids: string[],
  deleted = false,
): Promise<Titled[]> {
  if (!ids.length) return []
  const actor = actorOf(context)
  const params = new Params()
  // Returned as one value, because every page with relations needs this and reading rows costs more than finding them.
  const [row] = await run<{ titles: [id: string, object_id: string, title: string][] | null }>(
    context.db,
    `select json_agg(json_build_array(r.id, r.object_id, r.title)) as titles from unnest(${params.add(ids, 'uuid[]')}) w(id)
      cross join lateral (${rowById(params.add(actor.company_id, 'uuid'), 'w.id')}) r
      where ${deleted ? '' : 'r.deleted_at is null and '}${readableAmong(actor, objectsIn(schema), 'r', params)}`,
    params,
  )
  return (row!.titles ?? []).map(([id, object_id, title]) => ({ object: schema.byId.get(object_id)!.key, id, title }))
}

/**
 * What records that are linked to something the caller sees are called. One that is hidden because it is not the caller's
 * own has a title, too, so that it does not look deleted. Records of objects that they may not read at all are left out.
 */
export async function linkedTitlesOf(
  context: Pick<Reader, 'actor' | 'db'>,
  schema: Schema,
  ids: string[],
  deleted = false,
): Promise<LinkedTitle[]> {
  const actor = actorOf(context)
  const objects = openAmong(actor, objectsIn(schema))
  const params = new Params()
  const limits = ownOnly(actor, objects, 'r', params)
  if (!limits.length || !ids.length) return titlesOf(context, schema, ids, deleted)
  const [row] = await run<{ titles: [id: string, object_id: string, title: string, is_open: boolean][] | null }>(
    context.db,
    `select json_agg(json_build_array(r.id, r.object_id, r.title, coalesce(${limits.join(' and ')}, false))) as titles
      from unnest(${params.add(ids, 'uuid[]')}) w(id)
      cross join lateral (${rowById(params.add(actor.company_id, 'uuid'), 'w.id')}) r
      where ${deleted ? '' : 'r.deleted_at is null and '}r.object_id = any(${params.add(
        objects.map(({ id }) => id),
        'uuid[]',
      )})`,
    params,
  )
  const mayName = may(actor, 'records.names')
  return (row!.titles ?? []).map(([id, object_id, title, isOpen]): LinkedTitle => {
    const object = schema.byId.get(object_id)!
    if (isOpen) return { object: object.key, id, title }
    return { object: object.key, id, title: mayName ? title : privateTitle(object), is_private: true }
  })
}

export const privateTitle = ({ label }: Pick<ObjectSchema, 'label'>) => `Private ${inSentence(label)}`

/**
 * Reads by primary key, even for a table without statistics. Other conditions belong outside: in here they could make
 * PostgreSQL choose another index and read the whole company.
 */
export const rowById = (company: string, id: string) =>
  `select * from records r where r.company_id = ${company} and r.id = ${id} limit 1`

/** An archived object is hidden, and so are its records. */
export const objectsIn = (schema: Schema) => [...schema.objects.values()].filter(({ archived_at }) => !archived_at)
