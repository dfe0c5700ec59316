// Work that waits in queues of companies. A process looks for what is due (due-work.ts), does as much of it at the same time
// as the queue allows, and lets companies take turns: those with the least running come first, then those that waited
// longest. One look a second, for all queues together, finds what other processes left.
import { type Db, isUnavailable } from '../platform/db.ts'
import type { Log } from '../platform/log.ts'
import { companiesDue, type Due, type QueueName, queuesDue, settle } from './due-work.ts'
import { LostLease } from './leases.ts'
import { polling } from './polling.ts'

/** Companies whose last turn is remembered. */
const mostTurns = 1000

type Item = { company_id: string; id: string; leased_by?: string }

export type Work<Found extends Item> = {
  queue: QueueName
  /** At the same time, in all and of one company. */
  atOnce: number
  ofCompany: number
  /** So many in all, if those beyond `atOnce` are the only ones of their companies. */
  most?: number
  /** What can begin now, at most so much. `running`: what this process is doing for the company. */
  find(company_id: string, limit: number, now: Date, running: Found[]): Promise<Found[]>
  /** False: there was nothing to do after all, so there is no immediate second look. */
  perform(item: Found, signal: AbortSignal): Promise<unknown>
  /** When there is something to do, as far as is known; null: never. The past, if more could begin at once. */
  nextDue(company_id: string, now: Date): Promise<Date | null>
  /** `renew` is false if the work is no longer ours. `interrupts`: then it ends. */
  renewing?: { everyMs: number; renew(item: Found): Promise<boolean>; interrupts?: true }
  /** After an error of ours, which must not keep others from being done. */
  giveBack(item: Found, error: unknown): Promise<unknown>
  /** What the log says after an error. */
  failure: string
  /** How long work may go on when the process stops, before it is interrupted. */
  graceMs: number
  /** Shutdown does not wait for work that cannot be interrupted. */
  isLeftBehind?: true
}

/** `lostLease` is called when another process has taken over work of this one. */
type Parts = { db: Db; log: Log; clock: () => Date; lostLease?: ((queue: QueueName) => void) | undefined }
export type Workers = ReturnType<typeof startWorkers>

// biome-ignore lint/suspicious/noExplicitAny: each queue has its own kind of work.
export function startWorkers({ db, log, clock, lostLease }: Parts, works: Work<any>[]) {
  const loops = new Map(works.map((work) => [work.queue, startLoop({ db, log, clock, lostLease }, work)]))
  const poll = polling({ look, log, failure: 'due work could not be looked up' })

  async function look() {
    const due = new Set(await queuesDue(db, [...loops.keys()], clock()))
    for (const [queue, loop] of loops) if (due.has(queue) || loop.isUnfinished()) loop.wake()
  }

  poll.wake()
  return {
    wake: (queue: QueueName) => loops.get(queue)?.wake(),
    async stop() {
      await poll.stop()
      await Promise.all(loops.values().map((loop) => loop.stop()))
    },
  }
}

function startLoop<Found extends Item>({ db, log, clock, lostLease }: Parts, work: Work<Found>) {
  const { queue, atOnce, ofCompany, most = atOnce } = work
  const running = new Map<string, { item: Found; done: Promise<void> }>()
  /** Companies that are looked at again, due or not, because something has ended. */
  const changed = new Set<string>()
  /** Given back as soon as the database answers. */
  const interrupted: { item: Found; error: unknown }[] = []
  /** Companies in the order of their last turns. */
  const turns = new Map<string, number>()
  let turn = 0
  const stopping = new AbortController()
  const poll = polling({ look, log, failure: `what is due could not be looked up (${queue})`, everyMs: null })

  const keyOf = ({ id, leased_by }: Found) => `${leased_by} ${id}`
  const runningOf = (company_id: string) =>
    [...running.values()].flatMap(({ item }) => (item.company_id === company_id ? item : []))

  async function look() {
    for (; interrupted[0]; interrupted.shift()) await work.giveBack(interrupted[0].item, interrupted[0].error)
    if (running.size >= most) return
    const also = [...changed]
    changed.clear()
    try {
      const due = await companiesDue(db, queue, clock(), also)
      for (const one of inTurn(due)) {
        if (poll.isStopped) return
        const hasPlace = await lookAt(one).catch((error) => {
          if (isUnavailable(error)) throw error
          // Those of other companies are looked at all the same.
          log.error({ err: error, company_id: one.company_id }, work.failure)
          return true
        })
        if (!hasPlace) changed.add(one.company_id)
      }
    } catch (error) {
      for (const company_id of also) changed.add(company_id)
      throw error
    }
  }

  /** Companies with the least running come first, and of these, those that waited longest. */
  function inTurn(due: Due[]) {
    const places = due.map((one) => ({
      one,
      count: runningOf(one.company_id).length,
      last: turns.get(one.company_id) ?? 0,
    }))
    return places.toSorted((a, b) => a.count - b.count || a.last - b.last).map(({ one }) => one)
  }

  /** False: there is no place for its work now. */
  async function lookAt(due: Due) {
    const { company_id } = due
    const own = runningOf(company_id)
    const free = own.length ? atOnce - running.size : Math.max(atOnce - running.size, most > running.size ? 1 : 0)
    const limit = Math.min(ofCompany - own.length, free)
    if (limit <= 0) return false
    const now = clock()
    const found = await work.find(company_id, limit, now, own)
    for (const item of found) if (!running.has(keyOf(item))) start(item)
    // There may be more.
    if (found.length >= limit) return true
    const next = await work.nextDue(company_id, now)
    if (!next || next > now) await settle(db, queue, due, next)
    return true
  }

  function start(item: Found) {
    const { company_id } = item
    turns.delete(company_id)
    turns.set(company_id, ++turn)
    if (turns.size > mostTurns) turns.delete(turns.keys().next().value!)
    const done = perform(item).then((isDone) => {
      running.delete(keyOf(item))
      changed.add(company_id)
      if (isDone) poll.wake()
    })
    running.set(keyOf(item), { item, done })
  }

  /** False: trying again at once would lead to the same. */
  async function perform(item: Found) {
    const about = { company_id: item.company_id, id: item.id }
    const { renewing } = work
    const lost = new AbortController()
    let isLost = false
    const timer = renewing && setInterval(() => void renewing.renew(item).then(renewed, notRenewed), renewing.everyMs)
    const renewed = (isOurs: boolean) => {
      if (isOurs || !renewing?.interrupts) return
      isLost = true
      lost.abort()
    }
    const notRenewed = (err: unknown) => {
      if (!isUnavailable(err)) log.warn({ err, ...about }, `a lease was not renewed (${queue})`)
    }
    try {
      return (await work.perform(item, AbortSignal.any([stopping.signal, lost.signal]))) !== false
    } catch (error) {
      if (error instanceof LostLease) {
        isLost = true
        return true
      }
      if (!isUnavailable(error)) log.error({ err: error, ...about }, work.failure)
      await work.giveBack(item, error).catch(() => interrupted.push({ item, error }))
      return false
    } finally {
      clearInterval(timer)
      if (isLost) lostLease?.(queue)
    }
  }

  return {
    wake: poll.wake,
    isUnfinished: () => changed.size > 0 || interrupted.length > 0,
    async stop() {
      const late = Promise.withResolvers<void>()
      const timer = setTimeout(() => {
        stopping.abort()
        if (work.isLeftBehind) late.resolve()
      }, work.graceMs)
      await poll.stop()
      await Promise.race([Promise.allSettled([...running.values()].map(({ done }) => done)), late.promise])
      clearTimeout(timer)
      stopping.abort()
    },
  }
}
