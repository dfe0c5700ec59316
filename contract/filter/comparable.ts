// The comparable form of values: what is stored beside each value, and what conditions are compared with.

import { readCountry } from '../countries.ts'
import { momentText } from './days.ts'
import type { FieldType, FilterField } from './fields.ts'
import { fold } from './fold.ts'
import { cutMarkRuns } from './limits.ts'

export type Comparable = string | number | boolean

/** Undefined: empty. Null: there is a value, but it compares with nothing, such as money without a rate. */
export type Match = Comparable | Comparable[] | null | undefined

/** A record's comparable values by the key of their field. An empty value has no entry. */
export type MatchValues = Record<string, Match>

export type Money = { amount: string; currency: string }

/** How many units of the company's currency one unit of another is worth. */
export type Rates = { currency: string; rates: Record<string, number> }

/** The comparable form of a stored value. */
export function comparable(field: FilterField, value: unknown, rates: Rates): Match {
  const values = [value].flat().filter((one) => !isEmpty(one))
  // Ids of related records are always a list, so that none is known to be none.
  if (field.type === 'relation') return values.map(String)
  if (values.length === 0) return undefined
  if (!Array.isArray(value)) return comparableOne(field.type, value, rates)
  const forms = values.flatMap((one) => comparableOne(field.type, one, rates) ?? [])
  if (field.type === 'multi_select') return [...new Set(forms)].sort()
  return forms.length ? forms : null
}

const isEmpty = (value: unknown) => value === null || value === undefined || value === ''

function comparableOne(type: FieldType, value: unknown, rates: Rates): Comparable | null {
  if (type === 'number') return Number(value)
  if (type === 'money') return inOwnCurrency(value as Money, rates)
  if (type === 'boolean') return Boolean(value)
  if (type === 'datetime') return momentText(Date.parse(String(value)))
  if (isFolded(type)) return comparableText(type, String(value))
  return String(value)
}

const isFolded = (type: FieldType) => ['text', 'long_text', 'email', 'phone', 'url', 'country'].includes(type)

/** Stored text and the text of a condition in the same form. */
export function comparableText(type: FieldType, text: string) {
  if (type === 'email') return text.trim().toLowerCase()
  if (type === 'phone')
    return cutMarkRuns(text)
      .normalize('NFKC')
      .trim()
      .replace(/(?!^\+)\D/g, '')
  return fold(type === 'country' ? (readCountry(text) ?? text) : text)
}

// Six digits hold the smallest unit of any currency, and keep 100 × 1.1 at 110.
function inOwnCurrency({ amount, currency }: Money, own: Rates) {
  if (currency === own.currency) return Number(amount)
  const rate = Object.hasOwn(own.rates, currency) ? own.rates[currency] : undefined
  return rate === undefined ? null : Number((Number(amount) * rate).toFixed(6))
}
