// Resolves a checked filter for one caller at one point in time. Only comparable values are left, for SQL and `evaluate`.
import { countriesNamed, plainName } from '../regions/countries.ts'
import type { Checked, CheckedCondition, Step } from './check.ts'
import { type Comparable, comparableText, comparableValue } from './comparable.ts'
import { passes } from './evaluate.ts'
import { type Fault, type Faults, mostFaults } from './faults.ts'
import { type FieldType, type FilterField, isPartial, isText } from './fields.ts'
import { fold } from './fold.ts'
import { daySpan, type Here, type Interval, momentSpan, type Span } from './moments.ts'
import { allUsers, type Found, findReference, type References } from './references.ts'
import type { Value } from './tree.ts'

/**
 * Every part is either true or false for a record.
 * any: at least one record of these objects that the last relation of the path links to matches `where`.
 * search: every word is in the record, as the server reads words.
 * test: at least one value of the field at the end of the path passes. Without a value, or without a related record,
 * nothing passes, so `not` around a test is true. This is how !=, not in, !~ and is empty treat empty values.
 */
export type Resolved =
  | { kind: 'and' | 'or'; parts: Resolved[] }
  | { kind: 'not'; part: Resolved }
  | { kind: 'any'; path: Step[]; objects: string[]; where: Resolved }
  | { kind: 'search'; text: string }
  | { kind: 'test'; path: Step[]; test: Test }

/**
 * present: there is a value, even one that cannot be compared.
 * oneOf: a value equals one of these. allOf: each of these equals a value.
 * contains, startsWith, endsWith: a value contains, starts or ends with this text, which is never empty.
 * within: a value is in one of these intervals.
 */
export type Test =
  | { kind: 'present' }
  | { kind: 'oneOf' | 'allOf'; values: Comparable[] }
  | { kind: 'contains' | 'startsWith' | 'endsWith'; text: string }
  | { kind: 'within'; intervals: Interval[] }

export type Situation = Here & {
  /** The current user. */
  me?: string
  /** Languages for the names of countries, in addition to English. */
  languages?: string[]
  /** The results for `referencesIn(checked)`. */
  references?: References
}

type Resolving = Situation & { faults: Fault[] }

export function resolve(checked: Checked, situation: Situation): { resolved: Resolved } | Faults {
  const resolving: Resolving = { ...situation, faults: [] }
  const resolved = resolveNode(resolving, checked)
  return resolving.faults.length ? { faults: resolving.faults.slice(0, mostFaults) } : { resolved }
}

function resolveNode(resolving: Resolving, node: Checked): Resolved {
  if ('parts' in node) return { kind: node.kind, parts: node.parts.map((part) => resolveNode(resolving, part)) }
  if (node.kind === 'search') return { kind: 'search', text: node.text }
  if (node.kind === 'condition') return resolveCondition(resolving, node)
  if (node.kind === 'quiet') return resolveQuiet(resolving, node)
  if (node.kind === 'not') return not(resolveNode(resolving, node.part))
  const any: Resolved = {
    kind: 'any',
    path: node.path,
    objects: node.objects,
    where: resolveNode(resolving, node.where),
  }
  return node.kind === 'any' ? any : not(any)
}

const not = (part: Resolved): Resolved => ({ kind: 'not', part })

/** The last activity, or the creation if there was none, is longer ago. */
function resolveQuiet(here: Here, { duration, activity, creation }: Extract<Checked, { kind: 'quiet' }>): Resolved {
  const { gte: since } = momentSpan({ relative: `-${duration}` }, here)
  const isBefore = (path: Step[]): Resolved => ({ kind: 'test', path, test: within({ lt: since }) })
  const isActive: Resolved = { kind: 'test', path: activity, test: { kind: 'present' } }
  return {
    kind: 'or',
    parts: [isBefore(activity), { kind: 'and', parts: [not(isActive), isBefore(creation)] }],
  }
}

const negative = new Set(['ne', 'not_contains', 'not_in', 'is_empty', 'has_none'])

function resolveCondition(resolving: Resolving, condition: CheckedCondition): Resolved {
  const { path, op } = condition
  const { part } = path.at(-1)!.field
  if (part) {
    const test = part === 'domain' ? domainTest(condition) : nameTest(resolving, condition)
    return negative.has(op) ? not(test) : test
  }
  const test: Resolved = { kind: 'test', path, test: testOf(resolving, condition) }
  const isNamed = path.at(-1)!.field.type === 'country' && isPartial(op)
  const whole = isNamed ? withCountries(resolving, condition, test) : test
  return negative.has(op) ? not(whole) : whole
}

/** An address of a domain ends with it. It also contains it, which an index can find. */
function domainTest({ path, op, values }: CheckedCondition): Resolved {
  const ofField = path.slice(0, -1)
  const test = (test: Test): Resolved => ({ kind: 'test', path: ofField, test })
  if (!values.length) return test({ kind: 'present' })
  const parts = values.map((value): Resolved => {
    const domain = comparableText('email', String(value)).replace(/^@/, '')
    const text = op === 'ends_with' ? domain : `@${domain}`
    return { kind: 'and', parts: [test({ kind: 'contains', text }), test({ kind: 'endsWith', text })] }
  })
  return parts.length === 1 ? parts[0]! : { kind: 'or', parts }
}

/** Becomes a comparison with the users who have such a name. Without a list of users, only the database can answer. */
function nameTest({ references = {} }: Situation, condition: CheckedCondition): Resolved {
  const { path, op, values } = condition
  const ofUser = path.slice(0, -1)
  if (!values.length) return { kind: 'test', path: ofUser, test: { kind: 'present' } }
  const test = textTest(path.at(-1)!.field, op, values as string[])
  const users = Object.hasOwn(references, allUsers) ? references[allUsers]! : undefined
  if (!users || 'nearest' in users) return { kind: 'test', path, test }
  const ids = users.filter(({ title }) => passes(test, fold(title))).map(({ id }) => id)
  return { kind: 'test', path: ofUser, test: { kind: 'oneOf', values: ids } }
}

/** Countries are stored by code, but people search for part of the name. */
function withCountries(
  { languages = [] }: Situation,
  { path, op, values }: CheckedCondition,
  test: Resolved,
): Resolved {
  const part = plainName(String(values[0]))
  if (part === '') return test
  const isAlike = (name: string) =>
    op === 'starts_with' ? name.startsWith(part) : op === 'ends_with' ? name.endsWith(part) : name.includes(part)
  const codes = countriesNamed(isAlike, languages).map(fold)
  if (!codes.length) return test
  return { kind: 'or', parts: [{ kind: 'test', path, test: { kind: 'oneOf', values: codes } }, test] }
}

function testOf(resolving: Resolving, condition: CheckedCondition): Test {
  const { op, values, path } = condition
  const { field } = path.at(-1)!
  if (op === 'is_empty' || op === 'is_not_empty') return { kind: 'present' }
  if (isText(field)) return textTest(field, op, values as string[])
  if (field.type === 'user' || field.type === 'relation') {
    const ids = values.map((value, i) => idOf(resolving, condition, value, i))
    return { kind: op === 'has_all' ? 'allOf' : 'oneOf', values: [...new Set(ids)] }
  }
  if (field.type === 'select' || field.type === 'multi_select' || field.type === 'boolean')
    return { kind: op === 'has_all' ? 'allOf' : 'oneOf', values: [...new Set(values as (string | boolean)[])] }
  return spanTest(
    op,
    values.map((value) => spanOf(field, value, resolving)),
  )
}

function textTest(field: FilterField, op: CheckedCondition['op'], values: string[]): Test {
  const texts = values.map((value) => (isPartial(op) ? partText(field.type, value) : comparableValue(field, value)))
  if (op === 'contains' || op === 'not_contains') return { kind: 'contains', text: texts[0]! }
  if (op === 'starts_with') return { kind: 'startsWith', text: texts[0]! }
  if (op === 'ends_with') return { kind: 'endsWith', text: texts[0]! }
  return { kind: 'oneOf', values: [...new Set(texts)] }
}

/** With contains, starts with and ends with, "Germany" is text, not the code DE. */
const partText = (type: FieldType, text: string) => (type === 'country' ? fold(text) : comparableText(type, text))

function idOf(resolving: Resolving, condition: CheckedCondition, value: Value, index: number) {
  const found: Found = findReference(resolving, condition, value, index)
  if ('id' in found) return found.id
  resolving.faults.push(found.fault)
  return ''
}

function spanOf(field: FilterField, value: Value, here: Here): Span {
  if (field.type === 'date') return daySpan(value, here)
  if (field.type === 'datetime') return momentSpan(value, here)
  return { gte: value as number, lte: value as number }
}

/** A value can span a day or more. The operator decides whether its start or its end counts. */
function spanTest(op: CheckedCondition['op'], spans: Span[]): Test {
  const [first, second = first] = spans as [Span, Span?]
  if (op === 'lt') return within({ lt: first.gte })
  if (op === 'gte') return within({ gte: first.gte })
  if (op === 'lte') return within(upTo(first))
  if (op === 'gt') return within('lte' in first ? { gt: first.lte } : { gte: first.lt })
  if (op === 'between') return within({ gte: first.gte, ...upTo(second) })
  const isPoint = (span: Span) => 'lte' in span && span.gte === span.lte
  if (spans.every(isPoint)) return { kind: 'oneOf', values: [...new Set(spans.map((span) => span.gte))] }
  return within(...spans)
}

const within = (...intervals: Interval[]): Test => ({ kind: 'within', intervals })
const upTo = (span: Span): Interval => ('lte' in span ? { lte: span.lte } : { lt: span.lt })
