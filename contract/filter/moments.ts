// Converts days, ranges and relative times to intervals, for the current time and the caller's time zone.

import type { Range } from './bare-words.ts'
import { addDays, addMonths, dayOf, isDay, midnightOf, momentText, readMoment } from './days.ts'
import type { Value } from './tree.ts'
import { clockAt, instantAt, startOfDay } from './zones.ts'

/** The days a week can start on, as JavaScript numbers them. */
export const weekdays = { monday: 1, saturday: 6, sunday: 0 } as const
export type Weekday = keyof typeof weekdays

export type Here = {
  now: Date
  /** IANA name, such as Europe/Berlin. */
  timeZone: string
  firstWeekday: Weekday
}

/** An interval of comparable values. A missing bound means no limit on that side. */
export type Interval<T extends string | number = string | number> = { gt?: T; gte?: T; lt?: T; lte?: T }

/** The interval that equals a value: a day, for instance, lasts from its start to its end. */
export type Span<T extends string | number = string | number> = { gte: T; lte: T } | { gte: T; lt: T }

/** For date fields: days, both ends included. */
export function daySpan(value: Value, here: Here): Span<string> {
  if (typeof value === 'string') return { gte: value, lte: value }
  const { first, last } = daysOf(value, here)
  return { gte: dayOf(first), lte: dayOf(last) }
}

/** For datetime fields: a time is a point; a day or range is everything within it. */
export function momentSpan(value: Value, here: Here): Span<string> {
  if (typeof value === 'object' && 'relative' in value) return point(relativeInstant(value.relative, here))
  const moment = typeof value === 'string' ? readMoment(value) : undefined
  if (moment) {
    const { clock, offset } = moment
    return point(offset === undefined ? instantAt(clock, here.timeZone) : clock - offset)
  }
  const { first, last } = daysOf(value, here)
  const [start, end] = [first, addDays(last, 1)].map((midnight) => momentText(startOfDay(midnight, here.timeZone)))
  return { gte: start!, lt: end! }
}

function point(instant: number) {
  const text = momentText(instant)
  return { gte: text, lte: text }
}

/** The first and last day, each as the clock time of its midnight. */
function daysOf(value: Value, here: Here) {
  if (typeof value === 'string' && isDay(value)) return { first: midnightOf(value), last: midnightOf(value) }
  if (typeof value === 'object' && 'range' in value) return rangeDays(value.range, here)
  if (typeof value !== 'object' || !('relative' in value)) throw new TypeError('not a date or time')
  const day = midnight(clockAt(relativeInstant(value.relative, here), here.timeZone))
  return { first: day, last: day }
}

const midnight = (clock: number) => midnightOf(dayOf(clock))

/** Hours and minutes are exact. Days and longer units keep the time of day across clock changes. */
function relativeInstant(relative: string, { now, timeZone }: Here) {
  const [, sign, digits, unit] = /^([+-])(\d+)([a-z]+)$/.exec(relative) ?? []
  if (!unit) return now.getTime()
  const amount = Number(`${sign}${digits}`)
  if (unit === 'min') return now.getTime() + amount * 60_000
  if (unit === 'h') return now.getTime() + amount * 3_600_000
  const clock = clockAt(now.getTime(), timeZone)
  if (unit === 'd' || unit === 'w') return instantAt(addDays(clock, unit === 'w' ? amount * 7 : amount), timeZone)
  const months = { mo: 1, q: 3, y: 12 }[unit]!
  return instantAt(addMonths(clock, amount * months), timeZone)
}

const near: Record<string, number> = { last: -1, this: 0, next: 1, yesterday: -1, today: 0, tomorrow: 1 }

function rangeDays(range: Range, here: Here) {
  const today = midnight(clockAt(here.now.getTime(), here.timeZone))
  const [when, unit, days] = range.split('_') as [string, string?, string?]
  const step = near[when]!
  // last_7_days ends today and next_7_days starts today; both include it.
  if (days) return step < 0 ? stretch(addDays(today, 1 - Number(unit)), Number(unit)) : stretch(today, Number(unit))
  if (!unit) return stretch(addDays(today, step), 1)
  if (unit === 'week') return stretch(addDays(startOfWeek(today, here.firstWeekday), 7 * step), 7)
  const { start, months } = calendarUnit(today, unit)
  const first = addMonths(start, months * step)
  return { first, last: addDays(addMonths(first, months), -1) }
}

const stretch = (first: number, days: number) => ({ first, last: addDays(first, days - 1) })

/** The first day, as YYYY-MM-DD, of the period that a day is in. */
export function periodOf(day: string, period: 'day' | 'week' | 'month' | 'quarter' | 'year', firstWeekday: Weekday) {
  if (period === 'day') return day
  if (period === 'week') return dayOf(startOfWeek(midnightOf(day), firstWeekday))
  return dayOf(calendarUnit(midnightOf(day), period).start)
}

function startOfWeek(day: number, firstWeekday: Weekday) {
  return addDays(day, -((new Date(day).getUTCDay() - weekdays[firstWeekday] + 7) % 7))
}

function calendarUnit(day: number, unit: string) {
  const months = { month: 1, quarter: 3, year: 12 }[unit]!
  const start = new Date(day)
  start.setUTCDate(1)
  start.setUTCMonth(Math.floor(start.getUTCMonth() / months) * months)
  return { start: start.getTime(), months }
}
