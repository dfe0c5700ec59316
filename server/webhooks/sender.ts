// Sends what is queued for webhooks. Each webhook has its own queue and its own pace, so that one that hangs delays no
// other. An attempt is written down after it was made, so that every event arrives at least once.
import { randomUUID } from 'node:crypto'
import { findActorById } from '../accounts/users/queries.ts'
import { type Actor, may } from '../kernel/context.ts'
import { gather } from '../kernel/gather.ts'
import { announce } from '../kernel/live-channel.ts'
import { polling } from '../kernel/polling.ts'
import { type Db, isUnavailable } from '../platform/db.ts'
import type { Log } from '../platform/log.ts'
import type { PublicFetch } from '../platform/public-fetch.ts'
import type { Vault } from '../platform/vault.ts'
import { attempt } from './attempt.ts'
import {
  companiesDue,
  dueWebhooks,
  isLeaseFresh,
  lease,
  nextDeliveries,
  type Place,
  release,
  unreadable,
} from './endpoint.ts'
import { cancelled, disable, noteAttempt, type Result, resultOf, writeResults, writeState } from './results.ts'

/** Requests to one webhook at the same time. */
const atOnce = 8
/** Webhooks that a process sends to at the same time. */
const mostWebhooks = 500
const announceMs = 300
/** How long attempts may go on when the process stops. */
const graceMs = 1000

const withoutRight = ({ name }: Pick<Actor, 'name'>) =>
  `Its owner, ${name}, may no longer manage webhooks. An Admin who resumes it becomes its owner.`

export type WebhookSender = ReturnType<typeof startWebhookSender>
type Parts = { db: Db; log: Log; clock: () => Date; vault: Vault; fetch: PublicFetch }

export function startWebhookSender({ db, log, clock, vault, fetch }: Parts) {
  const me = randomUUID()
  const stopping = new AbortController()
  const working = new Map<string, Promise<void>>()
  /** Webhooks that got something new while their queue was being emptied. */
  const renewed = new Set<string>()
  const announced = new Map<string, number>()
  const untold = new Set<string>()
  const poll = polling({ look, log, failure: 'webhooks could not be looked up' })

  async function look() {
    const now = clock()
    for (const company_id of await companiesDue(db, now))
      for (const id of await dueWebhooks(db, me, company_id, now)) start({ company_id, id })
  }

  function start(place: Place) {
    if (working.has(place.id)) return void renewed.add(place.id)
    if (poll.isStopped || working.size >= mostWebhooks) return
    renewed.delete(place.id)
    const work = empty(place)
      .catch((error) => {
        if (!isUnavailable(error)) log.error({ err: error }, 'a webhook could not be sent')
      })
      .finally(() => {
        working.delete(place.id)
        if (renewed.has(place.id)) start(place)
      })
    working.set(place.id, work)
  }

  /** Sends until nothing is due. */
  async function empty(place: Place) {
    try {
      while (!poll.isStopped && (await sendBatch(place)));
    } finally {
      await release(db, me, place)
      if (untold.has(place.id)) await tell(place, 0)
    }
  }

  /** Returns whether there may be more. */
  async function sendBatch(place: Place) {
    const endpoint = await lease(db, vault, me, place, clock())
    const deliveries = endpoint ? await nextDeliveries(db, endpoint, clock()) : []
    if (!endpoint || !deliveries.length) return false
    const owner = await findActorById(db, endpoint.company_id, endpoint.owner_id)
    if (owner && !may(owner, 'webhooks.manage')) {
      await disable(db, endpoint, withoutRight(owner), clock())
      await tell(place, 0)
      return false
    }
    const hidden = new Set(await unreadable(db, owner, deliveries))
    const written: Promise<unknown>[] = []
    const note = (result: Result) => {
      const writing = write(result)
      // While others are still being sent, nobody waits for it yet, and a failure that nobody waits for ends the process.
      writing.catch(() => {})
      written.push(writing)
    }
    for (const delivery of hidden) note(cancelled(endpoint, delivery, clock()))
    const queue = deliveries.filter((delivery) => !hidden.has(delivery))
    const mayGoOn = () => !poll.isStopped && isLeaseFresh(endpoint) && !endpoint.retry_at && !endpoint.disabled
    async function sendNext() {
      for (let next = queue.shift(); next; next = mayGoOn() ? queue.shift() : undefined) {
        const made = await attempt(fetch, endpoint!, next, clock(), stopping.signal)
        // Interrupted by us, not by the receiver: the next process sends it again.
        if (stopping.signal.aborted && !made.is_success) return
        const now = clock()
        noteAttempt(endpoint!, made, now)
        note(resultOf(endpoint!, next, made, now))
      }
    }
    await Promise.all(Array.from({ length: atOnce }, sendNext))
    await Promise.all(written)
    await writeState(db, endpoint)
    if (endpoint.disabled) await disable(db, endpoint, endpoint.disabled, clock())
    await tell(place, announceMs)
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

  /** Open pages reload what they show of this webhook, at most once in this time. */
  async function tell({ company_id, id }: Place, everyMs: number) {
    const now = performance.now()
    untold.add(id)
    if (now - (announced.get(id) ?? 0) < everyMs) return
    untold.delete(id)
    announced.set(id, now)
    await announce(db, [{ company_id, event: 'webhook.changed', data: { webhook_id: id } }])
  }

  poll.wake()
  return {
    wake: poll.wake,
    async stop() {
      const late = setTimeout(() => stopping.abort(), graceMs)
      await poll.stop()
      await Promise.allSettled(working.values())
      clearTimeout(late)
    },
  }
}
