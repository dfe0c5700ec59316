// Days as people type them, in the manner of their language.
import { isDay } from '../../../contract/filter/days.ts'
import { cutMarkRuns } from '../../../contract/filter/limits.ts'
import { dayOf } from './moments.ts'
import { withLatinDigits } from './numbers.ts'
import { readRelativeDay, readWeekday } from './relative-days.ts'

type Part = 'day' | 'month' | 'year'
const written: Record<Part, string> = { day: 'DD', month: 'MM', year: 'YYYY' }
const isPart = (type: string): type is Part => type in written

export type Manner = ReturnType<typeof mannerOf>

/** How a language writes days: in which order, with what between, what its months are called. */
function mannerOf(language: string) {
  const inDigits = { day: '2-digit', month: '2-digit', year: 'numeric' } as const
  const all = partsIn(language, inDigits, 0)
  const format = all
    .map(({ type, value }) => (isPart(type) ? written[type] : value.replace(/[^\d\s./-]/g, '')))
    .join('')
  return {
    language,
    format: format.trim(),
    parts: all.map(({ type }) => type).filter(isPart),
    hasDots: all.some(({ type, value }) => type === 'literal' && value.includes('.')),
    months: namesIn(language),
    fillers: fillersIn(language),
  }
}

const known = new Map<string, Manner>()

export function mannerIn(language: string): Manner {
  const manner = known.get(language) ?? mannerOf(language)
  known.set(language, manner)
  return manner
}

const partsIn = (language: string, settings: Intl.DateTimeFormatOptions, month: number) =>
  new Intl.DateTimeFormat(`${language}-u-nu-latn`, { calendar: 'gregory', ...settings }).formatToParts(
    new Date(2026, month, 15),
  )

const ways: Intl.DateTimeFormatOptions[] = (['long', 'short'] as const).flatMap((month) => [
  { month },
  { month, day: 'numeric', year: 'numeric' },
])

function namesIn(language: string) {
  const names = ways.flatMap((way) =>
    Array.from({ length: 12 }, (_, month) => ({
      month: month + 1,
      name: plain(partsIn(language, way, month).find(({ type }) => type === 'month')?.value ?? ''),
    })),
  )
  // Where a month is called by its number, the number is enough.
  return names.filter(({ name }) => /^\p{L}[^\d]*$/u.test(name)).sort((a, b) => b.name.length - a.name.length)
}

/** The words between: "de" in Spanish, 年 in Chinese. */
function fillersIn(language: string) {
  const shown: Intl.DateTimeFormatOptions[] = [{ dateStyle: 'medium' }, { dateStyle: 'long' }, ...ways]
  const between = shown.flatMap((way) => partsIn(language, way, 1).filter(({ type }) => type === 'literal'))
  const ofMonths = partsIn(language, { month: 'short' }, 1).map(({ value }) => value)
  return new Set([...between.map(({ value }) => value), ...ofMonths].flatMap((text) => wordsOf(plain(text))))
}

const plain = (text: string) => withLatinDigits(cutMarkRuns(text)).toLowerCase().replace(/[.॰]$/, '')
const wordsOf = (text: string) => text.match(/[\p{L}\p{M}]+/gu) ?? []

/**
 * 1980-02-03 in every language; else in digits in the order of this one, or with the name of the month, or as people say
 * it: "tomorrow". A year that is left out is this one. Nothing for all that could mean two things, or none.
 */
export function readDay(typed: string, manner: Manner, today = dayOf(Date.now())): string | null {
  return readRelativeDay(typed, manner.language, today) ?? readAfterWeekday(typed.trim(), manner, today)
}

/** "Fri, Dec 4, 2026": the weekday must be that of the day. */
function readAfterWeekday(typed: string, manner: Manner, today: string) {
  const [, word = '', rest = ''] = /^([^\s\d,]{2,})[\s,]+(.*\d.*)$/su.exec(typed) ?? []
  const weekday = word === '' ? undefined : readWeekday(word, manner.language)
  const whole = readWritten(typed, manner, today)
  if (whole !== null || weekday === undefined) return whole
  const day = readWritten(rest, manner, today)
  return day !== null && new Date(day).getUTCDay() === weekday ? day : null
}

function readWritten(typed: string, manner: Manner, today: string): string | null {
  const text = plain(typed)
    .replaceAll('॰', ' ')
    .replace(/(\d)(st|nd|rd|th|er)\b/g, '$1')
  const named = takeMonth(text, manner)
  const rest = named?.rest ?? text
  const isClean = wordsOf(rest).every((word) => manner.fillers.has(word)) && !/[^\p{L}\p{M}\d\s.,/'’׳-]/u.test(rest)
  const numbers = rest.match(/\d+/g) ?? []
  if (!isClean || numbers.some((number) => number.length > 4)) return null
  const read = named ? besideMonth(numbers, manner) : inDigits(numbers, rest, manner)
  if (!read) return null
  const { day, month = named?.month, year } = read
  return joined(year, Number(month), Number(day), Number(today.slice(0, 4)))
}

type Read = { day: string; month?: string; year?: string | undefined }

type Named = { month: number; name: string }

/** In the words of the language, else in English. */
const takeMonth = (text: string, { months }: Manner) => takeNamed(text, months) ?? takeNamed(text, englishMonths())

/** The name as it is written, or the first letters of it, as far as only one month begins so. */
function takeNamed(text: string, months: Named[]) {
  const begun = wordsOf(text).find((word) => word.length > 2 && months.some(({ name }) => name.startsWith(word)))
  const meant = new Set(months.filter(({ name }) => begun && name.startsWith(begun)).map(({ month }) => month))
  if (begun && meant.size === 1) return { month: [...meant][0]!, rest: text.replace(begun, ' ') }
  const whole = months.find(({ name }) => text.includes(name))
  return whole && { month: whole.month, rest: text.replace(whole.name, ' ') }
}

const englishMonths = () => mannerIn('en').months

function besideMonth(numbers: string[], { parts }: Manner): Read | undefined {
  const [first = '', second] = numbers
  if (numbers.length === 0 || numbers.length > 2) return undefined
  if (second === undefined) return { day: first }
  const isYearFirst = first.length > 2 || (second.length < 3 && parts.indexOf('year') < parts.indexOf('day'))
  return isYearFirst ? { day: second, year: first } : { day: first, year: second }
}

function inDigits(numbers: string[], text: string, { parts, hasDots }: Manner): Read | undefined {
  const [first = '', second = '', third] = numbers
  if (numbers.length < 2 || numbers.length > 3) return undefined
  if (first.length === 4) return third ? { year: first, month: second, day: third } : undefined
  const order = third ? parts : parts.filter((part) => part !== 'year')
  const read = Object.fromEntries(order.map((part, i) => [part, numbers[i]!])) as Read
  const isMonthFirst = parts.indexOf('month') < parts.indexOf('day')
  if (!/\d\.\s*\d/.test(text) || hasDots || !isMonthFirst) return read
  // Who writes dots mostly means the day first, and this language the month: only what can be one of them is read.
  const isDayFirst = Number(first) > 12
  if (!isDayFirst && Number(second) <= 12 && Number(first) !== Number(second)) return undefined
  return isDayFirst ? { day: first, month: second, year: third } : read
}

/** Two digits are a year near this one, and never a guess of the century. */
function joined(given: string | undefined, month: number, day: number, now: number) {
  const year = given === undefined ? now : given.length === 2 ? 2000 + Number(given) : Number(given)
  if (given !== undefined && given.length !== 4 && (given.length !== 2 || Math.abs(year - now) > 20)) return null
  const whole = `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
  return isDay(whole) ? whole : null
}
