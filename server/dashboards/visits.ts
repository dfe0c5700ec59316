// When someone looked at the default dashboard. Calls within half an hour are one visit.

import { sql } from 'kysely'
import { actorOf, type Context } from '../kernel/context.ts'
import { dayMs } from '../platform/times.ts'

const pause = 30 * 60_000
const firstDays = 7 * dayMs

export async function visit(context: Context) {
  const { company_id, user_id } = actorOf(context)
  await sql`
    insert into dashboard_visits as v (company_id, user_id, last_at) values (${company_id}, ${user_id}, ${context.now})
    on conflict (company_id, user_id) do update set last_at = excluded.last_at,
      before_at = case when v.last_at < ${new Date(context.now.getTime() - pause)} then v.last_at else v.before_at end`.execute(
    context.db,
  )
}

/** The end of the visit before this one; a week ago if there was none. */
export async function lastVisit(context: Context): Promise<string> {
  const { now } = context
  const { company_id, user_id } = actorOf(context)
  const row = await context.db
    .selectFrom('dashboard_visits')
    .select(['last_at', 'before_at'])
    .where('company_id', '=', company_id)
    .where('user_id', '=', user_id)
    .executeTakeFirst()
  const isOver = row && row.last_at.getTime() < now.getTime() - pause
  const at = isOver ? row.last_at : (row?.before_at ?? new Date(now.getTime() - firstDays))
  return at.toISOString()
}
