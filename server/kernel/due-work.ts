// Which companies may have something to do in which queue, so that no process has to ask all of them. A row is a hint that may
// come too early, never too late: the tables of the queues decide. The dispatcher writes it with the event that announces
// the work (outbox.ts), so a process that finds the row finds the work.
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../platform/db.ts'

/** Channels that a process holds as long as it runs. */
const held = (kind: RawBuilder<unknown>) => sql`
  select company_id, min(coalesce(leased_until, created_at)) as at from channels
  where ${kind} and disconnected_at is null and deleted_at is null and state <> 'paused' group by company_id`

/** What waits in each queue, and since or until when. */
const queues = {
  jobs: sql`select company_id, min(created_at) as at from jobs where state in ('waiting', 'running') group by company_id`,
  webhooks: sql`select company_id, min(next_attempt_at) as at from webhook_deliveries where next_attempt_at is not null group by company_id`,
  deliveries: sql`select company_id, min(next_attempt_at) as at from deliveries group by company_id`,
  leads: sql`select company_id, min(next_at) as at from lead_routings where next_at is not null group by company_id`,
  messages: sql`select company_id, min(send_at) as at from messages where send_at is not null group by company_id`,
  mailboxes: held(sql`kind = 'email'`),
  bots: held(sql`kind = 'telegram' and settings ->> 'is_followed' = 'true'`),
}
export type QueueName = keyof typeof queues
export const queueNames = Object.keys(queues) as QueueName[]

export type Hint = { company_id: string; queue: QueueName; at: Date }
/** `touched`: which hint was the last when it was read. */
export type Due = { company_id: string; touched: string }

/** In one order, so that processes that do this at the same time do not wait for each other in a circle. */
export async function makeDue(tx: Db, hints: Hint[]) {
  if (!hints.length) return
  const earliest = new Map<string, Hint>()
  for (const hint of hints) {
    const key = `${hint.company_id} ${hint.queue}`
    const known = earliest.get(key)
    if (!known || hint.at < known.at) earliest.set(key, hint)
  }
  const list = [...earliest].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, hint]) => hint)
  await sql`insert into due_work (company_id, queue, due_at)
    select * from unnest(${list.map(({ company_id }) => company_id)}::uuid[], ${list.map(({ queue }) => queue)}::text[],
      ${list.map(({ at }) => at.toISOString())}::timestamptz[])
    on conflict (company_id, queue) do update
    set due_at = least(due_work.due_at, excluded.due_at), touched = due_work.touched + 1`.execute(tx)
}

/** Those of these queues in which something is due. */
export async function queuesDue(db: Db, queues: QueueName[], now: Date) {
  const { rows } = await sql<{ queue: QueueName }>`
    select q.queue from unnest(${queues}::text[]) q(queue)
    where exists (select from due_work d where d.queue = q.queue and d.due_at <= ${now})`.execute(db)
  return rows.map(({ queue }) => queue)
}

/** The companies in which something is due, the oldest first. `also`: whether it is due or not. */
export async function companiesDue(db: Db, queue: QueueName, now: Date, also: string[]) {
  const { rows } = await sql<Due>`
    select company_id, touched from (
      select company_id, touched, due_at from due_work where queue = ${queue} and due_at <= ${now}
      union
      select company_id, touched, due_at from due_work where company_id = any(${also}::uuid[]) and queue = ${queue}) d
    order by due_at, company_id`.execute(db)
  return rows
}

/** Nothing is due before this time, unless there was a hint since it was read. */
export const settle = (db: Db, queue: QueueName, { company_id, touched }: Due, next: Date | null) =>
  sql`update due_work set due_at = ${next} where company_id = ${company_id} and queue = ${queue} and touched = ${touched}`.execute(
    db,
  )

/** What no event announced, for example because a backup was restored: all queues are read in their indexes. */
export async function findDueWork(db: Db) {
  for (const [queue, waiting] of Object.entries(queues)) {
    const { rows } = await sql<{ company_id: string; at: Date }>`${waiting}`.execute(db)
    await makeDue(
      db,
      rows.map(({ company_id, at }) => ({ company_id, queue: queue as QueueName, at })),
    )
  }
}
