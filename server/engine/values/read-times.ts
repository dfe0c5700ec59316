// Reads dates and times in values, in the same notation as in filters.

import type { Range } from '../../../contract/filter/bare-words.ts'
import { isDay, isMomentText } from '../../../contract/filter/days.ts'
import { daySpan, type Here, momentSpan } from '../../../contract/filter/moments.ts'
import type { Value } from '../../../contract/filter/tree.ts'

const singleDays = new Set(['today', 'tomorrow', 'yesterday'])
/** Limited to about a thousand years. */
const relative = /^(now|[+-](\d{1,6}(min|h)|\d{1,5}d|\d{1,4}w|\d{1,3}(mo|q|y)))$/
const absolute = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/

/** YYYY-MM-DD, or undefined if the text is not a date. Relative dates need `here`. */
export function dayOf(text: string, here: Here | undefined) {
  if (isDay(text)) return text
  const value = relativeIn(text)
  return value && here && String(daySpan(value, here).gte)
}

/** A time in UTC, or undefined if the text is not a time. A date means its start; a time without a zone is local. */
export function instantOf(text: string, here: Here | undefined) {
  if (absolute.test(text))
    return isMomentText(text.replace(/(\.\d{3})\d+/, '$1')) ? storable(new Date(text)) : undefined
  const value = isDay(text) || isMomentText(text) ? text : relativeIn(text)
  return value && here && storable(new Date(momentSpan(value, here).gte))
}

/** A longer range, such as this_week, is not a single value. */
function relativeIn(text: string): Value | undefined {
  const word = text.toLowerCase()
  if (relative.test(word)) return { relative: word }
  return singleDays.has(word) ? { range: word as Range } : undefined
}

/** A year with five digits could not be returned. */
const storable = (instant: Date) =>
  !Number.isNaN(instant.getTime()) && isDay(instant.toISOString().slice(0, 10)) ? instant.toISOString() : undefined
