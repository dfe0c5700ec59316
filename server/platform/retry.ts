// When to try again.
import { dayMs } from './times.ts'

type More = {
  /** What the other side asked for. It may ask for more patience, not for less. */
  askedMs?: number
  /** The part by which a wait may be shorter or longer, so that not all are tried again at the same time. */
  jitter?: number
  random?: number
}

/** `waits`: seconds after the first, second ... failure. `attempts`: failures so far. Undefined: give up. */
export function retryAt(
  waits: readonly number[],
  attempts: number,
  now: Date,
  { askedMs = 0, jitter = 0, random = Math.random() }: More = {},
) {
  const seconds = waits[attempts - 1]
  if (seconds === undefined) return undefined
  const waitMs = seconds * 1000 * (1 - jitter + 2 * jitter * random)
  return new Date(now.getTime() + Math.max(waitMs, askedMs))
}

/** Waits for so many failures, each twice as long as the one before, up to `most` seconds. */
export const doubling = (firstSeconds: number, times: number, most = Number.POSITIVE_INFINITY) =>
  Array.from({ length: times }, (_, i) => Math.min(firstSeconds * 2 ** i, most))

/** Retry-After in seconds or as a date, as milliseconds from now: at most a day. */
export function retryAfter(header: string | string[] | undefined, now: Date) {
  const text = [header].flat()[0]
  if (!text) return 0
  const ms = /^\d+$/.test(text.trim()) ? Number(text) * 1000 : Date.parse(text) - now.getTime()
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), dayMs) : 0
}
