import type { Db } from '../platform/db.ts'
import type { Log } from '../platform/log.ts'
import { announce, type LiveMessage } from './live-channel.ts'

/** Open pages reload what they show, at most once in this time, and always after the last change. */
export function announcing({ db, log }: { db: Db; log: Log }, everyMs: number) {
  /** What pages heard of a moment ago, and whether it has changed since. */
  const resting = new Map<string, { isChanged: boolean }>()
  /** Not after the process has begun to stop. */
  return async function announceSoon(message: LiveMessage, signal: AbortSignal) {
    const key = JSON.stringify(message)
    const rest = resting.get(key)
    if (rest) {
      rest.isChanged = true
      return
    }
    const began = { isChanged: false }
    resting.set(key, began)
    setTimeout(() => {
      resting.delete(key)
      if (began.isChanged && !signal.aborted)
        announceSoon(message, signal).catch((err) =>
          log.warn({ err, company_id: message.company_id }, 'open pages were not notified'),
        )
    }, everyMs).unref()
    await announce(db, [message])
  }
}
