// Who becomes the owner of a lead: by the first rule that matches, in turn, and not someone who is away.
import { sql } from 'kysely'
import type { Target } from '../../engine/schema/target.ts'
import { matcherOf } from '../../engine/subscriptions/filters.ts'
import type { Values } from '../../engine/values/from-row.ts'
import { newRow } from '../../engine/values/new-row.ts'
import type { Db } from '../../platform/db.ts'
import type { SourceRow } from './source.ts'

/** Each rule has its own turns. The source is locked, so that two leads at the same time do not go to the same person. */
export async function assigneeFor(target: Target, source: SourceRow, values: Values): Promise<string> {
  const { schema, object, context } = target
  const where = { ...context, company_id: source.company_id, time_zone: schema.time_zone }
  const record = newRow(target, source.id, values, null)
  const { assignment } = source.settings
  const rule = assignment.findIndex(
    ({ filter }) => filter === null || matcherOf(schema, object, filter, source.owner_id)?.(record, context.now),
  )
  const present = rule >= 0 ? await presentAmong(where, assignment[rule]!.user_ids) : []
  if (!present.length) return source.owner_id
  const turn = Number(source.rule_turns[rule] ?? 0)
  const chosen = present[turn % present.length]!
  if (present.length > 1) {
    const turns = assignment.map((_, i) => Number(source.rule_turns[i] ?? 0) + (i === rule ? 1 : 0))
    await sql`update lead_sources set rule_turns = ${turns}::bigint[]
      where company_id = ${source.company_id} and id = ${source.id}`.execute(context.db)
  }
  return chosen
}

type Where = { db: Db; company_id: string; time_zone: string; now: Date }

/** In the given order. If everyone is away, someone gets it anyway. */
export async function presentAmong({ db, company_id, time_zone, now }: Where, user_ids: string[]) {
  const { rows } = await sql<{ id: string; is_away: boolean | null }>`
    select u.id, (${now}::timestamptz at time zone coalesce(u.time_zone, ${time_zone}))::date
      between u.away_from and u.away_until as is_away
    from users u where u.company_id = ${company_id} and u.id = any(${user_ids}::uuid[])
      and u.deactivated_at is null and u.removed_at is null`.execute(db)
  const active = user_ids.filter((id) => rows.some((row) => row.id === id))
  const present = active.filter((id) => !rows.find((row) => row.id === id)!.is_away)
  return present.length ? present : active
}
