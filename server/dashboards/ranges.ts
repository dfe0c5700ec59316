// The days of a range, in the time zone of the company, in which the periods of charts start, too.

import { addDays, addMonths, dayOf, midnightOf } from '../../contract/filter/days.ts'
import { type Filter, print, type Range } from '../../contract/filter/index.ts'
import { daySpan } from '../../contract/filter/moments.ts'
import { readDays } from '../../contract/shared/widget.ts'
import { daysFilter } from '../engine/aggregates/periods.ts'
import type { ScopedField } from '../engine/rights/scope.ts'
import type { Schema } from '../engine/schema/schema.ts'
import { dayMs } from '../platform/times.ts'

/** Both included. */
export type Days = { first: string; last: string }

export function daysOf(range: string, { time_zone, first_weekday }: Schema, now: Date): Days {
  const exact = readDays(range)
  if (exact) return exact
  const span = daySpan({ range: range as Range }, { now, timeZone: time_zone, firstWeekday: first_weekday })
  return { first: span.gte, last: 'lte' in span ? span.lte : span.lt }
}

const months: Record<string, number> = { month: 1, quarter: 3, year: 12 }

/** As long as the range, and ends where it starts: before a month comes a whole month, whatever its length. */
export function daysBefore(range: string, { first, last }: Days): Days {
  const unit = readDays(range) ? undefined : range.split('_')[1]
  const start = midnightOf(first)
  const length = Math.round((midnightOf(last) - start) / dayMs) + 1
  const before = unit && months[unit] ? addMonths(start, -months[unit]) : addDays(start, -length)
  return { first: dayOf(before), last: dayOf(addDays(start, -1)) }
}

/** From the first day of this month to the end of the last of `count` months. */
export function comingMonths(count: number, schema: Schema, now: Date): Days {
  const { first } = daysOf('this_month', schema, now)
  return { first, last: dayOf(addDays(addMonths(midnightOf(first), count), -1)) }
}

/** The condition for the values within these days. Times have exact bounds, so that it means the same to everyone. */
export function daysText({ key, type }: Pick<ScopedField, 'key' | 'type'>, { first, last }: Days, zone: string) {
  const filter: Filter = daysFilter(
    key,
    first,
    dayOf(addDays(midnightOf(last), 1)),
    type === 'datetime' ? zone : undefined,
  )
  return print(filter)
}
