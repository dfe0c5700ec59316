// What a bare word, one without quotes, means. Some fields read it differently; see check-value.ts.
import type { Value } from './tree.ts'

export const ranges = [
  'today',
  'yesterday',
  'tomorrow',
  'this_week',
  'last_week',
  'next_week',
  'this_month',
  'last_month',
  'next_month',
  'this_quarter',
  'last_quarter',
  'next_quarter',
  'this_year',
  'last_year',
  'next_year',
  'last_7_days',
  'last_30_days',
  'last_90_days',
  'next_7_days',
  'next_30_days',
] as const
export type Range = (typeof ranges)[number]

/** A time relative to now: `now`, `-14d`, `+2h`. */
export const relativePattern = /^(?:now|[+-]\d{1,6}(?:min|h|d|w|mo|q|y))$/
/** A length of time: `14d`. */
export const durationPattern = /^\d{1,6}(?:min|h|d|w|mo|q|y)$/

const wordPattern = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}_/-]*$/u
const numberPattern = /^-?\d+(?:\.\d+)?$/
const momentPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d)?$/

const scaledPattern = /^(-?\d+(?:\.\d+)?)([km])$/i

/** 10k and 1.5m as numbers. To a field that holds text they are text. */
export function scaledNumber(bare: string): number | undefined {
  const [, digits, letter] = scaledPattern.exec(bare) ?? []
  return letter === undefined ? undefined : Number(`${digits}e${letter.toLowerCase() === 'k' ? 3 : 6}`)
}

/** A plain word, which needs no quotes. */
export const isWord = (bare: string) => wordPattern.test(bare)

/** What a bare word means regardless of the field; undefined if it needs quotes. */
export function meaningOf(bare: string): Value | undefined {
  if (numberPattern.test(bare)) return Number(bare) || 0
  const lower = bare.toLowerCase()
  if (lower === 'true' || lower === 'false') return lower === 'true'
  if (lower === 'me') return { me: true }
  if (relativePattern.test(lower)) return { relative: lower }
  if (isRange(lower)) return { range: lower }
  return isWord(bare) || momentPattern.test(bare) || scaledPattern.test(bare) ? bare : undefined
}

export const isRange = (word: string): word is Range => (ranges as readonly string[]).includes(word)
