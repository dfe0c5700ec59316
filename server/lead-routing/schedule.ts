// When a route is open, and the hour, day and month in which a lead counts.

import { addDays, momentText } from '../../contract/filter/days.ts'
import { clockAt, instantAt } from '../../contract/filter/zones.ts'
import { type Schedule, weekdayNames } from '../../contract/lead-routes.ts'

const minutesOf = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3))

export function isOpen({ days, from, to, time_zone }: Schedule, now: Date) {
  const clock = new Date(clockAt(now.getTime(), time_zone))
  const minutes = clock.getUTCHours() * 60 + clock.getUTCMinutes()
  const hasBegun = days.includes(dayName(clock)) && minutes >= minutesOf(from)
  if (minutesOf(from) < minutesOf(to)) return hasBegun && minutes < minutesOf(to)
  const yesterday = dayName(new Date(addDays(clock.getTime(), -1)))
  return hasBegun || (days.includes(yesterday) && minutes < minutesOf(to))
}

/** When it opens next. */
export function opensAt(schedule: Schedule, now: Date): Date {
  const clock = clockAt(now.getTime(), schedule.time_zone)
  const midnight = clock - (clock % 86_400_000)
  for (let i = 0; i <= 7; i++) {
    const day = addDays(midnight, i)
    if (!schedule.days.includes(dayName(new Date(day)))) continue
    const opens = new Date(instantAt(day + minutesOf(schedule.from) * 60_000, schedule.time_zone))
    if (opens > now) return opens
  }
  return new Date(now.getTime() + 86_400_000)
}

const dayName = (clock: Date) => weekdayNames[(clock.getUTCDay() + 6) % 7]!

export type Windows = { hour: string; day: string; month: string }

export function windowsAt(now: Date, time_zone: string): Windows {
  const text = momentText(clockAt(now.getTime(), time_zone))
  return { hour: text.slice(0, 13), day: text.slice(0, 10), month: text.slice(0, 7) }
}
