// What waits in the database, and for how long.
import { sql } from 'kysely'
import type { Db } from '../platform/db.ts'

/** The age of the oldest, in seconds; 0 if there is none. */
const since = (at: ReturnType<typeof sql>) =>
  sql<number>`coalesce(greatest(extract(epoch from now() - ${at}), 0), 0)::float8`

export type Backlog = Awaited<ReturnType<typeof readBacklog>>

export async function readBacklog(db: Db) {
  const events = sql<{ waiting: number; seconds: number }>`
    select count(*)::int as waiting, ${since(sql`min(at)`)} as seconds from outbox`
  const isDue = sql`state in ('created', 'retry') and start_after <= now()`
  const tasks = sql<{ task: string; waiting: number; seconds: number; failed: number }>`
    select name as task, count(*) filter (where ${isDue})::int as waiting,
      ${since(sql`min(start_after) filter (where ${isDue})`)} as seconds,
      count(*) filter (where state = 'failed')::int as failed
    from pgboss.job group by name`
  const due = sql<{ queue: string; companies: number; seconds: number }>`
    select queue, count(*)::int as companies, ${since(sql`min(due_at)`)} as seconds
    from due_work where due_at <= now() group by queue`
  // Without a holder, or with one that fails again and again.
  const mailboxes = sql<{ state: string; count: number; seconds: number }>`
    select state, count(*)::int as count, ${since(sql`min(case
      when state in ('failing', 'sign_in') then state_at
      when state in ('paused', 'disconnected') then null
      when leased_until is null then created_at
      when leased_until < now() then leased_until end)`)} as seconds
    from channels where kind = 'email' and deleted_at is null group by state`
  const [event, ...rest] = await Promise.all([
    events.execute(db),
    tasks.execute(db),
    due.execute(db),
    mailboxes.execute(db),
  ])
  return { events: event.rows[0]!, tasks: rest[0].rows, due: rest[1].rows, mailboxes: rest[2].rows }
}
