// Queues all events of the past that a webhook would have received, oldest first, in steps.
import { sql } from 'kysely'
import { findActorById } from '../accounts/users/queries.ts'
import { type EventRow, readEventRows, recordAfter, recordBefore } from '../engine/history/event-rows.ts'
import { inboxSince, makerOf, since } from '../engine/history/events.ts'
import { type InboxEvent, readInboxEvents } from '../engine/history/read-inbox-events.ts'
import { type Schema, schemaOf } from '../engine/schema/schema.ts'
import type { Subscription } from '../engine/schema/subscription.ts'
import { watchersFor } from '../engine/subscriptions/filters.ts'
import { matching } from '../engine/subscriptions/queue-matches.ts'
import { type JobHandler, startJob } from '../jobs/job.ts'
import { AppError } from '../kernel/app-error.ts'
import { actorOf, type Context, type Reader } from '../kernel/context.ts'
import { addDeliveries, findWebhook, matchingNow, readerOf } from './queue-events.ts'
import { addInboxDeliveries } from './queue-inbox-events.ts'

type Input = { webhook_id: string; since: string | null }
/** The last change or event of the inbox that was looked at. */
type Cursor = { change_set_id: string; position: number }

export function startReplay(context: Context, webhook_id: string, from: string | undefined) {
  const input: Input = { webhook_id, since: from ?? null }
  return startJob(context, { kind: 'replay', input }).job_id
}

export const replayStep =
  (baseUrl: URL): JobHandler =>
  async ({ context, job, size }) => {
    const { webhook_id, since: from } = job.input as Input
    const { company_id } = actorOf(context)
    const webhook = await findWebhook(context.db, company_id, webhook_id)
    const subscription = await findSubscription(context, webhook_id)
    const owner = subscription && (await findActorById(context.db, company_id, subscription.owner_id))
    if (!webhook || !owner) throw new AppError('not_found', 'The webhook was deleted, or its owner has left.')
    const schema = await schemaOf(context.db, owner)
    const reader = readerOf(owner, context.db, context.now)
    const cursor = job.cursor as Cursor | null
    const rows = await readEventRows(reader, schema, {
      where: (params) => [
        ...since(context, from ?? undefined, params),
        // What happens after the replay was started is sent as it happens.
        `s.at <= ${params.add(job.created_at, 'timestamptz')}`,
        cursor !== null &&
          `(c.change_set_id, c.position) > (${params.add(cursor.change_set_id, 'uuid')}, ${params.add(cursor.position, 'int')})`,
      ],
      order: 'asc',
      limit: size,
    })
    const inbox = await wantedInbox(reader, subscription, {
      where: (params) => [
        ...inboxSince(context, from ?? undefined, params),
        `e.at <= ${params.add(job.created_at, 'timestamptz')}`,
        cursor !== null && `e.id > ${params.add(cursor.change_set_id, 'uuid')}`,
      ],
      limit: size,
    })
    const step = oldestOf(rows, inbox, size)
    const events = await wanted(reader, schema, subscription, step.rows)
    const queue = { now: context.now, replay: true }
    const changes = { reader: { actor: owner, schema, baseUrl }, webhook, bodies: new Map() }
    await addDeliveries(context.db, { ...queue, ...changes }, events)
    await addInboxDeliveries(context.db, { ...queue, actor: owner, baseUrl, webhook_id }, step.inbox)
    const done = events.length + step.inbox.length
    if (done) context.emit('webhook.queued', { webhook_id })
    return { cursor: step.next, done, isLast: step.isLast }
  }

/** The oldest of both, as many as a step has. */
function oldestOf(rows: EventRow[], inbox: InboxEvent[], size: number) {
  const all = [
    ...rows.map((row) => ({ change_set_id: row.change_set_id, position: row.position, row })),
    ...inbox.map((event) => ({ change_set_id: event.id, position: 0, event })),
  ].sort((a, b) =>
    a.change_set_id === b.change_set_id ? a.position - b.position : a.change_set_id < b.change_set_id ? -1 : 1,
  )
  const some = all.slice(0, size)
  const last = some.at(-1)
  return {
    rows: some.flatMap((one) => ('row' in one ? [one.row] : [])),
    inbox: some.flatMap((one) => ('event' in one ? [one.event] : [])),
    next: last ? { change_set_id: last.change_set_id, position: last.position } : null,
    isLast: all.length < size,
  }
}

type AskedInbox = Omit<Parameters<typeof readInboxEvents>[2], 'order'>

/** Webhooks for one object are not told of conversations. */
async function wantedInbox(reader: Reader, { object_id, event_types }: Subscription, { where, limit }: AskedInbox) {
  if (object_id !== null) return []
  const types = event_types ?? []
  return readInboxEvents(reader.db, actorOf(reader), {
    where: (params) => [...where(params), !types.includes('*') && `e.type = any(${params.add(types, 'text[]')})`],
    order: 'asc',
    limit,
  })
}

async function findSubscription(context: Context, id: string) {
  const { rows } = await sql<Subscription>`
    select * from subscriptions where company_id = ${actorOf(context).company_id} and id = ${id}`.execute(context.db)
  return rows[0]
}

/** Compares each change as the writer did, with the record as it was then. */
async function wanted(reader: Reader, schema: Schema, subscription: Subscription, rows: EventRow[]) {
  const { object_id, skip_bulk, filter } = subscription
  const about = rows.filter(
    ({ object, bulk }) => (!object_id || schema.byId.get(object_id)?.key === object) && !(bulk && skip_bulk),
  )
  const matches = about.flatMap((row) => {
    const object = schema.objects.get(row.object)!
    const after = recordAfter(schema, row)
    if (!after) return []
    const change = { action: row.action, before: recordBefore(after, row), after, fields: row.fields }
    const watchers = watchersFor(schema, object, [subscription])
    return matching(schema, object, watchers, { ...change, by: makerOf(row) }, row.at).map(
      ({ answer, event_type }) => ({
        row,
        type: event_type!,
        isUnchecked: answer === 'ask',
      }),
    )
  })
  const object = schema.byId.get(object_id ?? '')
  const unchecked = matches.filter(({ isUnchecked }) => isUnchecked).map(({ row }) => row)
  if (!unchecked.length || !object || !filter) return matches
  const found = await matchingNow(reader, schema, { object, filter }, unchecked)
  return matches.filter(({ isUnchecked, row }) => !isUnchecked || found.has(row.record_id))
}
