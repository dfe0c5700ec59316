import type { requests } from '../../contract/requests.ts'
import { actorOf } from '../kernel/context.ts'
import { newestFirst } from '../kernel/page.ts'
import type { Handlers } from '../kernel/run.ts'

const statusRange = { ok: [0, 399], refused: [400, 499], failed: [500, 599] } as const

export const requestOperations: Handlers<typeof requests> = {
  async listRequests(context, { request_id, user_id, api_key_id, status, ...page }) {
    const { company_id } = actorOf(context)
    let rows = context.db
      .selectFrom('requests as r')
      .leftJoin('users as u', (join) => join.onRef('u.company_id', '=', 'r.company_id').onRef('u.id', '=', 'r.user_id'))
      .select(['r.id', 'r.at', 'r.door', 'r.method', 'r.route', 'r.operation', 'r.status', 'r.duration_ms'])
      .select(['r.user_id', 'u.name as user_name', 'r.api_key_id', 'r.client', 'r.error_code'])
      .where('r.company_id', '=', company_id)
    if (request_id) rows = rows.where('r.id', '=', request_id)
    if (user_id) rows = rows.where('r.user_id', '=', user_id)
    if (api_key_id) rows = rows.where('r.api_key_id', '=', api_key_id)
    if (status) {
      const [from, to] = statusRange[status]
      rows = rows.where('r.status', '>=', from).where('r.status', '<=', to)
    }
    const { items, next_cursor } = await newestFirst(rows, 'r.id', page)
    return {
      items: items.map(({ id, at, ...row }) => ({ request_id: id, at: at.toISOString(), ...row })) as never,
      next_cursor,
    }
  },
}
