// What records of any object are called: for relations, which may lead anywhere.
import { actorOf, type Context } from '../../kernel/context.ts'
import { Params, run } from '../../kernel/statement.ts'
import { readableAmong } from '../rights/readable-among.ts'
import type { Schema } from '../schema/schema.ts'

export type Titled = { object: string; id: string; title: string }

/** Left out: those deleted for good, or not for this user to see; in the trash unless asked for. */
export async function titlesOf(context: Context, schema: Schema, ids: string[], deleted = false): Promise<Titled[]> {
  if (!ids.length) return []
  const actor = actorOf(context)
  const params = new Params()
  // As one value: every page with relations asks this, and rows cost more to read than to find.
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
 * By its primary key, whatever PostgreSQL believes of a table that it has no statistics about. What else must hold is
 * asked outside: in here it would make other indexes look as good, and those read the whole company.
 */
export const rowById = (company: string, id: string) =>
  `select * from records r where r.company_id = ${company} and r.id = ${id} limit 1`

/** An archived object is hidden, and so are its records. */
export const objectsIn = (schema: Schema) => [...schema.objects.values()].filter(({ archived_at }) => !archived_at)
