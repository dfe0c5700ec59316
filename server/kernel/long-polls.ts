// Requests that wait for news. All of a company are looked up together, so that one that waits holds no connection and
// costs almost nothing, whichever process the news comes from.
import { type Db, isUnavailable } from '../platform/db.ts'
import type { Log } from '../platform/log.ts'
import { outsideCalls } from './calls.ts'
import type { Caller } from './context.ts'

type Options<Poll> = {
  everyMs: number
  log: Log
  /** Written to the log if looking fails. */
  failure: string
  /** Those of the company's polls that have news. */
  withNews(db: Db, company_id: string, polls: Poll[]): Promise<Poll[]>
  /** How many may wait, for each of these names. */
  limitsOf?(poll: Poll): Record<string, number>
}

export function createLongPolls<Poll extends { company_id: string }>(options: Options<Poll>) {
  const { everyMs, log, failure, withNews } = options
  const waiting = new Map<Poll, () => void>()
  const counts = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined
  let isLooking = false
  let isReleased = false

  async function look(db: Db) {
    if (isLooking) return
    isLooking = true
    try {
      for (const [company_id, polls] of Map.groupBy(waiting.keys(), (poll) => poll.company_id))
        for (const poll of await withNews(db, company_id, polls)) waiting.get(poll)?.()
    } catch (error) {
      // The next look may succeed. A poll ends after its time in any case.
      if (!isUnavailable(error)) log.error({ err: error }, failure)
    } finally {
      isLooking = false
    }
  }

  /** Looks for all companies, so it must not count as work of the call that happens to wait first. */
  const begin = (db: Db) => outsideCalls(() => setInterval(() => void look(db), everyMs).unref())

  return {
    /** Returns false at once if too many wait already, or the process stops. */
    async wait(db: Db, poll: Poll, ms: number, onDisconnect?: Caller['onDisconnect']): Promise<boolean> {
      const limits = Object.entries(options.limitsOf?.(poll) ?? {})
      if (isReleased || limits.some(([name, most]) => (counts.get(name) ?? 0) >= most)) return false
      for (const [name] of limits) counts.set(name, (counts.get(name) ?? 0) + 1)
      timer ??= begin(db)
      const { promise, resolve } = Promise.withResolvers<void>()
      waiting.set(poll, resolve)
      const late = setTimeout(resolve, ms).unref()
      const stopListening = onDisconnect?.(resolve)
      await promise
      stopListening?.()
      clearTimeout(late)
      waiting.delete(poll)
      for (const [name] of limits) {
        const left = counts.get(name)! - 1
        if (left) counts.set(name, left)
        else counts.delete(name)
      }
      if (!waiting.size) {
        clearInterval(timer)
        timer = undefined
      }
      return true
    },
    /** The process stops: clients ask another one, or again after the start. */
    release() {
      isReleased = true
      for (const wake of waiting.values()) wake()
    },
  }
}
export type LongPolls<Poll extends { company_id: string }> = ReturnType<typeof createLongPolls<Poll>>
