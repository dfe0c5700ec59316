// Events of the inbox for webhooks. Their payload has the shape of that of records, with the conversation as the record, and
// no text of a message. The inbox emits none for private mailboxes.
import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { InboxEventType, WebhookPayload } from '../../contract/record-events.ts'
import type { EventPayload } from '../../contract/shared/events.ts'
import { findActorById } from '../accounts/users/queries.ts'
import { type InboxEvent, inboxPayloadOf, openAudiences } from '../engine/history/read-inbox-events.ts'
import { audiencesFor, audiencesOf } from '../engine/rights/audiences.ts'
import { AppError } from '../kernel/app-error.ts'
import { type Actor, actorOf, type Context } from '../kernel/context.ts'
import { makeDue } from '../kernel/due-work.ts'
import type { OutboxEvent } from '../kernel/outbox.ts'
import type { BackgroundTasks } from '../kernel/queue.ts'
import { insertingJson, Params, run } from '../kernel/statement.ts'
import { type Db, transaction } from '../platform/db.ts'

/** Conversations are no object; deliveries about them have this in its place. */
export const inboxObjectId = '00000000-0000-0000-0000-000000000000'

export const inboxEventTasks = ({ baseUrl }: { baseUrl: URL }): BackgroundTasks => ({
  queue_inbox_event: {
    run: ({ db, now }, event: OutboxEvent) => transaction(db, (tx) => keepInboxEvent(tx, baseUrl, event, now)),
  },
})

type Found = Omit<InboxEvent, 'id' | 'type' | 'at'> & { audience: string }

/** Stored, and queued for each webhook that wants it. Once, also if the job is repeated. */
async function keepInboxEvent(tx: Db, baseUrl: URL, event: OutboxEvent, now: Date) {
  const { company_id, id } = event
  const type = event.event as InboxEventType
  const { conversation_id, message_id = null } = event.payload as EventPayload<'message.sent'>
  const found = await findConversation(tx, company_id, conversation_id, message_id)
  if (!found) return
  const { audience, version, record } = found
  const kept: InboxEvent = { id, type, at: new Date(event.at), version, record }
  const { rows: added } = await sql`
    insert into inbox_events (company_id, id, type, conversation_id, at, version, record)
    values (${company_id}, ${id}, ${type}, ${conversation_id}, ${kept.at}, ${version}, ${JSON.stringify(record)})
    on conflict do nothing returning id`.execute(tx)
  if (!added.length) return
  const { rows: webhooks } = await sql<{ id: string; owner_id: string }>`
    select w.id, s.owner_id from webhooks w join subscriptions s on s.company_id = ${company_id} and s.id = w.id
    where w.company_id = ${company_id} and s.is_active and s.object_id is null
      and s.event_types && array[${type}, '*']::text[]`.execute(tx)
  for (const webhook of webhooks) {
    const actor = await findActorById(tx, company_id, webhook.owner_id)
    if (!actor || !(await openAudiences(tx, actor)).includes(audience)) continue
    await addInboxDeliveries(tx, { actor, baseUrl, webhook_id: webhook.id, now }, [kept])
  }
  if (webhooks.length) await makeDue(tx, [{ company_id, queue: 'webhooks', at: now }])
}

async function findConversation(db: Db, company_id: string, id: string, message_id: string | null) {
  const { rows } = await sql<Found>`
    select v.audience, v.version, jsonb_build_object('id', v.id, 'subject', v.subject, 'state', v.state,
      'assignee_id', v.assignee_id, 'channel_id', v.channel_id, 'channel_name', c.name, 'message',
      (select jsonb_build_object('id', m.id, 'direction', m.direction, 'state', m.state) from messages m
        where m.company_id = ${company_id} and m.id = ${message_id}::uuid)) as record
    from conversations v join channels c on c.company_id = ${company_id} and c.id = v.channel_id
    where v.company_id = ${company_id} and v.id = ${id}`.execute(db)
  return rows[0]
}

type Queue = { actor: Actor; baseUrl: URL; webhook_id: string; now: Date; replay?: boolean }

export async function addInboxDeliveries(
  db: Db,
  { now, webhook_id, replay = false, ...reader }: Queue,
  events: InboxEvent[],
) {
  if (!events.length) return
  const rows = events.map((event) =>
    deliveryOf(reader.actor, webhook_id, inboxPayloadOf(reader, event, { replay }), now),
  )
  const params = new Params()
  await run(db, insertingJson('webhook_deliveries', rows)(params), params)
}

const deliveryOf = ({ company_id }: Actor, webhook_id: string, payload: WebhookPayload, now: Date) => ({
  company_id,
  id: randomUUIDv7(),
  webhook_id,
  event_id: payload.id,
  event_type: payload.type,
  change_set_id: payload.change_set_id,
  position: 0,
  object_id: inboxObjectId,
  record_id: payload.record_id,
  version: payload.version ?? 0,
  body: JSON.stringify(payload),
  is_test: payload.test,
  is_replay: payload.replay,
  state: 'waiting',
  attempts: 0,
  log: [],
  created_at: now,
  next_attempt_at: now,
})

type Test = { baseUrl: URL; webhook_id: string; type: InboxEventType; record_id: string | undefined }

/** About the newest conversation that everyone may read. */
export async function addInboxTest(context: Context, owner: Actor, { baseUrl, webhook_id, type, record_id }: Test) {
  const { db, now } = context
  const audiences = await openAudiences(db, owner)
  const { rows } = await sql<{ id: string; message_id: string | null }>`
    select v.id, (select m.id from messages m where m.company_id = ${owner.company_id} and m.conversation_id = v.id
        and m.kind = 'message' order by m.at desc limit 1) as message_id
    from conversations v where v.company_id = ${owner.company_id} and v.audience = any(${audiences}::uuid[])
      and v.merged_into is null and (${record_id ?? null}::uuid is null or v.id = ${record_id ?? null}::uuid)
    order by v.last_message_at desc limit 1`.execute(db)
  const [found] = rows
  const conversation =
    found &&
    (await findConversation(db, owner.company_id, found.id, type.startsWith('message.') ? found.message_id : null))
  if (!conversation)
    throw new AppError(
      'conflict',
      'There are no conversations yet that this webhook may send. Send a test event of another type.',
    )
  const { version, record } = conversation
  const event: InboxEvent = { id: `test.${randomUUIDv7()}`, type, at: now, version, record }
  const { log: _, ...delivery } = deliveryOf(
    owner,
    webhook_id,
    inboxPayloadOf({ actor: owner, baseUrl }, event, { test: true }),
    now,
  )
  return db.insertInto('webhook_deliveries').values(delivery).returningAll().executeTakeFirstOrThrow()
}

/** The deliveries about conversations that the owner may no longer read. */
export async function hiddenConversations<D extends { object_id: string; record_id: string }>(
  db: Db,
  owner: Actor,
  deliveries: D[],
) {
  const about = deliveries.filter(({ object_id }) => object_id === inboxObjectId)
  if (!about.length) return []
  const { ids } = await audiencesFor(db, owner)
  const seen = new Set(
    (
      await subjectsAmong(
        db,
        owner.company_id,
        ids,
        about.map(({ record_id }) => record_id),
      )
    ).keys(),
  )
  return about.filter(({ record_id }) => !seen.has(record_id))
}

/** Subjects of conversations that the caller may read. */
export const subjectsOf = async (context: Context, ids: string[]) =>
  ids.length
    ? subjectsAmong(context.db, actorOf(context).company_id, (await audiencesOf(context)).ids, ids)
    : new Map<string, string>()

async function subjectsAmong(db: Db, company_id: string, audiences: string[], ids: string[]) {
  const { rows } = await sql<{ id: string; subject: string }>`
    select id, subject from conversations where company_id = ${company_id} and id = any(${ids}::uuid[])
      and audience = any(${audiences}::uuid[])`.execute(db)
  return new Map(rows.map(({ id, subject }) => [id, subject]))
}
