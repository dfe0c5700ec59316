// Periods and ranges in words.
import type { Period } from '../../../contract/aggregates.ts'
import { type Range, ranges } from '../../../contract/filter/bare-words.ts'
import { dateFormat } from '../../../contract/shared/date-format.ts'
import { readDays } from '../../../contract/shared/widget.ts'
import { asDate } from '../../records/data/value-text.ts'
import { timeLanguage } from '../../ui/text/moments.ts'

const format = (day: string, options: Intl.DateTimeFormatOptions) =>
  dateFormat(timeLanguage(), { ...options, timeZone: 'UTC' }).format(new Date(day))

/** The first day of a period as the name of the period. */
export function asPeriod(day: string, period: Period) {
  if (Number.isNaN(Date.parse(day))) return day
  if (period === 'month') return format(day, { month: 'short', year: 'numeric' })
  if (period === 'year') return day.slice(0, 4)
  if (period === 'quarter') return `Q${Math.floor(Number(day.slice(5, 7)) / 3) + 1} ${day.slice(0, 4)}`
  return format(day, { month: 'short', day: 'numeric' })
}

/** Those that a dashboard is usually about; the others are for close dates and tasks. */
const usual: Range[] = [
  ...(['today', 'yesterday', 'last_7_days', 'last_30_days', 'last_90_days'] as const),
  ...(['this_week', 'last_week', 'this_month', 'last_month'] as const),
  ...(['this_quarter', 'last_quarter', 'this_year', 'last_year'] as const),
]
export const orderedRanges = [...usual, ...ranges.filter((range) => !usual.includes(range))]

export function nameOfRange(range: string) {
  const days = readDays(range)
  if (days) return `${asDate(days.first)} – ${asDate(days.last)}`
  const words = range.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export const daysInWords = (first: string, last: string) =>
  first === last ? asDate(first) : `${asDate(first)} – ${asDate(last)}`
