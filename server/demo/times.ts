import { randomBytes } from 'node:crypto'
import { dayMs, hourMs } from '../platform/times.ts'
import type { Random } from './random.ts'

/** A time in office hours on a weekday about `daysAgo` days ago, never in the future. */
export function workingTime(random: Random, now: Date, daysAgo: number) {
  const day = new Date(now.getTime() - daysAgo * dayMs)
  const weekday = day.getUTCDay()
  const back = weekday === 0 ? 2 : weekday === 6 ? 1 : 0
  const midnight = Math.floor(day.getTime() / dayMs) * dayMs - back * dayMs
  const at = midnight + random.int(8 * 3600, 17 * 3600) * 1000
  return new Date(Math.min(at, now.getTime() - dayMs / 24))
}

/** A UUIDv7 of that time, because lists are ordered by id. */
export function idAt(at: Date) {
  const bytes = randomBytes(16)
  bytes.writeUIntBE(at.getTime(), 0, 6)
  bytes[6] = 0x70 | (bytes[6]! & 0x0f)
  bytes[8] = 0x80 | (bytes[8]! & 0x3f)
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** `days` days from now, at that hour. */
export function dayFrom(now: Date, days: number, hour = 12) {
  const midnight = Math.floor(now.getTime() / dayMs) * dayMs
  return new Date(midnight + days * dayMs + hour * hourMs)
}
