// Working hours and targets of the demo, and how they were met: what the report about the inbox shows.
import { sql } from 'kysely'
import { weekdays } from '../../contract/working-hours.ts'
import { followOpenings } from '../inbox/thread/waiting-time.ts'
import { workingTimeBetween } from '../platform/working-time.ts'
import { plansOf } from '../working-hours/queries.ts'
import type { Room } from './story.ts'

/** A conversation that a customer began. `closed`: not for those that are still open. */
export type Begun = { id: string; channel_id: string; at: Date; closed: { at: Date; by: string } | undefined }

export async function addHours({ db, company_id, now }: Room) {
  const day = [{ from: '09:00', to: '17:00' }]
  const days = Object.fromEntries(weekdays.map((name, i) => [name, i < 5 ? day : []]))
  await db
    .insertInto('inbox_hours')
    .values({
      company_id,
      scope_id: company_id,
      updated_at: now,
      hours: JSON.stringify({ time_zone: null, days, holidays: [] }),
      targets: JSON.stringify({ response_minutes: 120, resolution_minutes: 1440 }),
    })
    .execute()
}

/** Before their states are set. What answered them is found by itself. */
export async function beginOpenings({ db, company_id, now }: Room, begun: Begun[]) {
  const ids = begun.map(({ id }) => id)
  await sql`update conversations set state = 'open' where company_id = ${company_id} and id = any(${ids}::uuid[])`.execute(
    db,
  )
  await followOpenings(db, company_id, ids, now, { opened: new Map(begun.map(({ id, at }) => [id, at])) })
}

/** After their states are set. Missed targets are known already, so that they notify no one. */
export async function endOpenings({ db, company_id, now }: Room, begun: Begun[]) {
  const plans = await plansOf(db, company_id)
  const closed = begun.flatMap(({ id, channel_id, at, closed }) => {
    if (!closed) return []
    const seconds = Math.round(workingTimeBetween(plans.of(channel_id).schedule, at, closed.at) / 1000)
    return [{ id, seconds, at: closed.at, by: closed.by }]
  })
  await sql`update conversation_openings o set closed_at = d.at, closed_by = d.by, resolution_seconds = d.seconds
    from jsonb_to_recordset(${JSON.stringify(closed)}::jsonb) d(id uuid, seconds int, at timestamptz, by uuid)
    where o.company_id = ${company_id} and o.conversation_id = d.id`.execute(db)
  await sql`update conversation_openings o set assignee_id = c.assignee_id,
      due_at = case when o.closed_at is null then o.due_at end,
      response_missed_at = case when o.response_due_at < coalesce(o.responded_at, o.closed_at, ${now})
        then o.response_due_at end,
      resolution_missed_at = case when c.state <> 'snoozed' and o.resolution_due_at < coalesce(o.closed_at, ${now})
        then o.resolution_due_at end
    from conversations c where o.company_id = ${company_id} and c.company_id = ${company_id}
      and c.id = o.conversation_id`.execute(db)
  await sql`update conversations set response_due_at = null, resolution_due_at = null
    where company_id = ${company_id} and state = 'closed'`.execute(db)
  const open = begun.filter(({ closed }) => !closed).map(({ id }) => id)
  await followOpenings(db, company_id, open, now)
}
