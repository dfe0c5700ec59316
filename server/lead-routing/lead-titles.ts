import { titlesOf } from '../engine/names/find-titles.ts'
import { schemaOf } from '../engine/schema/schema.ts'
import { actorOf, type Context } from '../kernel/context.ts'

/** The titles of these leads by ID, also of those in the trash. Leads that the caller may not read are left out. */
export async function leadTitles(context: Context, rows: { lead_id: string }[]) {
  const ids = [...new Set(rows.map(({ lead_id }) => lead_id))]
  const titles = await titlesOf(context, await schemaOf(context.db, actorOf(context)), ids, true)
  return new Map(titles.map(({ id, title }) => [id, title]))
}
