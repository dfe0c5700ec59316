// How records in the trash are listed: their order, and who deleted them.
import { actorOf, type Context } from '../../kernel/context.ts'
import { Params, run } from '../../kernel/statement.ts'
import type { Shown } from '../values/from-row.ts'
import { plainSort, type Sort } from './page.ts'

export const lastDeletedFirst: Sort = plainSort('r.deleted_at', 'timestamptz', true, true)

/** Adds who last deleted each record. Callers who may see the change also see its API key and client. */
export async function withDeleters(context: Context, records: Shown[]) {
  if (!records.length) return records
  const actor = actorOf(context)
  const params = new Params()
  const ids = params.add(
    records.map(({ id }) => id),
    'uuid[]',
  )
  const rows = await run<{ record_id: string; actor_id: string | null; deleted_with: object | null }>(
    context.db,
    `select distinct on (c.record_id) c.record_id, s.actor_id,
      case when s.api_key_id is not null and (s.actor_id = ${params.add(actor.user_id, 'uuid')} or ${actor.is_admin === true})
        then json_build_object('api_key_name', k.name, 'client', s.client) end as deleted_with
      from changes c
      join change_sets s on s.company_id = c.company_id and s.id = c.change_set_id
      left join api_keys k on k.company_id = s.company_id and k.id = s.api_key_id
      where c.company_id = ${params.add(actor.company_id, 'uuid')} and c.record_id = any(${ids})
      and c.action = 'deleted' order by c.record_id, c.change_set_id desc`,
    params,
  )
  const deleters = new Map(rows.map((row) => [row.record_id, row]))
  return records.map((record) => {
    const { actor_id = null, deleted_with = null } = deleters.get(record.id) ?? {}
    return { ...record, deleted_by: actor_id, deleted_with }
  })
}
