// A time as filters take it: 2026-06-15T12:00:00Z, 2026-06-15, -2h, yesterday.
import * as z from 'zod'
import { meaningOf } from '../filter/bare-words.ts'
import { isFar } from '../filter/check-value.ts'
import { isDay, isMomentText } from '../filter/days.ts'
import { type Here, momentSpan } from '../filter/moments.ts'

export const pointInTime = z
  .string()
  .trim()
  .refine(
    (text) => read(text) !== undefined,
    'Use a time such as 2026-06-15T12:00:00Z, 2026-06-15, -2h, -30min, +2d or tomorrow',
  )

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
