// When the next attempt is made.
import { attemptDelays } from '../../contract/webhooks.ts'
import { retryAt } from '../platform/retry.ts'
import { dayMs } from '../platform/times.ts'

/** Failures in a row after which one event at a time is tried. */
export const mostFailures = 5
/** How long nothing but failures may happen before a webhook is disabled. */
export const mostFailingMs = 5 * dayMs
/** Seconds to wait before trying one event again. */
const pauses = [30, 60, 120, 300]

/** Null: it was the last one. `attempts`: how many were made. `retryAfterMs`: what the receiver asked for. */
export const nextAttempt = (attempts: number, now: Date, retryAfterMs: number) =>
  retryAt(attemptDelays.slice(1), attempts, now, { askedMs: retryAfterMs, jitter: 0.2 }) ?? null

/** When to try one event after this many failures in a row, or null while there are few. */
export const pauseAfter = (failures: number, now: Date) =>
  failures < mostFailures ? null : retryAt(pauses, Math.min(failures - mostFailures + 1, pauses.length), now)!
