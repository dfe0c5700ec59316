// Converts between instants and clock times of a time zone. Both are milliseconds; a clock time is stored as if in UTC.

import { dayOf } from './days.ts'

const dayLength = 86_400_000
const clocks = new Map<string, Intl.DateTimeFormat>()

/** What clocks in the zone show at an instant. */
export function clockAt(instant: number, zone: string) {
  const parts: Record<string, string> = {}
  for (const { type, value } of clockOf(zone).formatToParts(instant)) parts[type] = value
  const year = parts.era === 'B' ? 1 - Number(parts.year) : Number(parts.year)
  const clock = new Date(0)
  clock.setUTCFullYear(year, Number(parts.month) - 1, Number(parts.day))
  clock.setUTCHours(Number(parts.hour), Number(parts.minute), Number(parts.second))
  return clock.getTime() + (((instant % 1000) + 1000) % 1000)
}

/** The day that calendars in the zone show at an instant. */
export const localDay = (instant: number, zone: string) => dayOf(clockAt(instant, zone))

/** The first instant at which clocks show this time. A skipped time is moved forward by the length of the gap. */
export function instantAt(clock: number, zone: string) {
  const { before, after } = offsetsAround(clock, zone)
  const instants = [clock - before, clock - after].filter((instant) => clockAt(instant, zone) === clock)
  return instants.length ? Math.min(...instants) : clock - before
}

/** The first instant of a day. Where clocks change at midnight, a day starts later. */
export function startOfDay(midnight: number, zone: string) {
  const instant = instantAt(midnight, zone)
  if (clockAt(instant, zone) === midnight) return instant
  const { after } = offsetsAround(midnight, zone)
  let [early, late] = [midnight - after, instant]
  while (late - early > 1) {
    const middle = Math.floor((early + late) / 2)
    if (clockAt(middle, zone) >= midnight) late = middle
    else early = middle
  }
  return late
}

function offsetsAround(clock: number, zone: string) {
  const offset = (instant: number) => clockAt(instant, zone) - instant
  return { before: offset(clock - dayLength), after: offset(clock + dayLength) }
}

function clockOf(zone: string) {
  const known = clocks.get(zone)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    era: 'narrow',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  clocks.set(zone, made)
  return made
}
