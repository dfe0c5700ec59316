// Time during working hours. Where clocks change, an opening begins and ends at the first instant at which clocks show its
// times; a skipped time is moved forward.

import { addDays, dayOf } from '../../contract/filter/days.ts'
import { clockAt, instantAt } from '../../contract/filter/zones.ts'
import { weekdays } from '../../contract/shared/weekdays.ts'
import type { Hours } from '../../contract/working-hours.ts'
import { dayMs } from './times.ts'

/** `hours` null: always open. */
export type Schedule = { hours: Hours | null; zone: string }

/** Hours that are closed for years are never open. */
const mostDays = 3660

/** In milliseconds. */
export function workingTimeBetween(schedule: Schedule, from: Date, to: Date): number {
  const [start, end] = [from.getTime(), to.getTime()]
  if (end <= start) return 0
  if (!schedule.hours) return end - start
  let sum = 0
  for (const [opens, closes] of openings(schedule, start)) {
    if (opens >= end) break
    sum += Math.max(0, Math.min(closes, end) - Math.max(opens, start))
  }
  return sum
}

/** The first instant at which so much working time has passed. Null: it never does. */
export function addWorkingTime(schedule: Schedule, from: Date, milliseconds: number): Date | null {
  const start = from.getTime()
  if (!schedule.hours || milliseconds <= 0) return new Date(start + Math.max(0, milliseconds))
  let left = milliseconds
  for (const [opens, closes] of openings(schedule, start)) {
    const begin = Math.max(opens, start)
    if (closes <= begin) continue
    if (closes - begin >= left) return new Date(begin + left)
    left -= closes - begin
  }
  return null
}

export function isOpenAt(schedule: Schedule, at: Date): boolean {
  return opensAt(schedule, at)?.getTime() === at.getTime()
}

/** The instant itself if it is open then. Null: it never opens. */
export function opensAt(schedule: Schedule, at: Date): Date | null {
  if (!schedule.hours) return at
  const now = at.getTime()
  for (const [opens, closes] of openings(schedule, now)) if (now < closes) return new Date(Math.max(opens, now))
  return null
}

type Interval = [opens: number, closes: number]

/** In order and without overlaps, from the day before an instant on. */
function* openings({ hours, zone }: Schedule, from: number): Generator<Interval> {
  const clock = clockAt(from, zone)
  const first = addDays(clock - (((clock % dayMs) + dayMs) % dayMs), -1)
  let last = Number.NEGATIVE_INFINITY
  for (let i = 0; i < mostDays; i++)
    for (const [opens, closes] of openingsOn(hours!, zone, addDays(first, i))) {
      const begin = Math.max(opens, last)
      if (closes <= begin) continue
      last = closes
      yield [begin, closes]
    }
}

const known = new WeakMap<Hours, Map<string, Interval[]>>()

function openingsOn(hours: Hours, zone: string, midnight: number): Interval[] {
  const days = known.get(hours) ?? new Map<string, Interval[]>()
  known.set(hours, days)
  const key = `${midnight} ${zone}`
  const cached = days.get(key)
  if (cached) return cached
  const isHoliday = hours.holidays.some(({ day }) => day === dayOf(midnight))
  const weekday = weekdays[(new Date(midnight).getUTCDay() + 6) % 7]!
  const made = (isHoliday ? [] : hours.days[weekday]).map(
    ({ from, to }): Interval => [instantAt(midnight + clockOf(from), zone), instantAt(midnight + clockOf(to), zone)],
  )
  days.set(key, made)
  return made
}

const clockOf = (text: string) => (Number(text.slice(0, 2)) * 60 + Number(text.slice(3))) * 60_000
