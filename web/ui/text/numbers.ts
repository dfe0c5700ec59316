import { languages } from '../../../contract/shared/shapes.ts'

type Language = string | undefined

const formatsFor = (language: Language) => ({
  read: new Intl.NumberFormat(language, { maximumSignificantDigits: 12 }),
  short: new Intl.NumberFormat(language, { notation: 'compact', maximumSignificantDigits: 3 }),
  percent: new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 0 }),
  typed: new Intl.NumberFormat(language, {
    useGrouping: false,
    numberingSystem: 'latn',
    maximumSignificantDigits: 15,
  }),
  marks: new Map(
    new Intl.NumberFormat(language, { numberingSystem: 'latn' })
      .formatToParts(1_234_567.5)
      .map(({ type, value }) => [type, value]),
  ),
  /** Of numbers and of money: in Austria, 1 250 but € 1.250. */
  thousands: new Set(
    [{}, { style: 'currency', currency: 'EUR' } as const].flatMap((style) =>
      new Intl.NumberFormat(language, { ...style, numberingSystem: 'latn' })
        .formatToParts(1_234_567.5)
        .flatMap(({ type, value }) => (type === 'group' ? value : [])),
    ),
  ),
  magnitudes: magnitudesIn(language),
})

/** Thousand, million and so on by what a language calls them, and by the letters used everywhere. With their zeros. */
function magnitudesIn(language: Language) {
  const found = new Map(Object.entries({ k: 3, m: 6, mm: 6, mn: 6, mio: 6, bn: 9, b: 9 }))
  for (const compactDisplay of ['short', 'long'] as const) {
    const format = new Intl.NumberFormat(language, {
      notation: 'compact',
      compactDisplay,
      numberingSystem: 'latn',
      useGrouping: false,
    })
    for (let zeros = 3; zeros <= 12; zeros++)
      for (const factor of [1, 2, 5]) {
        const parts = format.formatToParts(factor * 10 ** zeros)
        const name = parts.find(({ type }) => type === 'compact')?.value
        const number = parts.find(({ type }) => type === 'integer')?.value
        if (name && number) found.set(magnitudeKey(name), zeros - (number.length - 1))
      }
  }
  return found
}

const magnitudeKey = (name: string) => name.toLowerCase().replace(/[.॰\s]/g, '')

let written: Language
let formats = formatsFor(written)

/** Numbers are formatted for the language that the user chose, or else for the browser's. */
export function writeNumbersFor(language: string) {
  if (language === written) return
  written = language
  formats = formatsFor(language)
}

export const asNumber = (number: number) => formats.read.format(number)
/** 1.2K where there is little room, such as beside an axis. */
export const asShortNumber = (number: number) => formats.short.format(number)
/** Of a share between 0 and 1. */
export const asPercent = (share: number) => formats.percent.format(share)
/** As people type it: no separators but that of the decimals. */
export const asTyped = (number: number) => formats.typed.format(number)
/** The same for a decimal that is kept as text, such as an amount of money. Other text stays as it is. */
export const asTypedDecimal = (text: string) =>
  /^-?\d+\.\d+$/.test(text) ? text.replace('.', formats.marks.get('decimal') ?? '.') : text

/** "١٬٢٥٠٫٥", "१,२५०.५" and "１，２５０．５" as 1,250.5, without the invisible marks of right-to-left text. */
export const withLatinDigits = (text: string) =>
  text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/\p{Nd}/gu, digitOf)
    .replaceAll('٬', ',')
    .replaceAll('٫', '.')

/** In Unicode, the ten digits of a script follow each other and start at a code point that ends in 0 or 6. */
function digitOf(char: string) {
  const code = char.codePointAt(0)!
  const start = code - (code % 16)
  return String(/\p{Nd}/u.test(String.fromCodePoint(start)) ? code - start : code - start - 6)
}

/** What a field for a number holds: '' while it is empty, NaN for what is not a number. */
export function readNumberField(typed: string): number | '' {
  if (typed.trim() === '') return ''
  return Number(readDecimal(typed) ?? Number.NaN)
}

/** How such a field shows its value while no one types in it. */
export const asNumberField = (value: number | string) =>
  typeof value === 'number' && Number.isFinite(value) ? asTyped(value) : ''

/** The next number up or down, as the arrow keys choose it. */
export function stepped(from: number | '', by: number, min = -Infinity, max = Infinity) {
  const start = from === '' || Number.isNaN(from) ? 0 : from
  return Math.min(max, Math.max(min, start + by))
}

const groupedByThree = /^\d{1,3}([.,])\d{3}(\1\d{3})*$/
/** As in India: 12,34,567. */
const groupedByTwo = /^\d{1,2}([.,])(\d{2}\1)*\d{3}$/

/** What a word such as k, Mio. or लाख multiplies by, as zeros. */
export const zerosOf = (word: string) => formats.magnitudes.get(magnitudeKey(word))

/**
 * A number as people type it, written with a point: 1,5 and 1.5 and 1 250,00 and 1,250.00 and 1'250, and 15k.
 * Of two kinds of marks, the last one stands before the decimals. A single one before three digits is a thousands mark
 * where the user's language uses it as such: 1,250 in English, 1.250 in German. Undefined for everything else.
 */
export function readDecimal(typed: string): string | undefined {
  const text = withLatinDigits(typed)
    .replace(/[\s'’]/g, '')
    .replace(/^[−–]/, '-')
  const sign = text.startsWith('-') ? '-' : ''
  const [, digits = '', word = ''] = /^([\d.,]*)(.*)$/su.exec(text.slice(sign.length)) ?? []
  const zeros = word === '' ? 0 : zerosOf(word)
  const read = zeros === undefined ? undefined : readUnsigned(digits)
  return read === undefined ? undefined : sign + timesTen(read, zeros!)
}

/** As text: a number would lose digits of large amounts. */
function timesTen(decimal: string, zeros: number) {
  if (zeros === 0) return decimal
  const [whole = '', decimals = ''] = decimal.split('.')
  const moved = whole + decimals.padEnd(zeros, '0').slice(0, zeros)
  const rest = decimals.slice(zeros)
  return (moved.replace(/^0+(?=\d)/, '') || '0') + (rest ? `.${rest}` : '')
}

function readUnsigned(text: string) {
  if (/^\d+$/.test(text)) return text
  if (isWhole(text)) return text.replace(/[.,]/g, '')
  const mark = Math.max(text.lastIndexOf(','), text.lastIndexOf('.'))
  const whole = text.slice(0, mark)
  const decimals = text.slice(mark + 1)
  if (!/^\d+$/.test(decimals) || whole.includes(text[mark]!)) return undefined
  if (/^\d*$/.test(whole)) return `${whole || '0'}.${decimals}`
  return isGrouped(whole) ? `${whole.replace(/[.,]/g, '')}.${decimals}` : undefined
}

const isGrouped = (text: string) => groupedByThree.test(text) || groupedByTwo.test(text)

/** 1,250,000 and 12,34,567 have only thousands marks; in 1,250 the language decides. */
function isWhole(text: string) {
  if (!isGrouped(text) || text.startsWith('0')) return false
  const marks = text.match(/[.,]/g)!
  return marks.length > 1 || formats.thousands.has(marks[0]!)
}

/** 1.250 where a point stands before decimals: thousands to most people, but 1.25 to the language. 0.125 has one meaning. */
export const isUnclear = (digits: string) => /^[1-9]\d{0,2}[.,]\d{3}$/.test(digits) && !isWhole(digits)

// Names for the codes of languages, currencies and time zones.

const languageNames = new Intl.DisplayNames('en', { type: 'language', languageDisplay: 'standard' })
const currencyNames = new Intl.DisplayNames('en', { type: 'currency' })

export type Choice = { value: string; label: string }

export const nameOfLanguage = (code: string) => languageNames.of(code) ?? code
export const nameOfCurrency = (code: string) => currencyNames.of(code) ?? code

export const languageChoices: Choice[] = languages
  .map((value) => ({ value, label: nameOfLanguage(value) }))
  .sort((a, b) => a.label.localeCompare(b.label, 'en'))

/** `EUR, Euro`: found by either. */
export const currencyChoices = (): Choice[] =>
  Intl.supportedValuesOf('currency').map((value) => ({ value, label: `${value}, ${nameOfCurrency(value)}` }))

/** Browsers leave UTC out, and know fewer names than the server may have kept. */
export const timeZoneChoices = (current: string): Choice[] =>
  [...new Set(['UTC', current, ...Intl.supportedValuesOf('timeZone')])].map((value) => ({
    value,
    label: nameOfTimeZone(value),
  }))

/** `America/New York, GMT-4` */
export function nameOfTimeZone(zone: string) {
  const parts = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'shortOffset' }).formatToParts()
  const offset = parts.find(({ type }) => type === 'timeZoneName')?.value
  return zone === offset || zone === 'UTC' ? zone : `${zone.replaceAll('_', ' ')}, ${offset}`
}

const sizes = ['byte', 'kilobyte', 'megabyte', 'gigabyte']

/** "340 kB", "2.4 MB" */
export function asSize(bytes: number) {
  const step = Math.min(sizes.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  const digits = step > 1 ? 1 : 0
  const format = new Intl.NumberFormat(written, {
    style: 'unit',
    unit: sizes[step]!,
    unitDisplay: step ? 'short' : 'long',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
  return format.format(bytes / 1000 ** step)
}
