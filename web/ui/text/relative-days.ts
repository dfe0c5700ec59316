// Days and times as people say them: "tomorrow", "next Friday", "in 3 weeks". In English, and in the words that Intl has
// for a language. A phrase with two meanings, such as the Hindi word for both tomorrow and yesterday, is never read.
import { addDays, addMonths, dayOf, midnightOf } from '../../../contract/filter/days.ts'
import { fold } from '../../../contract/filter/fold.ts'
import { firstWeekday } from './moments.ts'
import { withLatinDigits } from './numbers.ts'

const units = ['minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'] as const
type Unit = (typeof units)[number]
/** `isStart`: the first day of that unit, as in "next month", and not the same day in it. */
type Step = { unit: Unit; count: number; isStart?: true }
type Weekday = { name: string; weekday: number }
type Phrases = { fixed: Map<string, Step | null>; counted: Map<string, Step | null>; weekdays: Weekday[] }

const known = new Map<string, Phrases>()

function phrasesIn(language: string): Phrases {
  const phrases = known.get(language) ?? phrasesOf(language)
  known.set(language, phrases)
  return phrases
}

/** Enough to meet every plural form of a language. */
const counts = [1, 2, 3, 5, 11, 21]

function phrasesOf(language: string): Phrases {
  const fixed = new Map<string, Step | null>()
  const counted = new Map<string, Step | null>()
  const locale = `${language}-u-nu-latn`
  for (const style of ['long', 'short', 'narrow'] as const) {
    const always = new Intl.RelativeTimeFormat(locale, { numeric: 'always', style })
    const auto = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style })
    for (const unit of units) {
      for (const count of counts.flatMap((n) => [n, -n])) {
        const parts = always.formatToParts(count, unit)
        const hasNumber = parts.some(({ type }) => type === 'integer')
        const text = parts.map(({ type, value }) => (type === 'integer' ? '#' : value)).join('')
        if (hasNumber) put(counted, text, { unit, count: Math.sign(count) })
        else put(fixed, text, { unit, count })
      }
      for (const count of unit === 'day' ? [-2, -1, 0, 1, 2] : [1]) {
        const parts = auto.formatToParts(count, unit)
        if (parts.some(({ type }) => type === 'integer')) continue
        const isStart = unit !== 'day' && unit !== 'hour' && unit !== 'minute'
        put(fixed, parts.map(({ value }) => value).join(''), { unit, count, ...(isStart && { isStart }) })
      }
    }
  }
  return { fixed, counted, weekdays: weekdaysIn(language) }
}

function put(phrases: Map<string, Step | null>, text: string, step: Step) {
  const key = squeezed(text)
  const other = phrases.get(key)
  const isOther = other && (other.unit !== step.unit || other.count !== step.count)
  phrases.set(key, isOther || other === null ? null : step)
}

/** Without case, accents, blanks and marks. */
const squeezed = (text: string) =>
  fold(withLatinDigits(text))
    .replace(/-(?!#)/g, '')
    .replace(/[^\p{L}\p{M}#+-]/gu, '')

function weekdaysIn(language: string): Weekday[] {
  const styles = ['long', 'short'] as const
  return styles.flatMap((weekday) => {
    const format = new Intl.DateTimeFormat(language, { weekday, timeZone: 'UTC' })
    // The 4th of January 1970 was a Sunday.
    return Array.from({ length: 7 }, (_, day) => ({
      weekday: day,
      name: squeezed(format.format(addDays(0, 3 + day))),
    }))
  })
}

/** The day of the week that a word names: in whole, in short, or by its first letters if only one begins so. */
export function readWeekday(word: string, language: string): number | undefined {
  const wanted = squeezed(word)
  for (const names of [phrasesIn(language).weekdays, phrasesIn('en').weekdays]) {
    const exact = names.find(({ name }) => name === wanted)
    if (exact) return exact.weekday
    const begun = wanted.length > 2 ? names.filter(({ name }) => name.startsWith(wanted)) : []
    if (new Set(begun.map(({ weekday }) => weekday)).size === 1) return begun[0]!.weekday
  }
  return undefined
}

/** Whether a word is the whole name of a day of the week: shorter ones can be names of people, such as Mo. */
export const isWholeWeekday = (word: string, language: string) =>
  [language, 'en'].some((one) => phrasesIn(one).weekdays.some(({ name }, i) => i < 7 && name === squeezed(word)))

/** `-14d`, `+3w`, as in filters. */
const shorthand = /^([+-])(\d{1,4})(min|h|d|w|mo|q|y)$/
const shortUnits: Record<string, Unit> = {
  min: 'minute',
  h: 'hour',
  d: 'day',
  w: 'week',
  mo: 'month',
  q: 'quarter',
  y: 'year',
}

function readStep(typed: string, language: string): Step | undefined {
  const short = shorthand.exec(typed.toLowerCase())
  if (short) return { unit: shortUnits[short[3]!]!, count: Number(short[1] + short[2]!) }
  const text = withLatinDigits(typed)
    .toLowerCase()
    .replace(/\b(an?|one)\b/g, '1')
    .replace(/^(\d+ \p{L}+) from (now|today)$/u, 'in $1')
  const numbers = text.match(/\d+/g) ?? []
  if (numbers.length > 1 || (numbers[0] ?? '').length > 4) return undefined
  const key = squeezed(text.replace(/\d+/, '#'))
  for (const { fixed, counted } of [phrasesIn(language), phrasesIn('en')]) {
    const step = (numbers.length ? counted : fixed).get(key)
    if (step === null) return undefined
    if (step) return numbers.length ? { ...step, count: step.count * Number(numbers[0]) } : step
  }
  return key in alsoSaid ? { unit: 'day', count: alsoSaid[key]! } : undefined
}

const alsoSaid: Record<string, number> = { tmrw: 1, tmr: 1, dayaftertomorrow: 2, thedayaftertomorrow: 2 }

/** A day said from today, which is given as 2026-06-15. Nothing for what names no single day. */
export function readRelativeDay(typed: string, language: string, today: string): string | null {
  const text = typed.trim()
  const step = readStep(text, language)
  if (step) return step.unit === 'hour' || step.unit === 'minute' ? null : dayAfter(step, today)
  return readEnd(text.toLowerCase(), today) ?? readNamed(text, language, today)
}

/** A time some minutes or hours from now, on the clock: 2026-06-15 14:30:00. */
export function readRelativeTime(typed: string, language: string, now: string): string | null {
  const step = /^now$/i.test(typed.trim()) ? { unit: 'minute' as const, count: 0 } : readStep(typed.trim(), language)
  if (step?.unit !== 'hour' && step?.unit !== 'minute') return null
  const moved = Date.parse(`${now.replace(' ', 'T')}Z`) + step.count * (step.unit === 'hour' ? 3_600_000 : 60_000)
  return new Date(moved).toISOString().slice(0, 16).replace('T', ' ').concat(':00')
}

const months = { month: 1, quarter: 3, year: 12 } as const

function dayAfter({ unit, count, isStart }: Step, today: string) {
  const now = midnightOf(today)
  if (unit === 'day') return dayOf(addDays(now, count))
  if (unit === 'week') return dayOf(addDays(isStart ? startOfWeek(now) : now, 7 * count))
  const length = months[unit as keyof typeof months]
  return dayOf(addMonths(isStart ? startOfUnit(now, length) : now, length * count))
}

const startOfWeek = (day: number) => addDays(day, -((new Date(day).getUTCDay() - firstWeekday() + 7) % 7))

function startOfUnit(day: number, length: number) {
  const start = new Date(day)
  start.setUTCDate(1)
  start.setUTCMonth(Math.floor(start.getUTCMonth() / length) * length)
  return start.getTime()
}

/** "end of month", "end of next quarter", "eoy". The end of a week is a Friday to some and a Sunday to others. */
function readEnd(text: string, today: string) {
  const [, next, unit] = /^(?:the )?end of (?:the |this )?(next )?(month|quarter|year)$/.exec(text) ?? []
  const short = { eom: 'month', eoq: 'quarter', eoy: 'year' }[text]
  const length = months[(unit ?? short) as keyof typeof months]
  if (!length) return undefined
  return dayOf(addDays(addMonths(startOfUnit(midnightOf(today), length), length * (next ? 2 : 1)), -1))
}

/** "friday" is the next one, "next friday" that of next week, "last friday" the one before today. */
function readNamed(text: string, language: string, today: string) {
  const [, before, name] = /^(?:(next|this|coming|last|on)\s+)?([^\s\d]+)$/iu.exec(text) ?? []
  const weekday = name === undefined ? undefined : readWeekday(name, language)
  if (weekday === undefined) return null
  const now = midnightOf(today)
  const ahead = (weekday - new Date(now).getUTCDay() + 7) % 7 || 7
  const which = before?.toLowerCase()
  if (which === 'last') return dayOf(addDays(now, ahead - 7 === 0 ? -7 : ahead - 7))
  if (which !== 'next') return dayOf(addDays(now, ahead))
  const monday = addDays(startOfWeek(now), 7)
  return dayOf(addDays(monday, (weekday - firstWeekday() + 7) % 7))
}
