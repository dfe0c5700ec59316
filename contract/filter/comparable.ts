// The comparable form of a value. It is stored next to the value, and conditions are compared with it.

import { readCountry } from '../regions/countries.ts'
import { readDomain } from '../shared/domains.ts'
import { momentText } from './days.ts'
import type { FieldType, FilterField } from './fields.ts'
import { fold } from './fold.ts'
import { cutMarkRuns } from './limits.ts'

export type Comparable = string | number | boolean

/** Undefined: empty. Null: there is a value, but it cannot be compared, such as money without a rate. */
export type Match = Comparable | Comparable[] | null | undefined

/** A record's comparable values by field key. Empty values have no entry. */
export type MatchValues = Record<string, Match>

export type Money = { amount: string; currency: string }

/** The value of one unit of other currencies in the company's currency. */
export type Rates = { currency: string; rates: Record<string, number> }

export function comparable(field: FilterField, value: unknown, rates: Rates): Match {
  const values = [value].flat().filter((one) => !isEmpty(one))
  // Always a list, so that "no related records" differs from "not loaded".
  if (field.type === 'relation') return values.map(String)
  if (values.length === 0) return undefined
  if (!Array.isArray(value)) return comparableOne(field, value, rates)
  const forms = values.flatMap((one) => comparableOne(field, one, rates) ?? [])
  if (field.type === 'multi_select') return [...new Set(forms)].sort()
  return forms.length ? forms : null
}

const isEmpty = (value: unknown) => value === null || value === undefined || value === ''

function comparableOne(field: FilterField, value: unknown, rates: Rates): Comparable | null {
  const { type } = field
  if (type === 'number') return Number(value)
  if (type === 'money') return inOwnCurrency(value as Money, rates)
  if (type === 'boolean') return Boolean(value)
  // Files are compared by their names.
  if (type === 'file') return fold(typeof value === 'object' ? (value as { name: string }).name : String(value))
  if (type === 'datetime') return momentText(Date.parse(String(value)))
  if (isFolded(type)) return comparableValue(field, String(value))
  return String(value)
}

const isFolded = (type: FieldType) => ['text', 'long_text', 'email', 'phone', 'url', 'country'].includes(type)

/** A whole value, as opposed to a part of one. */
export const comparableValue = ({ type, domain }: FilterField, text: string) =>
  comparableText(type, domain ? readDomain(text) : text)

/** Brings stored text and the text of a condition into the same form. */
export function comparableText(type: FieldType, text: string) {
  if (type === 'email') return text.trim().toLowerCase()
  if (type === 'phone')
    return cutMarkRuns(text)
      .normalize('NFKC')
      .trim()
      .replace(/(?!^\+)\D/g, '')
  return fold(type === 'country' ? (readCountry(text) ?? text) : text)
}

// Six digits are enough for the smallest unit of any currency, and keep 100 × 1.1 at 110.
function inOwnCurrency({ amount, currency }: Money, own: Rates) {
  if (currency === own.currency) return Number(amount)
  const rate = Object.hasOwn(own.rates, currency) ? own.rates[currency] : undefined
  return rate === undefined ? null : Number((Number(amount) * rate).toFixed(6))
}
