// Turns changes that matched a webhook into deliveries with their payload: what the owner may read at this time.
import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { RecordEventType } from '../../contract/record-events.ts'
import { findActorById } from '../accounts/users/queries.ts'
import { eventIdOf, payloadOf } from '../engine/history/event-payload.ts'
import { type EventRow, readEventRows } from '../engine/history/event-rows.ts'
import { conditionsOf } from '../engine/read/conditions.ts'
import { errorsOfStored } from '../engine/read/stored-filter.ts'
import { type Schema, schemaOf } from '../engine/schema/schema.ts'
import type { Subscription } from '../engine/schema/subscription.ts'
import type { Delivery, DeliveryHandlers } from '../engine/subscriptions/deliver/delivery.ts'
import type { Actor, Reader } from '../kernel/context.ts'
import { makeDue } from '../kernel/due-work.ts'
import { insertingJson, Params, run } from '../kernel/statement.ts'
import type { Db } from '../platform/db.ts'

export const queueEvents =
  (baseUrl: URL): DeliveryHandlers['webhook'] =>
  async ({ tx, company_id, deliveries, now }) => {
    const webhooks = await findWebhooks(tx, company_id, deliveries)
    for (const [owner_id, owned] of Map.groupBy(webhooks, ({ owner_id }) => owner_id)) {
      const owner = await findActorById(tx, company_id, owner_id)
      if (!owner) continue
      const schema = await schemaOf(tx, owner)
      const reader = readerOf(owner, tx, now)
      const ofWebhook = (webhook: Webhook) => deliveries.filter(({ subscription_id }) => subscription_id === webhook.id)
      const rows = await changesOf(reader, schema, owned.flatMap(ofWebhook))
      const bodies = new Map<string, string>()
      for (const webhook of owned) {
        const matching = await stillMatching(reader, schema, webhook, ofWebhook(webhook))
        const events = matching.flatMap((delivery) => {
          const row = rows.get(keyOf(delivery))
          return row && !(row.bulk && webhook.skip_bulk) ? [{ row, type: delivery.event_type! }] : []
        })
        await addDeliveries(tx, { reader: { actor: owner, schema, baseUrl }, webhook, now, bodies }, events)
      }
    }
    if (webhooks.length) await makeDue(tx, [{ company_id, queue: 'webhooks', at: now }])
  }

type Webhook = Pick<Subscription, 'id' | 'owner_id' | 'object_id' | 'filter' | 'skip_bulk'> & {
  send_fields: string[] | null
}

/** Paused ones too: what matched before is sent when they are resumed. */
async function findWebhooks(db: Db, company_id: string, deliveries: Delivery[]) {
  const ids = [...new Set(deliveries.map(({ subscription_id }) => subscription_id))]
  const { rows } = await sql<Webhook>`
    select w.id, w.send_fields, s.owner_id, s.object_id, s.filter, s.skip_bulk from webhooks w
    join subscriptions s on s.company_id = ${company_id} and s.id = w.id
    where w.company_id = ${company_id} and w.id = any(${ids}::uuid[])`.execute(db)
  return rows
}

/** As a context that can only read. */
export const readerOf = (actor: Actor, db: Db, now: Date): Reader => ({ actor, db, now })

export const findWebhook = (db: Db, company_id: string, id: string) =>
  db
    .selectFrom('webhooks')
    .select(['id', 'send_fields'])
    .where('company_id', '=', company_id)
    .where('id', '=', id)
    .executeTakeFirst()

type Queue = {
  reader: { actor: Actor; schema: Schema; baseUrl: URL }
  webhook: { id: string; send_fields: string[] | null }
  now: Date
  /** Those made so far: most webhooks of a company send the same. */
  bodies: Map<string, string>
  replay?: boolean
}
type Event = { row: EventRow; type: RecordEventType }

export async function addDeliveries(db: Db, queue: Queue, events: Event[]) {
  if (!events.length) return
  const { reader, webhook, now, replay = false } = queue
  const rows = events.map(({ row, type }) => ({
    company_id: reader.actor.company_id,
    id: randomUUIDv7(),
    webhook_id: webhook.id,
    event_id: eventIdOf(row, type),
    event_type: type,
    change_set_id: row.change_set_id,
    position: row.position,
    object_id: reader.schema.objects.get(row.object)!.id,
    record_id: row.record_id,
    version: row.version ?? 0,
    body: bodyOf(queue, { row, type }),
    is_replay: replay,
    is_test: false,
    state: 'waiting',
    attempts: 0,
    log: [],
    created_at: now,
    next_attempt_at: now,
  }))
  const params = new Params()
  await run(db, insertingJson('webhook_deliveries', rows)(params), params)
}

function bodyOf({ reader, webhook, bodies, replay = false }: Queue, { row, type }: Event) {
  const { send_fields: fields } = webhook
  const key = JSON.stringify([eventIdOf(row, type), fields])
  const body = bodies.get(key) ?? JSON.stringify(payloadOf(reader, row, type, { fields, replay }))
  bodies.set(key, body)
  return body
}

/** Filters through relations are answered now, because the writer could not. */
async function stillMatching(reader: Reader, schema: Schema, webhook: Webhook, deliveries: Delivery[]) {
  const unchecked = deliveries.filter(({ is_unchecked }) => is_unchecked)
  const object = schema.byId.get(webhook.object_id ?? '')
  const { filter } = webhook
  if (!unchecked.length || !object || !filter) return deliveries
  const known = deliveries.filter(({ is_unchecked }) => !is_unchecked)
  const [error] = await errorsOfStored(reader, schema, [{ object, filter }])
  if (error) return known
  const matching = await matchingNow(reader, schema, { object, filter }, unchecked)
  return deliveries.filter((delivery) => !delivery.is_unchecked || matching.has(delivery.record_id))
}

type Filter = { object: NonNullable<ReturnType<Schema['byId']['get']>>; filter: string }

export async function matchingNow(
  reader: Reader,
  schema: Schema,
  { object, filter }: Filter,
  changes: Pick<Delivery, 'record_id' | 'action'>[],
) {
  const found = new Set<string>()
  for (const [deleted, some] of Map.groupBy(changes, ({ action }) => action === 'deleted')) {
    const conditions = await conditionsOf(reader, schema, object, { filter, deleted, at: reader.now })
    const params = new Params()
    const ids = params.add(
      some.map(({ record_id }) => record_id),
      'uuid[]',
    )
    const where = conditions(params).join(' and ')
    const rows = await run<{ id: string }>(
      reader.db,
      `select r.id from records r where r.id = any(${ids}) and ${where}`,
      params,
    )
    for (const { id } of rows) found.add(id)
  }
  return found
}

async function changesOf(reader: Reader, schema: Schema, deliveries: Delivery[]) {
  if (!deliveries.length) return new Map<string, EventRow>()
  const of = (name: 'change_set_id' | 'record_id') => [...new Set(deliveries.map((delivery) => delivery[name]))]
  const rows = await readEventRows(reader, schema, {
    where: (params) => [
      `c.record_id = any(${params.add(of('record_id'), 'uuid[]')})`,
      `c.change_set_id = any(${params.add(of('change_set_id'), 'uuid[]')})`,
    ],
    order: 'asc',
    limit: null,
  })
  return new Map(rows.map((row) => [keyOf(row), row]))
}

const keyOf = ({ change_set_id, record_id, version }: Pick<EventRow, 'change_set_id' | 'record_id' | 'version'>) =>
  `${change_set_id} ${record_id} ${version}`
