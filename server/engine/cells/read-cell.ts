// Cells as the values that the API accepts. What is read here is checked once more, like any other input.
import type { CsvFormat, readTypes } from '../../../contract/csv.ts'
import { isDay, isMomentText } from '../../../contract/filter/days.ts'
import { fold } from '../../../contract/filter/index.ts'
import type { DealStatus } from '../built-in/deals/stage.ts'
import type { Field, Schema } from '../schema/schema.ts'
import { findOption } from '../values/read-values.ts'
import { hasNoYear, isNoDate, readClock, readDate, readTime } from './read-date.ts'

/** Thrown with what to write instead. */
export class UnreadableCell extends Error {}

export type CellReading = {
  format: CsvFormat
  /** Amounts without a currency, or with its symbol, are in this one. */
  currency: string
  symbol: string | undefined
  year: number
}
export const readingOf = (
  format: CsvFormat,
  { currency, language }: Pick<Schema, 'currency' | 'language'>,
  now: Date,
): CellReading => ({ format, currency, symbol: symbolOf(currency, language), year: now.getUTCFullYear() })

const symbolOf = (currency: string, language: string) =>
  new Intl.NumberFormat(language, { style: 'currency', currency, currencyDisplay: 'narrowSymbol' })
    .formatToParts(1)
    .find(({ type }) => type === 'currency')?.value

type CellField = Pick<Field, 'type' | 'is_multi' | 'options'>

export function readCell(field: CellField, cell: string, reading: CellReading): unknown {
  if (field.type === 'multi_select')
    return listIn(field, cell).flatMap((text) => (isOfSystem(text) ? [] : single(field.type, text, reading)))
  if (field.is_multi) return listIn(field, cell).map((text) => single(field.type, text, reading))
  return single(field.type, cell, reading)
}

/** Google gives every contact the label "* myContacts", or "myContacts" in a vCard, and others "* otherContacts". */
const isOfSystem = (text: string) => text.startsWith('* ') || text === '*' || /^(my|other)contacts$/i.test(text)

/** Separated by semicolons or line breaks, as Google separates them, or a list in JSON. */
function listIn(field: CellField, cell: string): string[] {
  const listed = cell.startsWith('[') ? jsonList(cell) : undefined
  if (listed) return listed
  if (cell.includes(' ::: ')) return split(cell, / ::: /)
  const parts = split(cell, /[;\n]/)
  if (parts.length > 1) return parts
  const isOption = field.type === 'multi_select' && findOption(field, cell.trim())
  if (isOption) return parts
  const byCommas = split(cell, /,/)
  return commaSeparated.has(field.type) || byCommas.every(isDomain) ? byCommas : parts
}

const isDomain = (text: string) => /^[^\s.]+(\.[^\s.]+)+$/.test(text)

/** In other types a comma may be part of a value, such as in "Acme, Inc." */
const commaSeparated = new Set(['email', 'phone', 'multi_select'])

const split = (cell: string, by: RegExp) =>
  cell
    .split(by)
    .map((part) => part.trim())
    .filter(Boolean)

function jsonList(cell: string): string[] | undefined {
  try {
    const list: unknown = JSON.parse(cell)
    return Array.isArray(list) && list.every((item) => typeof item === 'string') ? list : undefined
  } catch {
    // The cell is plain text.
    return undefined
  }
}

function single(type: Field['type'], cell: string, reading: CellReading): unknown {
  const { format, year } = reading
  switch (type) {
    case 'number':
      return Number(decimalIn(cell, format.decimal) ?? unreadable(`Use a number such as 1234${format.decimal}5`))
    case 'money':
      return amountIn(cell, reading)
    case 'boolean':
      return booleanIn(cell)
    case 'date':
      if (hasNoYear(cell)) return unreadable('A date needs a year')
      return readDate(cell, format.date_order, year) ?? cell.trim()
    case 'datetime':
      return readTime(cell, format.date_order, year) ?? cell.trim()
    case 'long_text':
      return cell
    default:
      return cell.trim()
  }
}

/** Whether a cell says that there is nothing in it. */
export const isBlank = (cell: string, type?: Field['type']) =>
  !cell.trim() || ((type === 'date' || type === 'datetime') && isNoDate(cell))

/** A date with the time of day that is in a cell of its own. A date that has one already keeps it. */
export function atClock(date: unknown, cell: string): unknown {
  const clock = readClock(cell) ?? unreadable('Use a time of day such as 14:30')
  if (typeof date !== 'string') return unreadable('This time has no date')
  const [, day, time] = /^(\d{4}-\d{2}-\d{2})(?:T(.*))?$/s.exec(date) ?? []
  return day && (!time || time === '00:00:00') ? `${day}T${clock}` : date
}

/** A cell as it would be read, in the notation of the API; null if it cannot be. */
export function readingIn(type: (typeof readTypes)[number], cell: string, reading: CellReading): string | null {
  try {
    const value = single(type, cell, reading)
    if (type === 'money') {
      const { amount, currency } = value as { amount: string; currency: string }
      return `${amount} ${currency}`
    }
    if (type === 'date') return isDay(String(value)) ? String(value) : null
    return type === 'datetime' && !isMomentText(String(value)) && !isDay(String(value)) ? null : String(value)
  } catch (error) {
    if (error instanceof UnreadableCell) return null
    throw error
  }
}

const unreadable = (message: string): never => {
  throw new UnreadableCell(message)
}

const patternFor = (thousands: string, point: string) =>
  new RegExp(`^([+-]?)(\\d+|\\d{1,3}(?:[${thousands}'’\\s]\\d{3})+|)(?:${point}(\\d+))?(e[+-]?\\d{1,3})?$`, 'iu')
const decimals = { '.': patternFor(',', '\\.'), ',': patternFor('.', ',') }

/** With a point. Thousands may be separated by the other sign, spaces or apostrophes. */
export function decimalIn(cell: string, decimal: CsvFormat['decimal']): string | undefined {
  const text = cell.trim().replace(/^[−–]/, '-')
  const [, sign, whole, fraction, exponent = ''] = decimals[decimal].exec(text) ?? []
  if (whole === undefined || (!whole && !fraction)) return undefined
  return `${sign === '-' ? '-' : ''}${whole.replace(/\D/g, '') || '0'}${fraction ? `.${fraction}` : ''}${exponent}`
}

const symbols: Record<string, string> = { '€': 'EUR', '£': 'GBP', '₹': 'INR', '₩': 'KRW', '₴': 'UAH', '₺': 'TRY' }

/** No amount has more characters, and the pattern takes quadratic time. */
const longestAmount = 100

function amountIn(cell: string, { format: { decimal }, currency, symbol }: CellReading) {
  const text = cell.trim().slice(0, longestAmount + 1)
  const [, before, number = '', after] = /^(\p{Sc}|[a-z]{3})?\s*(.*?)\s*(\p{Sc}|[a-z]{3})?$/isu.exec(text)!
  const amount = text.length > longestAmount ? undefined : decimalIn(number, decimal)
  if (amount === undefined) return unreadable(`Use an amount such as 1234${decimal}50 EUR`)
  const named = before ?? after
  if (named === undefined) return { amount, currency }
  return { amount, currency: named === symbol ? currency : currencyIn(named) }
}

/** A code, or the sign of a currency that no other one has. */
export function currencyIn(cell: string) {
  const text = cell.trim().slice(0, 20)
  const code = symbols[text] ?? text.toUpperCase()
  return /^[A-Z]{3}$/.test(code) ? code : unreadable('Write the currency as a code, such as USD')
}

const statuses: Record<DealStatus, Set<string>> = {
  open: new Set(['open', 'in progress', 'active', 'offen', 'ouvert', 'abierto']),
  won: new Set(['won', 'closed won', 'customer', 'gewonnen', 'gagne', 'ganado', 'vinto']),
  lost: new Set(['lost', 'closed lost', 'abandoned', 'verloren', 'perdu', 'perdido', 'perso']),
}

/** Whether a stage of another product is one in which deals are won or lost: "Closed Won". */
export function closedIn(cell: string): DealStatus | undefined {
  const word = fold(cell)
    .replace(/[^\p{L} ]/gu, ' ')
    .trim()
    .replace(/\s+/g, ' ')
  return (['won', 'lost'] as const).find((status) => statuses[status].has(word))
}

/** Whether a task was completed, or when. */
export function completionIn(cell: string, { format, year }: CellReading): boolean | string {
  const word = fold(cell.trim())
  if (truths.has(word)) return true
  if (untruths.has(word)) return false
  return readTime(cell, format.date_order, year) ?? cell.trim()
}

/** Whether a deal is open, won or lost. */
export function statusIn(cell: string, field: Pick<Field, 'options'>): DealStatus {
  const word = fold(cell.trim())
  const known = Object.keys(statuses) as DealStatus[]
  const own = findOption(field, cell.trim())?.key
  return known.find((status) => status === own || statuses[status].has(word)) ?? unreadable('Use open, won or lost')
}

const truths = new Set([
  'yes',
  'y',
  'true',
  't',
  '1',
  'x',
  'on',
  'ja',
  'j',
  'wahr',
  'oui',
  'vrai',
  'si',
  'sim',
  'verdadero',
  '✓',
])
const untruths = new Set(['no', 'n', 'false', 'f', '0', '-', 'off', 'nein', 'falsch', 'non', 'faux', 'nao', 'falso'])

function booleanIn(cell: string) {
  const word = fold(cell.trim())
  if (truths.has(word)) return true
  return untruths.has(word) ? false : unreadable('Use yes or no')
}
