// Delivers what matched subscriptions. A batch is delivered and removed in one transaction, so that nothing is lost or
// delivered twice. Companies take turns, so that a large change of one does not delay the others.
import { sql } from 'kysely'
import { companiesWaiting } from '../../../kernel/companies.ts'
import { polling } from '../../../kernel/polling.ts'
import { type Db, isUnavailable, transaction } from '../../../platform/db.ts'
import type { Log } from '../../../platform/log.ts'
import type { Subscription } from '../../schema/subscription.ts'
import type { Delivery, DeliveryHandlers } from './delivery.ts'

const batchSize = 500
const mostAttempts = 10

export type DeliveryRunner = ReturnType<typeof startDeliveryRunner>
type Parts = {
  db: Db
  log: Log
  clock: () => Date
  handlers: DeliveryHandlers
  delivered?: (kind: Delivery['kind']) => unknown
}

export function startDeliveryRunner({ db, log, clock, handlers, delivered }: Parts) {
  const poll = polling({ look, log, failure: 'changes could not be delivered' })

  async function look() {
    for (const company_id of await companiesWaiting(db, 'deliveries', 'next_attempt_at', clock()))
      if (!poll.isStopped && (await deliverBatch(company_id))) poll.wake()
  }

  /** Whether there may be more. */
  async function deliverBatch(company_id: string) {
    const batch: { deliveries: Delivery[] } = { deliveries: [] }
    try {
      await transaction(db, async (tx) => {
        const now = clock()
        batch.deliveries = await claim(tx, company_id, now)
        const [first] = batch.deliveries
        if (first?.kind === 'webhook') await handlers.webhook({ tx, company_id, now, ...batch })
        const subscription = first?.kind === 'notification' && (await findSubscription(tx, first))
        if (subscription) await handlers.notification({ tx, company_id, subscription, now, ...batch })
        if (first) await remove(tx, company_id, batch.deliveries)
      })
      if (batch.deliveries[0]) delivered?.(batch.deliveries[0].kind)
    } catch (error) {
      if (isUnavailable(error) || !batch.deliveries.length) throw error
      await postpone(company_id, batch.deliveries, error)
    }
    return batch.deliveries.length > 0
  }

  /** One that keeps failing is given up, so that it never blocks the others. */
  async function postpone(company_id: string, deliveries: Delivery[], err: unknown) {
    const [{ attempts, kind, subscription_id }] = deliveries as [Delivery]
    const about = { err, company_id, subscription_id, kind, count: deliveries.length }
    const now = clock()
    if (attempts + 1 < mostAttempts) {
      log.warn(about, 'a delivery failed and will be tried again')
      return delay(db, company_id, deliveries, new Date(now.getTime() + 1000 * 2 ** attempts))
    }
    log.error(about, 'a delivery failed too often and was given up')
    if (kind === 'webhook')
      await transaction(db, (tx) => handlers.givenUp({ tx, company_id, deliveries, now })).catch((err) =>
        log.error({ ...about, err }, 'the owner of a webhook does not see what was given up'),
      )
    await remove(db, company_id, deliveries)
  }

  poll.wake()
  return poll
}

/** The oldest delivery and others like it. Changes of a record wait for earlier ones of the same record. */
async function claim(tx: Db, company_id: string, now: Date) {
  const isDue = sql`d.company_id = ${company_id} and d.next_attempt_at <= ${now} and ${isNext(company_id)}`
  const { rows } = await sql<Delivery>`
    select d.* from deliveries d where ${isDue} order by d.next_attempt_at, d.id limit 1 for update skip locked`.execute(
    tx,
  )
  const [oldest] = rows
  if (!oldest) return []
  const others = await sql<Delivery>`
    select d.* from deliveries d where ${isDue} and ${isLike(oldest)}
    order by d.id limit ${batchSize} for update skip locked`.execute(tx)
  return others.rows
}

/** For webhooks, all that wait are alike; one that failed is tried alone. */
function isLike({ id, kind, attempts, subscription_id, change_set_id, action, is_unchecked }: Delivery) {
  if (kind === 'webhook') return attempts ? sql`d.id = ${id}` : sql`d.kind = 'webhook' and d.attempts = 0`
  return sql`d.subscription_id = ${subscription_id} and d.change_set_id = ${change_set_id} and d.action = ${action}
    and d.is_unchecked = ${is_unchecked}`
}

/** Asked for one delivery after the other: as a join, it would be answered for the whole queue first. */
const isNext = (company_id: string) => sql`d.version = (select min(e.version) from deliveries e
  where e.company_id = ${company_id} and e.subscription_id = d.subscription_id and e.record_id = d.record_id)`

async function findSubscription(tx: Db, { company_id, subscription_id }: Delivery) {
  const { rows } = await sql<Subscription>`
    select * from subscriptions where company_id = ${company_id} and id = ${subscription_id} and is_active`.execute(tx)
  return rows[0]
}

const idsOf = (deliveries: Delivery[]) => deliveries.map(({ id }) => id)

const remove = (tx: Db, company_id: string, deliveries: Delivery[]) =>
  sql`delete from deliveries where company_id = ${company_id} and id = any(${idsOf(deliveries)}::uuid[])`.execute(tx)

const delay = (db: Db, company_id: string, deliveries: Delivery[], until: Date) =>
  sql`update deliveries set attempts = attempts + 1, next_attempt_at = ${until}
    where company_id = ${company_id} and id = any(${idsOf(deliveries)}::uuid[])`.execute(db)
