// The log of deliveries, and sending again.
import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { Output } from '../../contract/operation.ts'
import { isInboxEvent, type RecordEventType, type WebhookEventType } from '../../contract/record-events.ts'
import { inSentence } from '../../contract/shared/in-sentence.ts'
import type { webhooks } from '../../contract/webhooks.ts'
import { findActorById } from '../accounts/users/queries.ts'
import { payloadOf } from '../engine/history/event-payload.ts'
import { type EventRow, readEventRows } from '../engine/history/event-rows.ts'
import { titlesOf } from '../engine/names/find-titles.ts'
import { withTimes } from '../engine/read/since-until.ts'
import { type Schema, schemaOf } from '../engine/schema/schema.ts'
import { AppError, refused } from '../kernel/app-error.ts'
import { actorOf, type Context } from '../kernel/context.ts'
import { newestFirst } from '../kernel/page.ts'
import type { Handlers } from '../kernel/run.ts'
import { iso } from '../platform/times.ts'
import { readerOf } from './queue-events.ts'
import { addInboxTest, inboxObjectId, subjectsOf } from './queue-inbox-events.ts'
import { startReplay } from './replay.ts'
import { findRow, type WebhookRow } from './webhook.ts'

export type DeliveryServices = { baseUrl: URL }
type Shown = Output<typeof webhooks.testWebhook>
type DeliveryQuery = Pick<
  typeof webhooks,
  | 'testWebhook'
  | 'listWebhookDeliveries'
  | 'getWebhookDelivery'
  | 'retryWebhookDelivery'
  | 'retryFailedWebhookDeliveries'
  | 'replayWebhookEvents'
>

export const deliveryOperations = ({ baseUrl }: DeliveryServices): Handlers<DeliveryQuery> => ({
  async testWebhook(context, { id, type, record_id }) {
    const webhook = await findRow(context, id)
    const row = await addTest(context, webhook, { baseUrl, type: type ?? firstType(webhook), record_id })
    context.emit('webhook.queued', { webhook_id: id })
    const [delivery] = await shown(context, [row])
    return delivery!
  },

  async listWebhookDeliveries(context, { id, ...asked }) {
    await findRow(context, id)
    const { state, type, record_id, event_id, since, limit, cursor } = await withTimes(context, asked)
    let rows = deliveriesOf(context, id)
    if (state) rows = rows.where('state', '=', state)
    if (type) rows = rows.where('event_type', '=', type)
    if (record_id) rows = rows.where('record_id', '=', record_id)
    if (event_id) rows = rows.where('event_id', '=', event_id)
    if (since) rows = rows.where('created_at', '>=', new Date(since))
    const page = await newestFirst(rows, 'id', { limit, cursor })
    return { items: await shown(context, page.items), next_cursor: page.next_cursor }
  },

  async getWebhookDelivery(context, { id, delivery_id }) {
    const { target_url } = await findRow(context, id)
    const row = await findDelivery(context, id, delivery_id)
    const [delivery] = await shown(context, [row])
    // The log is what was sent, and rights may have changed since.
    const body = delivery!.record_title === null ? '' : row.body
    return { ...delivery!, target_url, body, log: row.log as never }
  },

  async retryWebhookDelivery(context, { id, delivery_id }) {
    await findRow(context, id)
    const row = await findDelivery(context, id, delivery_id)
    if (!row.body)
      throw new AppError(
        'conflict',
        'This event could not be prepared, so there is nothing to send. Replay events instead.',
      )
    const [again] = row.state === 'waiting' ? [await sendNow(context, row)] : await sendAgain(context, id, [row.id])
    const [delivery] = await shown(context, [await findDelivery(context, id, again!)])
    return delivery!
  },

  /** An event that was sent again meanwhile counts by its last delivery. */
  async retryFailedWebhookDeliveries(context, { id, ...asked }) {
    await findRow(context, id)
    const { since } = await withTimes(context, asked)
    const { company_id } = actorOf(context)
    const { rows } = await sql<{ id: string }>`
      select d.id from webhook_deliveries d
      where d.company_id = ${company_id} and d.webhook_id = ${id} and d.state = 'failed' and not d.is_test and d.body <> ''
        and d.created_at >= ${new Date(since!)}
        and not exists (select from webhook_deliveries e where e.company_id = ${company_id} and e.webhook_id = ${id}
          and e.event_id = d.event_id and e.id > d.id)`.execute(context.db)
    const again = await sendAgain(context, id, idsOf(rows))
    return { queued: again.length }
  },

  async replayWebhookEvents(context, { id, ...asked }) {
    await findRow(context, id)
    const { since } = await withTimes(context, asked)
    return { job_id: startReplay(context, id, since) }
  },
})

const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id)

/** What still waits for its next attempt needs no copy, which would arrive besides. */
async function sendNow(context: Context, { id, webhook_id }: Row) {
  await sql`update webhook_deliveries set next_attempt_at = ${context.now}
    where company_id = ${actorOf(context).company_id} and id = ${id} and state = 'waiting'`.execute(context.db)
  context.emit('webhook.queued', { webhook_id })
  return id
}

/** Copies deliveries, with the same event ids. Returns the ids of the copies. */
async function sendAgain(context: Context, webhook_id: string, ids: string[]) {
  if (!ids.length) return []
  const { company_id } = actorOf(context)
  const copies = ids.map(() => randomUUIDv7())
  await sql`insert into webhook_deliveries (company_id, id, ${copied}, body, is_replay, next_attempt_at, created_at)
    select ${company_id}, n.id, ${copied}, ${asReplay}, true, ${context.now}, ${context.now}
    from unnest(${copies}::uuid[], ${ids}::uuid[]) n (id, old_id)
    join webhook_deliveries d on d.company_id = ${company_id} and d.id = n.old_id`.execute(context.db)
  context.emit('webhook.queued', { webhook_id })
  return copies
}

const copied = sql.raw(
  'webhook_id, event_id, event_type, change_set_id, position, object_id, record_id, version, is_test',
)
/** The body is kept as text, because its bytes are what is signed. */
const asReplay = sql`regexp_replace(d.body, '"replay":false(,"test":(true|false)})$', '"replay":true\\1')`

const deliveriesOf = (context: Context, webhook_id: string) =>
  context.db
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('company_id', '=', actorOf(context).company_id)
    .where('webhook_id', '=', webhook_id)

type Row = Awaited<ReturnType<ReturnType<typeof deliveriesOf>['executeTakeFirstOrThrow']>>

async function findDelivery(context: Context, webhook_id: string, id: string) {
  const row = await deliveriesOf(context, webhook_id).where('id', '=', id).executeTakeFirst()
  if (!row) throw new AppError('not_found', 'Delivery not found. Deliveries are kept for 30 days.')
  return row
}

async function shown(context: Context, rows: Row[]): Promise<Shown[]> {
  const schema = await schemaOf(context.db, actorOf(context))
  const titles = await titlesOf(context, schema, [...new Set(rows.map(({ record_id }) => record_id))], true)
  const subjects = await subjectsOf(
    context,
    rows.filter(({ object_id }) => object_id === inboxObjectId).map(({ record_id }) => record_id),
  )
  return rows.map((row) => ({
    id: row.id,
    webhook_id: row.webhook_id,
    event_id: row.event_id,
    type: row.event_type as WebhookEventType,
    object: row.object_id === inboxObjectId ? 'conversations' : (schema.byId.get(row.object_id)?.key ?? ''),
    record_id: row.record_id,
    record_title: titles.find(({ id }) => id === row.record_id)?.title ?? subjects.get(row.record_id) ?? null,
    state: row.state as Shown['state'],
    replay: row.is_replay,
    test: row.is_test,
    attempts: row.attempts,
    created_at: iso(row.created_at)!,
    last_attempt_at: iso(row.last_attempt_at),
    next_attempt_at: iso(row.next_attempt_at),
    last_status: row.last_status,
    last_ms: row.last_ms,
    reason: row.reason,
  }))
}

const firstType = ({ event_types }: WebhookRow): WebhookEventType => {
  const [first = '*'] = event_types ?? []
  return first === '*' ? 'record.updated' : first
}

type Test = { baseUrl: URL; type: WebhookEventType; record_id: string | undefined }

/** The last change of a record that the owner may read, as an event of this type. */
async function addTest(context: Context, webhook: WebhookRow, { baseUrl, type, record_id }: Test) {
  const { company_id } = actorOf(context)
  const owner = await findActorById(context.db, company_id, webhook.owner_id)
  if (!owner) throw new AppError('conflict', 'The owner of this webhook has left, so it has no access to records.')
  if (isInboxEvent(type)) return addInboxTest(context, owner, { baseUrl, webhook_id: webhook.id, type, record_id })
  const schema = await schemaOf(context.db, owner)
  const row = await lastChange(context, schema, { owner, webhook, type, record_id })
  const id = randomUUIDv7()
  const options = { fields: webhook.send_fields, test: true }
  const payload = {
    ...payloadOf({ actor: owner, schema, baseUrl }, row, type as RecordEventType, options),
    id: `test.${id}`,
  }
  const delivery = {
    company_id,
    id,
    webhook_id: webhook.id,
    event_id: payload.id,
    event_type: type,
    change_set_id: row.change_set_id,
    position: row.position,
    object_id: schema.objects.get(row.object)!.id,
    record_id: row.record_id,
    version: row.version ?? 0,
    body: JSON.stringify(payload),
    is_test: true,
    created_at: context.now,
    next_attempt_at: context.now,
  }
  return context.db.insertInto('webhook_deliveries').values(delivery).returningAll().executeTakeFirstOrThrow()
}

type OwnedWebhook = { owner: NonNullable<Awaited<ReturnType<typeof findActorById>>>; webhook: WebhookRow } & Omit<
  Test,
  'baseUrl'
>

async function lastChange(
  context: Context,
  schema: Schema,
  { owner, webhook, type, record_id }: OwnedWebhook,
): Promise<EventRow> {
  const reader = readerOf(owner, context.db, context.now)
  const isAboutDeals = type.startsWith('deal.')
  const key = isAboutDeals ? schema.builtIn.get('deals')?.key : schema.byId.get(webhook.object_id ?? '')?.key
  const [row] = await readEventRows(reader, schema, {
    where: (params) => [
      key && `c.object = ${params.add(key, 'text')}`,
      record_id && `c.record_id = ${params.add(record_id, 'uuid')}`,
      `exists (select 1 from records x where x.company_id = ${params.add(owner.company_id, 'uuid')} and x.id = c.record_id)`,
    ],
    order: 'desc',
    limit: 1,
  })
  if (row) return row
  const what = key ? inSentence(schema.objects.get(key)!.label_plural) : 'records'
  throw record_id
    ? refused('record_id', `Record not found among the ${what} that the owner of this webhook can read`)
    : new AppError('conflict', `There are no ${what} yet. Create one, then send a test event.`)
}
