import { actorOf, type Reader } from '../../kernel/context.ts'
import { Params, run } from '../../kernel/statement.ts'
import { keptInstead } from '../names/merged.ts'
import { readable } from '../rights/rights.ts'
import type { ObjectSchema } from '../schema/schema.ts'
import type { Target } from '../schema/target.ts'
import { type Stored, storedColumns } from '../values/from-row.ts'

/** The records with these ids that the caller may read. */
export async function recordsById(context: Pick<Reader, 'actor' | 'db'>, object: ObjectSchema, ids: string[]) {
  const actor = actorOf(context)
  const params = new Params()
  const limit = readable(actor, object, 'r', params)
  // PostgreSQL does not know the length of a list and plans it every time. For a single id it keeps the plan.
  const hasId = ids.length === 1 ? `r.id = ${params.add(ids[0], 'uuid')}` : `r.id = any(${params.add(ids, 'uuid[]')})`
  const rows = await run<Stored>(
    context.db,
    `select ${storedColumns} from records r where r.company_id = ${params.add(actor.company_id, 'uuid')} and ${hasId} and r.object_id = ${params.add(object.id, 'uuid')} and r.deleted_at is null${limit && ` and ${limit}`}`,
    params,
  )
  return new Map(rows.map((row) => [row.id, row]))
}

/** For merged records among these IDs, the record that was kept, if the caller may read it. */
export async function keptById({ context, object }: Target, ids: string[]) {
  const kept = await keptInstead(context.db, actorOf(context).company_id, ids)
  const rows = kept.size ? await recordsById(context, object, [...new Set(kept.values())]) : new Map<string, Stored>()
  return new Map([...kept].flatMap(([merged, id]) => (rows.has(id) ? [[merged, rows.get(id)!] as const] : [])))
}
