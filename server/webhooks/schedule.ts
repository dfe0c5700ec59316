// When the next attempt is made.
import { attemptDelays } from '../../contract/webhooks.ts'

const dayMs = 86_400_000
const jitter = 0.2
/** Failures in a row after which one event at a time is tried. */
export const mostFailures = 5
/** How long nothing but failures may happen before a webhook is disabled. */
export const mostFailingMs = 5 * dayMs
/** How long to wait before trying one event again. */
const pauses = [30_000, 60_000, 120_000, 300_000]

/** Null: it was the last one. `attempts`: how many were made. `retryAfterMs`: what the receiver asked for. */
export function nextAttempt(attempts: number, now: Date, retryAfterMs: number, random = Math.random()) {
  const seconds = attemptDelays[attempts]
  if (seconds === undefined) return null
  const delayMs = seconds * 1000 * (1 - jitter + 2 * jitter * random)
  return new Date(now.getTime() + Math.max(delayMs, retryAfterMs))
}

/** When to try one event after this many failures in a row, or null while there are few. */
export function pauseAfter(failures: number, now: Date) {
  if (failures < mostFailures) return null
  const pause = pauses[Math.min(failures - mostFailures, pauses.length - 1)]!
  return new Date(now.getTime() + pause)
}

/** Retry-After in seconds or as a date, as milliseconds from now: at most a day. */
export function retryAfter(header: string | string[] | undefined, now: Date) {
  const text = [header].flat()[0]
  if (!text) return 0
  const ms = /^\d+$/.test(text.trim()) ? Number(text) * 1000 : Date.parse(text) - now.getTime()
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), dayMs) : 0
}
