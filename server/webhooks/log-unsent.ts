// Events that could not be turned into deliveries. They are in the webhook's log, so that its owner can replay them.
import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { RecordEventType } from '../../contract/record-events.ts'
import { eventIdOf } from '../engine/history/event-payload.ts'
import type { Delivery, DeliveryHandlers } from '../engine/subscriptions/deliver/delivery.ts'
import { insertingJson, Params, run } from '../kernel/statement.ts'

const reason = 'Kith could not prepare this event. Replay the events since then to send it.'

type Found = Delivery & { position: number; event_type: RecordEventType }

/** A delivery of this kind has no body, so it cannot be sent again as it is. */
export const noteUnsent: DeliveryHandlers['givenUp'] = async ({ tx, company_id, deliveries, now }) => {
  const { rows: found } = await sql<Found>`
    select d.*, c.position from deliveries d
    join webhooks w on w.company_id = ${company_id} and w.id = d.subscription_id
    join changes c on c.company_id = ${company_id} and c.change_set_id = d.change_set_id and c.record_id = d.record_id
      and c.version = d.version
    where d.company_id = ${company_id} and d.id = any(${deliveries.map(({ id }) => id)}::uuid[])
      and d.event_type is not null`.execute(tx)
  if (!found.length) return
  const rows = found.map(({ subscription_id, event_type, change_set_id, position, object_id, record_id, version }) => ({
    company_id,
    id: randomUUIDv7(),
    webhook_id: subscription_id,
    event_id: eventIdOf({ change_set_id, position }, event_type),
    event_type,
    change_set_id,
    position,
    object_id,
    record_id,
    version,
    body: '',
    is_replay: false,
    is_test: false,
    state: 'failed',
    attempts: 0,
    reason,
    log: [],
    created_at: now,
    next_attempt_at: null,
  }))
  const params = new Params()
  await run(tx, insertingJson('webhook_deliveries', rows)(params), params)
}
