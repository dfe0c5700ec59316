// Sends what is queued for webhooks. Each webhook has its own queue and its own pace, so that one that hangs delays no
// other. An attempt is written down after it was made, so that every event arrives at least once.
import { findActorById } from '../accounts/users/queries.ts'
import { announcing } from '../kernel/announcing.ts'
import { type Actor, may } from '../kernel/context.ts'
import { gather } from '../kernel/gather.ts'
import type { Leased } from '../kernel/leases.ts'
import type { Work } from '../kernel/worker.ts'
import type { Db } from '../platform/db.ts'
import type { Log } from '../platform/log.ts'
import type { PublicFetch } from '../platform/public-fetch.ts'
import type { Vault } from '../platform/vault.ts'
import { attempt } from './attempt.ts'
import { dueWebhooks, isLeaseFresh, lease, leases, nextDeliveries, nextDue, unreadable } from './endpoint.ts'
import { cancelled, disable, noteAttempt, type Result, resultOf, writeResults, writeState } from './results.ts'

/** Requests to one webhook at the same time. */
const atOnce = 8
/** Webhooks that a process sends to at the same time. */
const mostWebhooks = 500
const announceMs = 300

const withoutRight = ({ name }: Pick<Actor, 'name'>) =>
  `Its owner, ${name}, is no longer allowed to manage webhooks. An Admin who resumes it becomes its owner.`

type Parts = { db: Db; log: Log; clock: () => Date; vault: Vault; fetch: PublicFetch }

export function webhookWork({ db, log, clock, vault, fetch }: Parts): Work<Leased> {
  const tell = announcing({ db, log }, announceMs)
  const announced = ({ company_id, id }: Leased, signal: AbortSignal) =>
    tell({ company_id, event: 'webhook.changed', data: { webhook_id: id } }, signal)

  /** Sends until nothing is due. False: nothing was. */
  async function empty(place: Leased, signal: AbortSignal) {
    let hasSent = false
    try {
      while (!signal.aborted && (await sendBatch(place, signal))) hasSent = true
      return hasSent
    } finally {
      await leases.release(db, place)
    }
  }

  /** Returns whether there may be more. */
  async function sendBatch(place: Leased, signal: AbortSignal) {
    const endpoint = await lease(db, vault, place, clock())
    const deliveries = endpoint ? await nextDeliveries(db, endpoint, clock()) : []
    if (!endpoint || !deliveries.length) return false
    const owner = await findActorById(db, endpoint.company_id, endpoint.owner_id)
    if (owner && !may(owner, 'webhooks.manage')) {
      await disable(db, endpoint, withoutRight(owner), clock())
      await announced(place, signal)
      return false
    }
    const hidden = new Set(await unreadable(db, owner, deliveries))
    const written: Promise<unknown>[] = []
    const note = (result: Result) => {
      const writing = write(result)
      // Not awaited while other deliveries are in flight: an unhandled rejection would end the process.
      writing.catch(() => {})
      written.push(writing)
    }
    for (const delivery of hidden) note(cancelled(endpoint, delivery, clock()))
    const queue = deliveries.filter((delivery) => !hidden.has(delivery))
    const mayGoOn = () => !signal.aborted && isLeaseFresh(endpoint) && !endpoint.retry_at && !endpoint.disabled
    async function sendNext() {
      for (let next = queue.shift(); next; next = mayGoOn() ? queue.shift() : undefined) {
        const made = await attempt(fetch, endpoint!, next, clock(), signal)
        // Interrupted by us, not by the receiver: the next process sends it again.
        if (signal.aborted && !made.is_success) return
        const now = clock()
        noteAttempt(endpoint!, made, now)
        note(resultOf(endpoint!, next, made, now))
      }
    }
    await Promise.all(Array.from({ length: atOnce }, sendNext))
    await Promise.all(written)
    await writeState(db, endpoint)
    if (endpoint.disabled) await disable(db, endpoint, endpoint.disabled, clock())
    await announced(place, signal)
    return !endpoint.disabled
  }

  const write = gather(
    async (results: Result[]): Promise<undefined[]> => {
      for (const ofCompany of Map.groupBy(results, ({ company_id }) => company_id).values())
        await writeResults(db, ofCompany)
      return results.map(() => undefined)
    },
    { turns: 1 },
  )

  return {
    queue: 'webhooks',
    atOnce: mostWebhooks,
    ofCompany: mostWebhooks,
    find: (company_id, limit, now, running) => dueWebhooks(db, company_id, now, { limit, without: running }),
    perform: empty,
    nextDue: (company_id, now) => nextDue(db, company_id, now),
    giveBack: (place) => leases.release(db, place),
    failure: 'a webhook could not be sent',
    graceMs: 1000,
  }
}
