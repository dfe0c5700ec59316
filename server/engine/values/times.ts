// Days and times as callers write them: what stands for one in a filter does so in a value.
import { isDay, isMomentText } from '../../../contract/filter/days.ts'
import { daySpan, type Here, momentSpan } from '../../../contract/filter/moments.ts'
import type { Value } from '../../../contract/filter/tree.ts'
import type { Range } from '../../../contract/filter/words.ts'

const singleDays = new Set(['today', 'tomorrow', 'yesterday'])
/** Within a thousand years. */
const relative = /^(now|[+-](\d{1,6}(min|h)|\d{1,5}d|\d{1,4}w|\d{1,3}(mo|q|y)))$/
const absolute = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/

/** YYYY-MM-DD; nothing where the text is no day. Without `here` only a day that is written out is one. */
export function dayOf(text: string, here: Here | undefined) {
  if (isDay(text)) return text
  const meant = relativeIn(text)
  return meant && here && String(daySpan(meant, here).gte)
}

/** An instant in UTC; nothing where the text is none. A day means its start, a time without a zone that time here. */
export function instantOf(text: string, here: Here | undefined) {
  if (absolute.test(text)) return isDay(text.slice(0, 10)) ? storable(new Date(text)) : undefined
  const meant = isDay(text) || isMomentText(text) ? text : relativeIn(text)
  return meant && here && storable(new Date(momentSpan(meant, here).gte))
}

/** A longer stretch, such as this_week, is no single value. */
function relativeIn(text: string): Value | undefined {
  const word = text.toLowerCase()
  if (relative.test(word)) return { relative: word }
  return singleDays.has(word) ? { range: word as Range } : undefined
}

/** A year of five digits could not be sent back. */
const storable = (instant: Date) =>
  !Number.isNaN(instant.getTime()) && isDay(instant.toISOString().slice(0, 10)) ? instant.toISOString() : undefined
