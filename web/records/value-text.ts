import { countryName } from '../../contract/countries.ts'
import { isDay, isMomentText } from '../../contract/filter/days.ts'
import { inSentence } from '../../contract/in-sentence.ts'
import { asMinute } from '../ui/moments.ts'
import { asNumber } from '../ui/numbers.ts'
import type { FieldShape } from './schema.ts'

export type Money = { amount: string; currency: string }

export const isEmpty = (value: unknown) =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

export const optionOf = (field: FieldShape, key: unknown) => field.options?.find((option) => option.key === key)

let language: string | undefined
const money = new Map<string, Intl.NumberFormat>()

/** Amounts are formatted for the language that the user chose. */
export function writeMoneyFor(chosen: string) {
  if (chosen === language) return
  language = chosen
  money.clear()
}

/** A sum, where cents would only be noise. */
export const asRoundMoney = (amount: number, currency: string) =>
  new Intl.NumberFormat(language, { style: 'currency', currency, maximumFractionDigits: 0 }).format(amount)

/** "$1.5M", beside an axis. */
export const asCompactMoney = (amount: number, currency: string) =>
  new Intl.NumberFormat(language, {
    style: 'currency',
    currency,
    notation: 'compact',
    minimumFractionDigits: 0,
    maximumFractionDigits: 1,
  }).format(amount)

/** Without cents if there are none. */
export const asShortMoney = ({ amount, currency }: Money) =>
  new Intl.NumberFormat(language, { style: 'currency', currency, trailingZeroDisplay: 'stripIfInteger' }).format(
    amount as `${number}`,
  )

export function asMoney({ amount, currency }: Money) {
  const known = money.get(currency)
  const format = known ?? new Intl.NumberFormat(language, { style: 'currency', currency, maximumFractionDigits: 6 })
  if (!known) money.set(currency, format)
  // As text: a number would lose digits of large amounts.
  return format.format(amount as `${number}`)
}

export const shownLanguage = () => language ?? 'en'

/** The name of a country; other text as it is. */
export const asCountry = (value: unknown) => countryName(String(value), shownLanguage())

/** A day has no zone: noon in UTC is the same day nearly everywhere, and the format is told UTC. */
export const asDate = (day: string) => (isDay(day) ? dayFormat().format(new Date(`${day}T12:00:00Z`)) : day)

let days: { language: string | undefined; format: Intl.DateTimeFormat } | undefined
function dayFormat() {
  if (days?.language !== language || !days)
    days = { language, format: new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' }) }
  return days.format
}

/** A number that means so many of a hundred. */
const isPercent = ({ key, is_built_in, label }: FieldShape) =>
  (is_built_in && key === 'probability') || label.endsWith('(%)')

/** With the day of the week, to see what was understood: "Fri, Dec 4, 2026". */
export const asWeekdayDate = (day: string) =>
  new Intl.DateTimeFormat(language, {
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
