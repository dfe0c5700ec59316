// A time as filters take it: 2026-06-15T12:00:00Z, 2026-06-15, -2h, yesterday.
import * as z from 'zod'
import { meaningOf } from '../filter/bare-words.ts'
import { isFar } from '../filter/check-value.ts'
import { isDay, isMomentText } from '../filter/days.ts'
import { daySpan, type Here, momentSpan } from '../filter/moments.ts'

export const pointInTime = z
  .string()
  .trim()
  .refine(
    (text) => read(text) !== undefined,
    'Use a time such as 2026-06-15T12:00:00Z, 2026-06-15, -2h, -30min, +2d or tomorrow',
  )

/** A time in the future. A date without a time would mean midnight. */
export const futureTime = pointInTime.refine(
  (text) => /^\+|\dT/.test(text),
  'Use a time such as 2026-11-17T09:00:00Z, 2026-11-17T09:00 or +2d',
)

/** Days as filters take them: 2026-06-15, -30d, last_month. */
export const givenDays = z
  .string()
  .trim()
  .refine((text) => {
    const value = read(text)
    return typeof value === 'string' ? isDay(value) : value !== undefined
  }, 'Use a date such as 2026-06-15, -30d, yesterday or last_month')

/** The first and last day. */
export function daysOf(text: string, here: Here) {
  const span = daySpan(read(text)!, here)
  return { first: span.gte, last: 'lte' in span ? span.lte : span.lt }
}

/** The start of a day or range. */
export const startOf = (text: string, here: Here) => momentSpan(read(text)!, here).gte

const longest = 40

function read(text: string) {
  if (text.length > longest) return undefined
  const value = meaningOf(text)
  if (typeof value === 'string') return isDay(value) || isMomentText(value) ? value : undefined
  if (typeof value !== 'object' || 'me' in value) return undefined
  return 'relative' in value && isFar(value.relative) ? undefined : value
}
