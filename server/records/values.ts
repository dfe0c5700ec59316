// What callers send for a field, checked and brought into the form in which it is kept.
import type { FieldError } from '../../contract/errors.ts'
import { isDay } from '../../contract/filter/days.ts'
import { isStorable, nearestNames } from '../../contract/filter/index.ts'
import type { Field, ObjectSchema, Schema } from '../objects/schema.ts'
import { readPhone } from './phone.ts'
import { reservedKeys } from './system-fields.ts'
import { unknownField } from './unknown-field.ts'

export type Values = Record<string, unknown>
/** Something that somebody must look up: a user or a record, by id, unique value or name. */
export class Reference {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}
/** Thrown inside, told at the path of the value. */
class Misfit extends Error {}

const mostText = { text: 1000, long_text: 100_000 } as const
const mostValues = 100

/** The values of one record. Users and relations stay references until they are looked up. */
export function readValues(schema: Schema, object: ObjectSchema, input: Values, path: string) {
  const values: Values = {}
  const faults: FieldError[] = []
  for (const [key, value] of Object.entries(input)) {
    const field = key === 'owner' ? ownerField : object.byKey.get(key)
    if (!field || field.is_read_only) {
      faults.push({
        path: `${path}.${key}`,
        message: field || kept.has(key) ? 'This field is kept by Kith itself' : unknown(object, key, value),
      })
      continue
    }
    try {
      values[key] = isEmpty(value) ? null : readField(schema, field, value)
    } catch (error) {
      if (!(error instanceof Misfit)) throw error
      faults.push({ path: `${path}.${key}`, message: error.message })
    }
  }
  return { values, faults }
}

const kept = new Set([...reservedKeys, 'id'])

export const ownerField = { key: 'owner', type: 'user', is_multi: false, is_read_only: false } as Field

const isEmpty = (value: unknown) =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0) || value === undefined

const unknown = (object: ObjectSchema, key: string, value: unknown) =>
  key === 'values' && typeof value === 'object'
    ? 'Write the fields of a new record right here, without values; an update has them in values'
    : unknownField(object, key, [...object.fields, { key: 'owner', label: 'Owner' }])

function readField(schema: Schema, field: Field, value: unknown): unknown {
  if (field.type === 'multi_select' || field.is_multi) {
    const list = Array.isArray(value) ? value : [value]
    if (list.length > mostValues) throw new Misfit(`Use at most ${mostValues} values`)
    const read = list.filter((one) => !isEmpty(one)).map((one) => readOne(schema, field, one))
    const values = [...new Set(read.filter((one) => one !== ''))]
    return values.length ? values : null
  }
  if (Array.isArray(value)) throw new Misfit('This field holds one value, not a list')
  const read = readOne(schema, field, value)
  return read === '' ? null : read
}

function readOne(schema: Schema, field: Field, value: unknown): unknown {
  switch (field.type) {
    case 'text':
    case 'long_text':
      return textOf(value, mostText[field.type], field.type === 'long_text')
    case 'email':
      return emailOf(value)
    case 'phone':
      return readPhone(textOf(value, 50), schema) ?? misfit('Use a phone number such as +49 30 1234567')
    case 'url':
      return urlOf(value)
    case 'number':
      return numberOf(value)
    case 'money':
      return moneyOf(value, schema.currency)
    case 'boolean':
      return typeof value === 'boolean' ? value : misfit('This must be true or false')
    case 'date':
      return dateOf(value)
    case 'datetime':
      return momentOf(value)
    case 'select':
    case 'multi_select':
      return optionOf(field, value)
    case 'user':
    case 'relation':
      return new Reference(textOf(value, 500))
  }
}

const misfit = (message: string): never => {
  throw new Misfit(message)
}

function textOf(value: unknown, most: number, manyLines = false) {
  if (typeof value !== 'string') return misfit('This must be text')
  if (!isStorable(value)) return misfit('Leave out NUL and broken characters')
  const text = manyLines ? value.trimEnd() : value.trim()
  if (text.length > most) return misfit(`Use at most ${most} characters`)
  if (!manyLines && /[\r\n]/.test(text)) return misfit('Use one line')
  return text
}

const emailPattern = /^[^\s@<>(),;:"[\]\\]+@[^\s@<>(),;:"[\]\\]+\.[^\s@<>(),;:"[\]\\.]+$/
function emailOf(value: unknown) {
  const text = textOf(value, 254)
  return emailPattern.test(text) ? text : misfit('Enter an e-mail address such as ada@example.com')
}

const mostUrl = 2000
function urlOf(value: unknown) {
  const text = textOf(value, mostUrl)
  const isWhole = /^[a-z][a-z0-9+.-]*:/i.test(text)
  const whole = isWhole ? text : `https://${text}`
  // A single word is a slip of the pen, not a host; whoever means one writes http:// before it.
  const isWord = !isWhole && !/^[^/?#]+\.[^/?#]/.test(text)
  if (isWord || !URL.canParse(whole) || !/^https?:/i.test(whole) || whole.length > mostUrl)
    return misfit('Use a web address such as https://example.com')
  return whole
}

const largest = 1e15
function numberOf(value: unknown) {
  if (typeof value !== 'number' || !Number.isFinite(value)) return misfit('This must be a number')
  if (Math.abs(value) > largest) return misfit('Use a number of at most 15 digits')
  return value
}

function moneyOf(value: unknown, own: string) {
  const {
    amount,
    currency = own,
    ...rest
  } = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : { amount: value }
  if (Object.keys(rest).length) return misfit('Use { "amount": "12.50", "currency": "EUR" }')
  const text = typeof amount === 'number' ? String(amount) : amount
  if (typeof text !== 'string' || !/^-?\d{1,15}(\.\d{1,6})?$/.test(text)) {
    return misfit('Use an amount such as 12.50, or { "amount": "12.50", "currency": "EUR" }')
  }
  if (typeof currency !== 'string' || !Intl.supportedValuesOf('currency').includes(currency)) {
    return misfit('Use a currency such as EUR or USD')
  }
  return { amount: text, currency }
}

function dateOf(value: unknown) {
  const text = textOf(value, 30)
  return isDay(text) ? text : misfit('Use a day such as 2026-06-15')
}

function momentOf(value: unknown) {
  const text = textOf(value, 40)
  const isWhole = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/.test(text)
  const moment = new Date(text)
  // A day that does not exist would become the next, and a year of five digits could not be sent back.
  const isReal = isWhole && isDay(text.slice(0, 10)) && !Number.isNaN(moment.getTime())
  if (!isReal || !isDay(moment.toISOString().slice(0, 10))) return misfit('Use a moment such as 2026-06-15T12:00:00Z')
  return moment.toISOString()
}

function optionOf(field: Field, value: unknown) {
  const text = textOf(value, 200)
  const options = field.options ?? []
  const found = options.find(({ key }) => key === text) ?? options.find(({ label }) => alike(label, text))
  if (found) return found.key
  if (!options.length) return misfit('This field has no options yet. An Admin can add some')
  return misfit(`There is no option ${text.slice(0, 60)}. Did you mean ${nearestNames(text, options).join(', ')}?`)
}

const alike = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()
