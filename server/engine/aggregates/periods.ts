// Days, weeks, months, quarters and years: which one a value is in, and the exact bounds of each. Days are YYYY-MM-DD.
// Periods of times start when a day starts in the company's time zone, by the same rules as in filters.
import type { Period } from '../../../contract/aggregates.ts'
import { addDays, addMonths, dayOf, midnightOf, momentText } from '../../../contract/filter/days.ts'
import type { Condition, Filter } from '../../../contract/filter/index.ts'
import { periodOf, type Weekday, weekdays } from '../../../contract/filter/moments.ts'
import { clockAt, startOfDay } from '../../../contract/filter/zones.ts'

const months = { month: 1, quarter: 3, year: 12 }

const [firstDay, lastDay] = ['0001-01-01', '9999-12-31']

/** Undefined after the last day that can be written. */
export function nextPeriod(day: string, period: Period) {
  const midnight = midnightOf(day)
  const isShort = period === 'day' || period === 'week'
  const next = isShort ? addDays(midnight, period === 'day' ? 1 : 7) : addMonths(midnight, months[period])
  return next > midnightOf(lastDay) ? undefined : dayOf(next)
}

/** Every period from one day to another, at most `most` of them. */
export function periodsBetween(first: string, last: string, period: Period, firstWeekday: Weekday, most: number) {
  const all: string[] = []
  let day: string | undefined = periodOf(first, period, firstWeekday)
  while (day !== undefined && day <= last && all.length < most) {
    all.push(day)
    day = nextPeriod(day, period)
  }
  return all
}

/** 2026-03-05, 2026-03 or 2026-Q1. A week is known by its first day. */
export function periodLabel(day: string, period: Period) {
  if (period === 'quarter') return `${day.slice(0, 4)}-Q${Math.ceil(Number(day.slice(5, 7)) / 3)}`
  return period === 'month' ? day.slice(0, 7) : period === 'year' ? day.slice(0, 4) : day
}

/** The first day of the period that the day in `value` is in, as SQL. */
export function periodSql(value: string, period: Period, firstWeekday: Weekday) {
  if (period === 'day') return value
  if (period === 'month') return `left(${value}, 7) || '-01'`
  if (period === 'year') return `left(${value}, 4) || '-01-01'`
  const date = `(${value})::date`
  if (period === 'quarter') return `date_trunc('quarter', ${date})::date::text`
  return `(${date} - (extract(dow from ${date})::int - ${weekdays[firstWeekday]} + 7) % 7)::text`
}

/** The instant at which a day starts. */
export const instantOf = (day: string, zone: string) => startOfDay(midnightOf(day), zone)

/** The condition for the values of a period. Times have exact bounds, which mean the same in every time zone. */
export function periodFilter(field: string, day: string, period: Period, zone: string | undefined): Filter {
  if (period === 'day' && zone === undefined) return { field, op: 'eq', value: day }
  return daysFilter(field, day, nextPeriod(day, period), zone)
}

/** The condition for the values from a day until before another. */
export function daysFilter(field: string, day: string, next: string | undefined, zone: string | undefined): Filter {
  const bound = (at: string) => (zone === undefined ? at : withOffset(instantOf(at, zone), zone))
  const bounds: Condition[] = []
  if (bound(day) >= firstDay) bounds.push({ field, op: 'gte', value: bound(day) })
  if (next) bounds.push({ field, op: 'lt', value: bound(next) })
  return { and: bounds }
}

/** 2026-03-29T00:00:00+01:00 */
function withOffset(instant: number, zone: string) {
  const offset = clockAt(instant, zone) - instant
  const minutes = Math.abs(offset) / 60_000
  const text = momentText(instant + offset)
  if (!Number.isInteger(minutes) || !/^\d{4}-/.test(text)) return momentText(instant)
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0'))
  return `${text.slice(0, 19)}${offset < 0 ? '-' : '+'}${hours}:${rest}`
}
