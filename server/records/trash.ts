// Records on their way out: in which order they lie, and who put them there.
import { actorOf, type Context } from '../kernel/context.ts'
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
