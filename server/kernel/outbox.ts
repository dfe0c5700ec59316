// Moves events from the transactions that emitted them to the jobs that subscribe to them.
import { randomUUIDv7 } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { currentEvent, type EventName, type EventPayload } from '../../contract/shared/events.ts'
import { type Db, transaction } from '../platform/db.ts'
import type { Log } from '../platform/log.ts'
import { makeDue, type QueueName } from './due-work.ts'
import { announce, type LiveMessage } from './live-channel.ts'
import { polling } from './polling.ts'

export type OutboxEvent = {
  id: string
  company_id: string
  event: EventName
  payload: unknown
  actor_id: string | null
  request_id: string
  at: Date
}
/** For events without a company, such as a password reset: the response must not reveal whether the address is known. */
export const noCompany = '00000000-0000-0000-0000-000000000000'

type NewEvent = {
  [Name in EventName]: {
    event: Name
    company_id: string
    payload: EventPayload<Name>
    at: Date
    /** The same event is stored once. */
    id?: string
    request_id?: string
    actor_id?: string | null
  }
}[EventName]

/** For work without a call: a call uses `context.emit`. */
export async function emitIn(tx: Db, events: NewEvent[]) {
  if (!events.length) return
  const rows = events.map(({ payload, ...event }) => ({
    id: randomUUIDv7(),
    request_id: randomUUIDv7(),
    actor_id: null,
    ...event,
    payload: JSON.stringify(payload),
  }))
  await tx
    .insertInto('outbox')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** The jobs that each event starts. */
export type Subscriptions = { [Name in EventName]?: string[] }
/** The queues in which an event announces work. */
export type QueuesOf = { [Name in EventName]?: QueueName[] }
/** The messages that open pages receive about an event. */
export type LiveMessagesOf = (event: OutboxEvent) => LiveMessage[]
type AddJobs = (tx: Kysely<never>, job: string, events: OutboxEvent[]) => Promise<unknown>

type Listening = {
  liveMessagesOf: LiveMessagesOf
  queuesOf?: QueuesOf
  heard: (event: EventName) => void
  /** Called when jobs with this name were added and can be seen. */
  added?: (job: string) => void
}

const batchSize = 500

export function createDispatcher(
  db: Db,
  subscriptions: Subscriptions,
  addJobs: AddJobs,
  { liveMessagesOf, queuesOf = {}, heard, added }: Listening,
  log: Log,
) {
  const poll = polling({ look, log, failure: 'events could not be dispatched' })

  async function look() {
    const next = await sql`select id from outbox order by id limit 1`.execute(db)
    if (!next.rows.length) return
    const { events, jobs } = await transaction(db, moveBatch)
    for (const job of jobs) added?.(job)
    for (const event of new Set(events)) heard(event)
    if (events.length === batchSize) poll.wake()
  }

  // Deletes events in the same transaction that adds their jobs, so that none is lost or handled twice. As a condition of
  // the deletion, PostgreSQL might run the inner query several times, each with the limit.
  async function moveBatch(tx: Db) {
    const moved = await sql<OutboxEvent>`
      with next as materialized (select id from outbox order by id limit ${batchSize} for update skip locked)
      delete from outbox o using next n where o.id = n.id
      returning o.id, o.company_id, o.event, o.payload, o.actor_id, o.request_id, o.at`.execute(tx)
    const rows = moved.rows.map((row) => ({ ...row, event: currentEvent(row.event) }))
    const byJob = Map.groupBy(
      rows.flatMap((event) => (subscriptions[event.event] ?? []).map((job) => ({ job, event }))),
      ({ job }) => job,
    )
    for (const [job, list] of byJob)
      await addJobs(
        tx as never,
        job,
        list.map(({ event }) => event),
      )
    await makeDue(
      tx,
      rows.flatMap(({ company_id, event, at }) => (queuesOf[event] ?? []).map((queue) => ({ company_id, queue, at }))),
    )
    await announce(tx, rows.flatMap(liveMessagesOf))
    return { events: rows.map(({ event }) => event), jobs: [...byJob.keys()] }
  }

  return poll
}
