// Records on their way out: in which order they lie, who put them there, and when they are gone for good.
import { sql } from 'kysely'
import { actorOf, type Context } from '../kernel/context.ts'
import type { Db } from '../kernel/db.ts'
import { Params, run } from '../kernel/statement.ts'
import type { Sort } from './page.ts'
import type { Shown } from './stored.ts'

export const lastDeletedFirst: Sort = {
  key: 'deleted_at',
  sql: 'r.deleted_at',
  cast: 'timestamptz',
  descending: true,
  slot: null,
  isFull: true,
}

/** Who put each of them there last. */
export async function withDeleters(context: Context, records: Shown[]) {
  if (!records.length) return records
  const params = new Params()
  const ids = params.add(
    records.map(({ id }) => id),
    'uuid[]',
  )
  const rows = await run<{ record_id: string; actor_id: string | null }>(
    context.db,
    `select distinct on (c.record_id) c.record_id, s.actor_id from changes c
      join change_sets s on s.company_id = c.company_id and s.id = c.change_set_id
      where c.company_id = ${params.add(actorOf(context).company_id, 'uuid')} and c.record_id = any(${ids})
      and c.action = 'deleted' order by c.record_id, c.change_set_id desc`,
    params,
  )
  const deleters = new Map(rows.map((row) => [row.record_id, row.actor_id]))
  return records.map((record) => ({ ...record, deleted_by: deleters.get(record.id) ?? null }))
}

/** Each company says how long what was deleted can be restored. */
export const pruneTrash = (db: Db, now: Date) =>
  sql`with gone as (
      delete from records r using companies c where r.company_id = c.id and r.deleted_at is not null
        and r.deleted_at < ${now}::timestamptz - make_interval(days => c.trash_days)
      returning r.company_id, r.id
    ), outward as (
      delete from links l using gone g where l.company_id = g.company_id and l.from_id = g.id
    )
    delete from links l using gone g where l.company_id = g.company_id and l.to_id = g.id`.execute(db)
