import { isDay, isMomentText } from '../../../contract/filter/days.ts'
import { countryName } from '../../../contract/regions/countries.ts'
import { dateFormat } from '../../../contract/shared/date-format.ts'
import { inSentence } from '../../../contract/shared/in-sentence.ts'
import { asMinute } from '../../ui/text/moments.ts'
import { asNumber } from '../../ui/text/numbers.ts'
import type { FieldShape } from './schema.ts'

/** `meant`: the two amounts that a text could be. It is not saved until one is chosen. */
export type Money = { amount: string; currency: string; meant?: [string, string] }

export const isEmpty = (value: unknown) =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

export const optionOf = (field: FieldShape, key: unknown) => field.options?.find((option) => option.key === key)

let language: string | undefined
const moneyFormats = new Map<string, Intl.NumberFormat>()

let currencies: string[] = []

/** Amounts are formatted for the language that the user chose. `used`: the currencies of the company. */
export function writeMoneyFor(chosen: string, used: string[] = currencies) {
  currencies = used
  if (chosen === language) return
  language = chosen
  moneyFormats.clear()
}

const styles = {
  exact: { maximumFractionDigits: 6 },
  round: { maximumFractionDigits: 0 },
  short: { trailingZeroDisplay: 'stripIfInteger' },
  shortest: { notation: 'compact', minimumFractionDigits: 0, maximumFractionDigits: 0 },
  compact: { notation: 'compact', minimumFractionDigits: 0, maximumFractionDigits: 1 },
} as const

/** Kept, because making one takes longer than drawing a card. Takes text too: a number would lose digits of large amounts. */
function formatMoney(amount: number | string, currency: string, style: keyof typeof styles) {
  const key = `${currency} ${style}`
  const known = moneyFormats.get(key)
  const format = known ?? new Intl.NumberFormat(language, { style: 'currency', currency, ...styles[style] })
  if (!known) moneyFormats.set(key, format)
  return format.format(amount as number)
}

/** A sum, where cents would only be noise. */
export const asRoundMoney = (amount: number, currency: string) => formatMoney(amount, currency, 'round')

/** "$1.5M", beside an axis. */
export const asCompactMoney = (amount: number, currency: string) => formatMoney(amount, currency, 'compact')

/** Without cents if there are none. */
export const asShortMoney = ({ amount, currency }: { amount: number | string; currency: string }) =>
  formatMoney(amount, currency, 'short')

/** What amounts usually look like in this company: as wide as most of them are. */
export const usualAmounts = () => currencies.map((currency) => asMoney({ amount: '250000', currency }))

/** The longest of these that fits: the whole amount, without cents, in short. The currency is never cut off. */
export function moneyWithin(money: Money, fits: (text: string) => boolean) {
  const { amount, currency } = money
  const round = [asRoundMoney, asCompactMoney].map((write) => write(Number(amount), currency))
  return [asMoney(money), asShortMoney(money), ...round].find(fits) ?? formatMoney(amount, currency, 'shortest')
}

export const asMoney = ({ amount, currency, meant }: Money) => (meant ? amount : formatMoney(amount, currency, 'exact'))

export const shownLanguage = () => language ?? 'en'

/** The English name of a country, as all words of the app; other text as it is. */
export const asCountry = (value: unknown) => countryName(String(value), 'en')

/** A day has no zone: noon in UTC is the same day nearly everywhere, and the format is told UTC. */
export const asDate = (day: string) => (isDay(day) ? dayFormat().format(new Date(`${day}T12:00:00Z`)) : day)

let days: { language: string | undefined; format: Intl.DateTimeFormat } | undefined
function dayFormat() {
  if (days?.language !== language || !days)
    days = { language, format: dateFormat(language, { dateStyle: 'medium', timeZone: 'UTC' }) }
  return days.format
}

/** A number that means so many of a hundred. */
const isPercent = ({ key, is_built_in, label }: FieldShape) =>
  (is_built_in && key === 'probability') || label.endsWith('(%)')

/** With the day of the week, to see what was understood: "Fri, Dec 4, 2026". */
export const asWeekdayDate = (day: string) =>
  dateFormat(language, {
    weekday: 'short',
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    timeZone: 'UTC',
  }).format(new Date(`${day}T12:00:00Z`))

/** Of plain values; users and relations are told by their own components. */
export function textOf(field: FieldShape, value: unknown): string {
  if (isEmpty(value)) return ''
  if (Array.isArray(value)) return value.map((one) => textOf(field, one)).join(', ')
  switch (field.type) {
    case 'number':
      return isPercent(field) ? `${asNumber(value as number)} %` : asNumber(value as number)
    case 'money':
      return asMoney(value as Money)
    case 'boolean':
      return value ? 'Yes' : 'No'
    case 'date':
      return asDate(value as string)
    case 'datetime':
      // What was refused is shown as it was typed.
      return isMomentText(String(value)) ? asMinute(value as string) : String(value)
    case 'country':
      return asCountry(value)
    case 'select':
    case 'multi_select':
      return optionOf(field, value)?.label ?? String(value)
    case 'file':
      return (value as { name: string }).name
    default:
      return String(value)
  }
}

type Named = { label: string; label_plural: string }

/** "1,240 people" */
export const counted = (count: number, object: Named) => `${asNumber(count)} ${nounFor(count, object)}`

export const nounFor = (count: number, { label, label_plural }: Named) => inSentence(count === 1 ? label : label_plural)

export const pluralOf = (object: Named) => nounFor(2, object)

/** Only an address: a question mark in it could add recipients and a text. */
export const mailtoOf = (email: string) => `mailto:${email.split('@').map(encodeURIComponent).join('@')}`
