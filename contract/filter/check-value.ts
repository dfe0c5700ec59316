// Checks whether a value is valid for a field, and decides what a bare word means there.

import { readCountry } from '../regions/countries.ts'
import { isWord, ranges, scaledNumber } from './bare-words.ts'
import { comparableText } from './comparable.ts'
import { isDay, isMomentText } from './days.ts'
import { type Fault, type Faults, shortened, suggest, suggesting } from './faults.ts'
import { type FilterField, holds, isMoment, isPartial, isText } from './fields.ts'
import { namesOf } from './names.ts'
import type { Op, Value } from './tree.ts'

type Wrong = Pick<Fault, 'message' | 'problem' | 'nearest'>
type Fit = { value: Value } | Wrong

export type Use = Partial<Faults> & { field: FilterField; op: Op; hasCaller: boolean }

/** The value as the field stores it. `bare` is the word as written, if it has no quotes. */
export function fitValue(use: Use, value: Value, bare: string | undefined): Fit {
  const { field } = use
  if (field.type === 'country') return fitCountry(use, value, bare)
  if (isText(field)) return fitText(field, value, bare)
  if (isMoment(field)) return fitMoment(use, value)
  if (field.type === 'number' || field.type === 'money') return fitNumber(field, value, bare)
  if (field.type === 'boolean') return fitBoolean(field, value)
  if (field.type === 'select' || field.type === 'multi_select') return fitOption(use, bare ?? value)
  if (field.type === 'user' && typeof value === 'object' && 'me' in value) return fitMe(use.hasCaller)
  return fitReference(field, value, bare)
}

function fitText(field: FilterField, value: Value, bare: string | undefined): Fit {
  if (bare !== undefined && typeof value !== 'string' && !isWord(bare))
    return wrong(`${field.key} holds ${holds[field.type]}. Put quotes around the value: "${shortened(bare)}".`)
  const text = bare ?? value
  if (typeof text !== 'string') return wrong(`${field.key} holds ${holds[field.type]}. Use text in quotes.`)
  if (text === '') return wrong('To find empty values, use is empty or is not empty.')
  if (comparableText(field.type, text) === '')
    return wrong(field.type === 'phone' ? 'Enter at least one digit.' : 'Enter at least one letter or digit.')
  return { value: text }
}

/** Countries are compared by code. Text that names no country is kept: a record may hold that text. */
function fitCountry({ field, op }: Use, value: Value, bare: string | undefined): Fit {
  const fit = fitText(field, value, bare)
  if (!('value' in fit) || isPartial(op)) return fit
  return { value: readCountry(String(fit.value)) ?? fit.value }
}

function fitNumber(field: FilterField, value: Value, bare: string | undefined): Fit {
  const number = typeof value === 'number' ? value : bare === undefined ? undefined : scaledNumber(bare)
  if (number === undefined)
    return wrong(`${field.key} holds ${holds[field.type]}. Use a number such as 10000, 12.5 or 10k, without quotes.`)
  return Math.abs(number) > Number.MAX_SAFE_INTEGER ? wrong(tooLarge) : { value: number }
}

function fitBoolean(field: FilterField, value: Value): Fit {
  if (typeof value === 'boolean') return { value }
  return wrong(`${field.key} is true or false. Use one of them, without quotes.`, ['true', 'false'])
}

function fitOption(use: Use, value: Value): Fit {
  const { field } = use
  const options = field.options ?? []
  if (typeof value !== 'string')
    return wrong(`Use the key of an option of ${field.key}.`, options.slice(0, 3).map(keyOf))
  const exact = options.find((option) => option.key === value)
  if (exact) return { value: exact.key }
  const alike = namesOf(options)(value)
  if (alike.length === 1) return { value: alike[0]!.key }
  if (alike.length > 1)
    return wrong(`More than one option of ${field.key} has this name. Use a key.`, alike.slice(0, 3).map(keyOf))
  const hint = value.toLowerCase() === 'empty' ? ` To find empty values, use ${field.key} is empty.` : ''
  const nearest = suggest(use, value, options)
  return suggesting(`${field.key} has no option ${shortened(value)}.`, nearest, `${optionList(options)}${hint}`)
}

const keyOf = (named: { key: string }) => named.key
const mostListed = 12

function optionList(options: { key: string }[]) {
  const more = options.length - mostListed
  const names = options.slice(0, mostListed).map(keyOf)
  return options.length
    ? ` Options: ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`
    : ' It has no options yet.'
}

export const noCaller = '"me" cannot be used here because no user runs this filter. Enter a user instead.'
const fitMe = (hasCaller: boolean): Fit => (hasCaller ? { value: { me: true } } : wrong(noCaller))

function fitReference(field: FilterField, value: Value, bare: string | undefined): Fit {
  const isMe = typeof value === 'object' && 'me' in value
  const text = bare !== undefined && isWord(bare) && !isMe ? bare : value
  if (typeof text === 'string' && text.trim() !== '') return { value: text }
  if (field.type === 'user')
    return wrong(`${field.key} holds users. Use me, an ID, an email address or a name in quotes.`)
  const me = isMe ? ' "me" is only for fields that hold users.' : ''
  return wrong(`${field.key} holds records.${me} Use an ID, a unique value such as a domain, or a title in quotes.`)
}

function fitMoment(use: Use, value: Value): Fit {
  const { field, op } = use
  const example = field.type === 'date' ? '2026-06-15' : '2026-06-15 or 2026-06-15T09:30'
  if (typeof value === 'string') {
    if (isDay(value) || (field.type === 'datetime' && isMomentText(value))) return { value }
    if (isMomentText(value)) return wrong(`${field.key} holds dates. Leave out the time: ${value.slice(0, 10)}.`)
    const [whole, offset] = /^(.+)([+-]\d\d:\d\d)$/.exec(value)?.slice(1) ?? []
    if (whole && isMomentText(whole))
      return wrong(`${offset} is not an offset from UTC. Use Z, or one from -14:00 to +14:00.`)
    const nearest = suggest(use, value, knownMoments)
    const problem = `${shortened(value)} is not a valid ${field.type === 'date' ? 'date' : 'date or time'}. Use ${example}, -14d or today.`
    return /^\d/.test(value) ? wrong(problem, nearest) : suggesting(problem, nearest)
  }
  if (typeof value !== 'object' || 'me' in value)
    return wrong(`${field.key} holds ${holds[field.type]}. Use one such as ${example}, -14d or today.`)
  if ('relative' in value) return isFar(value.relative) ? wrong(tooFar) : { value }
  const isSpan = value.range !== 'today' && op !== 'in' && op !== 'not_in'
  return isSpan ? wrong(`${value.range} is a range of days. Use ${field.key} in ${value.range}, or not in.`) : { value }
}

const knownMoments = [...ranges, 'now'].map((key) => ({ key }))

const mostYears = 1000
export const tooFar = `Use at most ${mostYears.toLocaleString('en')} years from now.`
const perYear: Record<string, number> = { min: 525_600, h: 8760, d: 365, w: 52, mo: 12, q: 4, y: 1 }
export const isFar = (relative: string) => {
  const [, amount, unit] = /^[+-](\d+)([a-z]+)$/.exec(relative) ?? []
  return unit !== undefined && Number(amount) / perYear[unit]! > mostYears
}

const tooLarge = `This number is too large. Use at most ${Number.MAX_SAFE_INTEGER}.`

const wrong = (message: string, nearest: string[] = []): Wrong => ({ message, nearest })
