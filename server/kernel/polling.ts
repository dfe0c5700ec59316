import { isUnavailable } from '../platform/db.ts'
import type { Log } from '../platform/log.ts'

type Polling = { look: () => Promise<unknown>; log: Log; failure: string; everyMs?: number | null }

/**
 * Looks for work when it is woken, and every second for what other processes left: one look at a time, none is lost.
 * `everyMs`: null if it is only woken from outside.
 */
export function polling({ look, log, failure, everyMs = 1000 }: Polling) {
  let isStopped = false
  let again = false
  let looking: Promise<void> | undefined

  function wake() {
    if (isStopped) return
    again = true
    looking ??= keepLooking()
  }

  async function keepLooking() {
    try {
      while (again && !isStopped) {
        again = false
        await look()
      }
    } catch (error) {
      if (!isUnavailable(error)) log.error({ err: error }, failure)
    } finally {
      // Not later: a call of wake in between would be lost.
      looking = undefined
    }
  }

  const timer = everyMs === null ? undefined : setInterval(wake, everyMs).unref()
  return {
    wake,
    get isStopped() {
      return isStopped
    },
    /** After the look that is going on. */
    async stop() {
      isStopped = true
      clearInterval(timer)
      await looking
    },
  }
}
