// Explains a checked filter in plain English.

import { countryName, isCountry } from '../regions/countries.ts'
import { inSentence } from '../shared/in-sentence.ts'
import type { Checked, CheckedCondition } from './check.ts'
import { listed } from './faults.ts'
import { type FilterField, isMoment, isPartial, isText } from './fields.ts'
import { printValue } from './print.ts'
import type { Op, Value } from './tree.ts'

/** "Status is Active, and score is above 50." */
export function explain(checked: Checked) {
  const text = phrase(checked, false) || 'all records'
  return `${text[0]!.toUpperCase()}${text.slice(1)}.`
}

function phrase(node: Checked, nested: boolean): string {
  if (node.kind === 'search') return `its text contains "${node.text}"`
  if (node.kind === 'quiet') return `it has had no activity for ${durationPhrase(node.duration)}`
  if (node.kind === 'condition') return conditionPhrase(node)
  if (node.kind === 'not') return notPhrase(node.part)
  if ('where' in node) {
    const [subject, many] = [node.path.slice(0, -1), node.path.slice(-1)]
    const has = `${pathPhrase({ path: subject }) || 'it'} has${node.kind === 'any' ? '' : ' no'}`
    const status = statusPhrase(node.where)
    if (status) return `${has} ${status} ${pathPhrase({ path: many })}`
    return `${has} ${pathPhrase({ path: many })} where ${phrase(node.where, true)}`
  }
  const parts = node.parts.map((part) => phrase(part, node.kind === 'or' || 'parts' in part))
  const text = node.kind === 'or' ? `either ${listed(parts, 'or')}` : parts.join(', and ')
  return nested ? `(${text})` : text
}

/** "open" of `status = open`: "it has no open tasks". */
function statusPhrase(where: Checked) {
  if (where.kind !== 'condition' || where.op !== 'eq' || where.path.length > 1) return undefined
  const { field } = where.path[0]!
  const label = field.options?.find(({ key }) => key === where.values[0])?.label
  return field.key === 'status' && label ? inSentence(label) : undefined
}

const opposites: Partial<Record<Op, Op>> = {
  eq: 'ne',
  contains: 'not_contains',
  in: 'not_in',
  is_empty: 'is_not_empty',
  has_any: 'has_none',
}
const opposite = (op: Op) => opposites[op] ?? (Object.keys(opposites) as Op[]).find((key) => opposites[key] === op)

function notPhrase(part: Checked) {
  const op = part.kind === 'condition' && opposite(part.op)
  return op ? conditionPhrase({ ...(part as CheckedCondition), op }) : `not (${phrase(part, false)})`
}

const several: Partial<Record<Op, Op>> = { ne: 'eq', not_contains: 'contains', not_in: 'in' }

function conditionPhrase(condition: CheckedCondition) {
  const { op, values, path } = condition
  const { field } = path.at(-1)!
  const name = pathPhrase(condition)
  if (!field.multi || op.startsWith('is_')) return `${name} ${verbPhrase(field, op, values)}`
  const positive = several[op]
  return `${positive ? 'none' : 'one'} of ${name} ${verbPhrase(field, positive ?? op, values)}`
}

const pathPhrase = ({ path }: Pick<CheckedCondition, 'path'>) =>
  path.map(({ field }) => inSentence(field.label)).join("'s ")

function verbPhrase(field: FilterField, op: Op, values: Value[]) {
  const words = values.map((value) => (isPartial(op) ? JSON.stringify(value) : valuePhrase(field, value)))
  const [first = '', second = ''] = words
  if (op === 'is_empty') return 'is empty'
  if (op === 'is_not_empty') return 'is not empty'
  if (op === 'eq') return `is ${first}`
  if (op === 'ne') return `is not ${first}`
  if (op === 'contains') return `contains ${first}`
  if (op === 'not_contains') return `does not contain ${first}`
  if (op === 'starts_with') return `starts with ${first}`
  if (op === 'ends_with') return `ends with ${first}`
  if (op === 'between') return `is between ${first} and ${second}`
  if (op === 'in') return `is ${isMoment(field) ? 'in ' : ''}${listed(words, 'or')}`
  if (op === 'not_in') return `is ${isMoment(field) ? 'not in' : 'not'} ${listed(words, 'or')}`
  if (op.startsWith('has_')) return `has ${op.slice(4)} of ${listed(words, 'and')}`
  return `is ${(isMoment(field) ? timeWords : amountWords)[op as 'lt']} ${first}`
}

const amountWords = { lt: 'below', lte: 'at most', gt: 'above', gte: 'at least' }
const timeWords = { lt: 'before', lte: 'not after', gt: 'after', gte: 'not before' }

/** A value as people say it: 14 days ago, this week, Closed won. */
export function valuePhrase(field: FilterField, value: Value) {
  if (typeof value === 'object') {
    if ('me' in value) return 'me'
    return 'range' in value ? rangePhrase(value.range) : relativePhrase(value.relative)
  }
  if (field.type === 'country' && isCountry(String(value))) return countryName(String(value), 'en')
  if (isText(field)) return JSON.stringify(value)
  return field.options?.find((option) => option.key === value)?.label ?? printValue(value)
}

const rangePhrase = (range: string) =>
  /\d/.test(range) ? `the ${range.replaceAll('_', ' ')}` : range.replaceAll('_', ' ')

const units: Record<string, string> = {
  min: 'minute',
  h: 'hour',
  d: 'day',
  w: 'week',
  mo: 'month',
  q: 'quarter',
  y: 'year',
}

function relativePhrase(relative: string) {
  if (relative === 'now') return 'now'
  const time = durationPhrase(relative.slice(1))
  return relative.startsWith('-') ? `${time} ago` : `${time} from now`
}

/** "14 days" */
export function durationPhrase(duration: string) {
  const amount = Number.parseInt(duration, 10)
  const unit = units[duration.replace(/^\d+/, '')] ?? ''
  return `${amount} ${unit}${amount === 1 ? '' : 's'}`
}
