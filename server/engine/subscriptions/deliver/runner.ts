// Delivers what matched subscriptions. A batch is delivered and removed in one transaction, so that nothing is lost or
// delivered twice. Companies take turns, so that a large change of one does not delay the others.
import { sql } from 'kysely'
import type { Work } from '../../../kernel/worker.ts'
import { type Db, isUnavailable, transaction } from '../../../platform/db.ts'
import type { Log } from '../../../platform/log.ts'
import { doubling, retryAt } from '../../../platform/retry.ts'
import type { Subscription } from '../../schema/subscription.ts'
import type { Delivery, DeliveryHandlers } from './delivery.ts'

const batchSize = 500
/** Seconds after each failed attempt; then a delivery is given up. */
const waits = doubling(1, 9)

type Parts = {
  db: Db
  log: Log
  clock: () => Date
  handlers: DeliveryHandlers
  delivered?: (kind: Delivery['kind']) => unknown
}

export function deliveryWork({ db, log, clock, handlers, delivered }: Parts): Work<{ company_id: string; id: string }> {
  return {
    queue: 'deliveries',
    atOnce: 1,
    ofCompany: 1,
    find: async (company_id, _, now) =>
      (await oldestDue(db, company_id, now)) ? [{ company_id, id: company_id }] : [],
    perform: ({ company_id }) => deliverBatch(company_id),
    nextDue: (company_id) => nextDue(db, company_id),
    giveBack: async () => {},
    failure: 'changes could not be delivered',
    graceMs: 0,
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
    const next = retryAt(waits, attempts + 1, now)
    if (next) {
      log.warn(about, 'a delivery failed and will be retried')
      return delay(db, company_id, deliveries, next)
    }
    log.error(about, 'a delivery failed too often; giving up')
    if (kind === 'webhook')
      await transaction(db, (tx) => handlers.givenUp({ tx, company_id, deliveries, now })).catch((err) =>
        log.error({ ...about, err }, 'the owner of a webhook does not see what was given up'),
      )
    await remove(db, company_id, deliveries)
  }
}

/** Changes of a record wait for earlier ones of the same record. */
const isDue = (company_id: string, now: Date) =>
  sql`d.company_id = ${company_id} and d.next_attempt_at <= ${now} and ${isNext(company_id)}`

async function oldestDue(db: Db, company_id: string, now: Date) {
  const { rows } = await sql<Delivery>`select d.* from deliveries d where ${isDue(company_id, now)}
    order by d.next_attempt_at, d.id limit 1 for update skip locked`.execute(db)
  return rows[0]
}

/** Also if it waits for an earlier one: that one is tried before long. */
async function nextDue(db: Db, company_id: string) {
  const { rows } = await sql<{ at: Date }>`select next_attempt_at as at from deliveries
    where company_id = ${company_id} order by next_attempt_at limit 1`.execute(db)
  return rows[0]?.at ?? null
}

/** The oldest delivery and others like it. */
async function claim(tx: Db, company_id: string, now: Date) {
  const oldest = await oldestDue(tx, company_id, now)
  if (!oldest) return []
  const others = await sql<Delivery>`
    select d.* from deliveries d where ${isDue(company_id, now)} and ${isLike(oldest)}
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
