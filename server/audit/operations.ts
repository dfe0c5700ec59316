import type { audit } from '../../contract/audit.ts'
import { actorOf } from '../kernel/context.ts'
import { newestFirst } from '../kernel/page.ts'
import type { Handlers } from '../kernel/run.ts'

export const auditOperations: Handlers<typeof audit> = {
  async queryAuditLog(context, { action, actor_id, request_id, since, until, ...page }) {
    const { company_id } = actorOf(context)
    let rows = context.db
      .selectFrom('audit_events as e')
      .leftJoin('users as u', (join) =>
        join.onRef('u.company_id', '=', 'e.company_id').onRef('u.id', '=', 'e.actor_id'),
      )
      .select(['e.id', 'e.at', 'e.action', 'e.actor_id', 'u.name as actor_name', 'e.door', 'e.api_key_id'])
      .select(['e.target_id', 'e.ip', 'e.request_id', 'e.data'])
      .where('e.company_id', '=', company_id)
    if (action) rows = rows.where('e.action', '=', action)
    if (actor_id) rows = rows.where('e.actor_id', '=', actor_id)
    if (request_id) rows = rows.where('e.request_id', '=', request_id)
    if (since) rows = rows.where('e.at', '>=', new Date(since))
    if (until) rows = rows.where('e.at', '<', new Date(until))
    const { items, next_cursor } = await newestFirst(rows, 'e.id', page)
    return { items: items.map((row) => ({ ...row, at: row.at.toISOString() })) as never, next_cursor }
  },
}
