// Validates the values that callers send, and converts them to the form in which they are stored.

import {
  asFilterField,
  didYouMean,
  hasLongMarkRun,
  isStorable,
  mostMarks,
  nearestNames,
} from '../../../contract/filter/index.ts'
import type { Here } from '../../../contract/filter/moments.ts'
import { countryName, readCountry } from '../../../contract/regions/countries.ts'
import { readDomain } from '../../../contract/shared/domains.ts'
import type { FieldError } from '../../../contract/shared/errors.ts'
import { isId } from '../../../contract/shared/ids.ts'
import { inSentence } from '../../../contract/shared/in-sentence.ts'
import { amountPattern, largestNumber, mostText } from '../../../contract/shared/limits.ts'
import { deceptive } from '../../../contract/shared/shapes.ts'
import type { Field, ObjectSchema, Schema } from '../schema/schema.ts'
import { reservedKeys } from '../schema/system-fields.ts'
import { unknownField } from '../schema/unknown-field.ts'
import type { Values } from './from-row.ts'
import { isListChange, misfitOf, mostValues } from './list-change.ts'
import { extensionIn, lacksCountryCode, phoneExample, readPhone } from './phone.ts'
import { dayOf, instantOf } from './read-times.ts'

/** What the meaning of a value depends on, besides its field. */
export type Reading = {
  /** The current time and time zone. Without them, relative times such as +3d are refused. */
  here?: Here
  /** Advice for an option that does not exist. */
  aboutOptions: string
  /** Advice for a phone number without a country code that has no meaning. */
  aboutCountry: string
  /** For how many more unknown names to suggest similar ones, which takes time. */
  suggestions: number
}
/** Thrown in this file and reported with the path of the value. */
class InvalidValue extends Error {}

const mostUnknownKeys = 20
const plainReading = (): Reading => ({ aboutOptions: 'An Admin can add options', aboutCountry, suggestions: 5 })
export const aboutCountry = 'choose the country of the company'

/** The values of one record. Users and relations keep their names, and files their IDs, until they are looked up. */
export function readValues(
  schema: Schema,
  object: ObjectSchema,
  input: Values,
  path: string,
  reading: Reading = plainReading(),
) {
  const values: Values = {}
  const faults: FieldError[] = []
  const keys = Object.keys(input)
  if (keys.length > object.fields.length + mostUnknownKeys) return { values, faults: [tooManyKeys(object, path)] }
  for (const key of keys) {
    const value = input[key]
    const field = key === 'owner' ? ownerField : object.byKey.get(key)
    if (!field || field.is_read_only) {
      faults.push({
        path: `${path}.${key}`,
        message: field || reservedKeys.has(key) ? 'This field is read-only' : unknown(object, key, value, reading),
      })
      continue
    }
    try {
      values[key] = isEmpty(value) ? null : readField(schema, field, value, reading)
    } catch (error) {
      if (!(error instanceof InvalidValue)) throw error
      faults.push({ path: `${path}.${key}`, message: error.message })
    }
  }
  return { values, faults }
}

export const ownerField = { key: 'owner', type: 'user', is_multi: false, is_read_only: false } as Field

const isEmpty = (value: unknown) =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0) || value === undefined

const tooManyKeys = (object: ObjectSchema, path: string): FieldError => ({
  path,
  message: `This record has far more values than ${inSentence(object.label_plural)} have fields. Send only fields that describe_schema returns`,
})

function unknown(object: ObjectSchema, key: string, value: unknown, reading: Reading) {
  if (key === 'values' && typeof value === 'object')
    return 'Put the fields of a new record directly into the record. Only an update has them in "values"'
  if (reading.suggestions-- > 0) return unknownField(object, key, [...object.fields, { key: 'owner', label: 'Owner' }])
  return `There is no field ${key.slice(0, 63)} on ${inSentence(object.label_plural)}.`
}

function readField(schema: Schema, field: Field, value: unknown, reading: Reading): unknown {
  if (field.type === 'multi_select' || field.is_multi) {
    if (!isListChange(value)) {
      const misfit = misfitOf(value)
      if (misfit) throw new InvalidValue(misfit)
      const values = readList(schema, field, value, reading)
      return values.length ? values : null
    }
    const { add = [], remove = [] } = value
    return { add: readList(schema, field, add, reading), remove: readList(schema, field, remove, reading) }
  }
  if (Array.isArray(value) || isListChange(value)) throw new InvalidValue('This field holds one value, not a list')
  const read = readSingle(schema, field, value, reading)
  return read === '' ? null : read
}

function readList(schema: Schema, field: Field, value: unknown, reading: Reading): unknown[] {
  const list = Array.isArray(value) ? value : [value]
  if (list.length > mostValues) throw new InvalidValue(`Use at most ${mostValues} values`)
  const read = list.filter((item) => !isEmpty(item)).map((item) => readSingle(schema, field, item, reading))
  return [...new Set(read.filter((item) => item !== ''))]
}

function readSingle(schema: Schema, field: Field, value: unknown, reading: Reading): unknown {
  switch (field.type) {
    case 'text':
      return asFilterField(field).domain ? readDomain(textOf(value, mostText.text)) : textOf(value, mostText.text)
    case 'long_text':
      return textOf(value, mostText.long_text, true)
    case 'email':
      return emailOf(value)
    case 'phone':
      return phoneOf(textOf(value, 50), schema, reading)
    case 'url':
      return urlOf(value)
    case 'country':
      return countryOf(textOf(value, mostText.text), schema)
    case 'number':
      return numberOf(value)
    case 'money':
      return moneyOf(value, schema.currency)
    case 'boolean':
      return typeof value === 'boolean' ? value : invalid('This must be true or false')
    case 'date':
      return dayOf(textOf(value, 30), reading.here) ?? invalid('Use a date such as 2026-06-15, today or +3d')
    case 'datetime':
      return (
        instantOf(textOf(value, 40), reading.here) ??
        invalid('Use a time such as 2026-06-15T12:00:00Z, 2026-06-15T09:00, now or +3d')
      )
    case 'select':
    case 'multi_select':
      return optionOf(field, value, reading)
    case 'user':
    case 'relation':
      return nameIn(value)
    case 'file':
      return fileIdIn(value)
  }
}

const invalid = (message: string): never => {
  throw new InvalidValue(message)
}

function textOf(value: unknown, most: number, manyLines = false) {
  if (typeof value !== 'string') return invalid('This must be text')
  if (!isStorable(value)) return invalid('Remove NUL and invalid characters')
  if (hasLongMarkRun(value)) return invalid(`A letter can have at most ${mostMarks} accents. Remove some`)
  const text = isInvisible(value) ? '' : manyLines ? value.trimEnd() : value.trim()
  if (text.length > most) return invalid(`Use at most ${most} characters`)
  if (!manyLines && /[\r\n]/.test(text)) return invalid('Use a single line')
  return text
}

/** Spaces, and signs that have no width. */
const isInvisible = (text: string) => /^[\s\p{Cf}\u115f\u1160\u2800\u3164\uffa0]*$/u.test(text)

function phoneOf(text: string, schema: Schema, { aboutCountry }: Reading) {
  const phone = readPhone(text, schema)
  const extension = extensionIn(text, schema)
  if (phone !== undefined && extension)
    return invalid(`Leave out the extension ${extension}, or put it into another field: this one holds only the number`)
  if (phone !== undefined) return phone
  if (!lacksCountryCode(text)) return invalid(`Use a phone number such as ${phoneExample(schema)}`)
  const problem = schema.country
    ? `${text} is not a valid phone number for ${countryName(schema.country, 'en')}`
    : `The country of ${text} is unknown`
  return invalid(`${problem}. Add the country code, as in ${phoneExample(schema)}, or ${aboutCountry}`)
}

const mailbox = /^[^\s@<>(),;:"[\]\\]+$/
const label = /^(?!-)[\p{L}\p{M}\p{N}-]{1,63}(?<!-)$/u
function emailOf(value: unknown) {
  const text = textOf(value, 254)
  const at = text.lastIndexOf('@')
  const labels = text.slice(at + 1).split('.')
  const isAddress =
    mailbox.test(text.slice(0, Math.max(at, 0))) && labels.length > 1 && labels.every((part) => label.test(part))
  return isAddress && !deceptive.test(text) ? text : invalid('Enter an email address such as ada@example.com')
}

const mostUrl = 2000
function urlOf(value: unknown) {
  const text = textOf(value, mostUrl)
  const hasScheme = /^[a-z][a-z0-9+.-]*:/i.test(text)
  const whole = hasScheme ? text : `https://${text}`
  // A single word is probably a mistake. To use a host name without a dot, people can write http:// before it.
  const isWord = !hasScheme && !/^[^/?#]+\.[^/?#]/.test(text)
  const url = /^https?:\/\//i.test(whole) ? URL.parse(whole) : null
  if (isWord || !url || whole.length > mostUrl) return invalid('Use a web address such as https://example.com')
  if (url.username || url.password || deceptive.test(whole))
    return invalid('Remove the user name, password and invisible characters')
  return whole
}

/** Unknown text is kept, because people also enter former or unofficial countries. */
export const countryOf = (text: string, { language }: Schema) => readCountry(text, [language]) ?? text

function numberOf(value: unknown) {
  if (typeof value !== 'number' || !Number.isFinite(value)) return invalid('This must be a number')
  if (Math.abs(value) > largestNumber) return invalid('Use a number with at most 15 digits')
  return value === 0 ? 0 : value // No -0: the database would not keep it.
}

function moneyOf(value: unknown, companyCurrency: string) {
  const {
    amount,
    currency = companyCurrency,
    ...rest
  } = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : { amount: value }
  if (Object.keys(rest).length) return invalid('Use { "amount": "12.50", "currency": "EUR" }')
  const text = typeof amount === 'number' ? String(amount) : amount
  if (typeof text !== 'string' || !amountPattern.test(text)) {
    return invalid('Use an amount such as 12.50, or { "amount": "12.50", "currency": "EUR" }')
  }
  if (typeof currency !== 'string' || !Intl.supportedValuesOf('currency').includes(currency)) {
    return invalid('Use a currency such as EUR or USD')
  }
  if (/\.0*[1-9]/.test(text) && !hasDecimals(currency))
    return invalid(`Amounts in ${currency} have no decimals. Round ${text}`)
  return { amount: text.replace(/^-(?=[0.]+$)/, ''), currency }
}

/** Of currencies that have them, prices per unit may have more digits than coins do. */
const hasDecimals = (currency: string) =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits !== 0

/** An id, a name, or the form in which responses show it: { "id": "...", "title": "..." }. */
function nameIn(value: unknown) {
  const isObject = typeof value === 'object' && value !== null
  if (isObject && !('id' in value)) return invalid('Use an ID, a name, or an object with an id')
  return textOf(isObject ? (value as { id: unknown }).id : value, 500)
}

/** The ID of an upload, or the form in which responses show a file. */
function fileIdIn(value: unknown) {
  const id = typeof value === 'object' && value !== null && 'id' in value ? value.id : value
  return typeof id === 'string' && isId(id.toLowerCase())
    ? id.toLowerCase()
    : invalid('Upload the file with the purpose record, and use its ID')
}

function optionOf(field: Field, value: unknown, reading: Reading) {
  const text = textOf(value, 200)
  const options = field.options ?? []
  const option = findOption(field, text)
  if (option) return option.key
  if (!options.length) return invalid(`This field has no options yet. ${reading.aboutOptions}`)
  const nearest = reading.suggestions-- > 0 ? nearestNames(text, options) : []
  return invalid(`There is no option ${text.slice(0, 60)}.${didYouMean(nearest)} ${reading.aboutOptions}`)
}

/** By key or by label. */
export const findOption = ({ options }: Pick<Field, 'options'>, text: string) =>
  options?.find(({ key }) => key === text) ?? options?.find(({ label }) => alike(label, text))

const alike = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()
