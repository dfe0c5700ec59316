// When a route is open, and the hour, day and month in which a lead counts.

import { momentText } from '../../contract/filter/days.ts'
import { clockAt } from '../../contract/filter/zones.ts'
import type { Schedule } from '../../contract/lead-routes.ts'
import { type Weekday, weekdays } from '../../contract/shared/weekdays.ts'
import type { Hours } from '../../contract/working-hours.ts'
import { dayMs } from '../platform/times.ts'
import * as workingTime from '../platform/working-time.ts'
import type { Holidays } from '../working-hours/queries.ts'

export const isOpen = (schedule: Schedule, now: Date, holidays: Holidays) =>
  workingTime.isOpenAt({ hours: hoursOf(schedule, holidays), zone: schedule.time_zone }, now)

/** When it opens next. */
export const opensAt = (schedule: Schedule, now: Date, holidays: Holidays) =>
  workingTime.opensAt({ hours: hoursOf(schedule, holidays), zone: schedule.time_zone }, now) ??
  new Date(now.getTime() + dayMs)

const known = new WeakMap<Schedule, { holidays: Holidays; hours: Hours }>()

/** The same object again for the same schedule, because working hours remember the openings of their days. */
function hoursOf(schedule: Schedule, holidays: Holidays): Hours {
  const before = known.get(schedule)
  if (before?.holidays === holidays) return before.hours
  const days = Object.fromEntries(weekdays.map((day) => [day, openingsOn(schedule, day)])) as Hours['days']
  const hours = { time_zone: schedule.time_zone, days, holidays }
  known.set(schedule, { holidays, hours })
  return hours
}

/** What passes midnight belongs to the day on which it begins, also if that is a holiday: 22:00 to 30:00. */
function openingsOn({ days, from, to }: Schedule, day: Weekday) {
  const until = from < to ? to : `${Number(to.slice(0, 2)) + 24}${to.slice(2)}`
  return days.includes(day) ? [{ from, to: until }] : []
}

export type Windows = { hour: string; day: string; month: string }

export function windowsAt(now: Date, time_zone: string): Windows {
  const text = momentText(clockAt(now.getTime(), time_zone))
  return { hour: text.slice(0, 13), day: text.slice(0, 10), month: text.slice(0, 7) }
}
