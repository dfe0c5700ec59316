// Completions for the filter box: fields, operators, values and keywords.

import type { SyntaxNode } from '@lezer/common'
import { countryCodes, countryName } from '../regions/countries.ts'
import { ranges } from './bare-words.ts'
import { checkPath, fieldsOf, type Step, targetsOf } from './check-path.ts'
import { durationPhrase } from './explain.ts'
import { hasFaults } from './faults.ts'
import { type FilterField, type FilterObjects, isMoment, operatorsOf, partsOf, type Scope } from './fields.ts'
import { fold } from './fold.ts'
import { limits } from './limits.ts'
import { parser } from './parser.ts'
import { joinPath, printPath } from './path.ts'
import { printValue } from './print.ts'
import { quote } from './strings.ts'
import { type Expectation, expectedAfter, isAfterQuietFor } from './syntax.ts'
import { operators } from './tree.ts'

/** `apply` replaces the text from `from` up to the cursor. */
/** `alias` also finds it, but is not shown. */
export type Completion = { label: string; detail: string; apply: string; alias?: string }
export type Completions = { from: number; options: Completion[] }

/** `users` are suggested for user fields; `language` is for the names of countries. */
export type CompletionScope = Scope & { users?: { name: string; email: string }[]; language?: string }

export function complete(text: string, cursor: number, scope: CompletionScope): Completions {
  if (text.length > limits.characters) return { from: Math.min(cursor, text.length), options: [] }
  const typed = wordBefore(text.slice(0, cursor))
  const from = Math.min(cursor, text.length) - typed.length
  const before = text.slice(0, from)
  const expected = expectedAfter(before)
  const place = placeAt(before, scope)
  const isQuiet = isAfterQuietFor(before) && expected.has('value')
  const options = isQuiet ? durations : place ? optionsFor(expected, place, scope) : []
  const isAfterSign = typed === '' && /["`)]$/.test(before)
  return { from, options: fitting(isAfterSign ? options.map(apart) : options, typed) }
}

/** Puts a space before a word: `"Ada" and`. */
const apart = (option: Completion) => (/^\p{L}/u.test(option.apply) ? { ...option, apply: ` ${option.apply}` } : option)

/** What is being typed: everything since an open quote, or the word before the cursor. */
function wordBefore(text: string) {
  const closed = /"(?:[^"\\]|\\[\s\S])*"|`[^`]*`/g
  const open = text.replace(closed, (literal) => ' '.repeat(literal.length)).search(/["`]/)
  return open >= 0 ? text.slice(open) : /[^\s()"'`,.:=<>!~]*$/.exec(text)![0]
}

function fitting(options: Completion[], typed: string) {
  const wanted = fold(typed.replace(/^["`]/, ''))
  const names = (option: Completion) => [option.label, option.detail.split(' · ')[0]!, option.alias ?? ''].map(fold)
  const begins = (option: Completion) => names(option).some((name) => name.startsWith(wanted))
  const has = (option: Completion) => names(option).some((name) => name.includes(wanted))
  return [...options.filter(begins), ...options.filter((option) => !begins(option) && has(option))]
}

/** What the cursor is in: the objects whose fields can be used, and the condition. */
type Place = { objects: string[]; condition?: Step; op?: string; parts?: FilterField[] }

function placeAt(before: string, { objects, root }: CompletionScope): Place | undefined {
  const end = before.trimEnd().length
  const chain: SyntaxNode[] = []
  for (let node: SyntaxNode | null = parser.parse(before).resolveInner(end, -1); node; node = node.parent)
    chain.unshift(node)
  let here = [root]
  for (const node of chain) {
    const path = node.name === 'Quantified' && node.getChild(':') ? node.getChild('Path') : null
    if (!path) continue
    const step = lastStep(before, path, here, objects)
    if (!step) return undefined
    here = targetsOf(step.field, objects)
  }
  const path = chain.findLast((node) => node.name === 'Path')
  if (path && before.endsWith('.')) {
    const step = lastStep(before, path, here, objects)
    if (step && partsOf(step.field).length) return { objects: here, parts: partsOf(step.field) }
    return step?.field.type === 'relation' && !step.field.many ? { objects: targetsOf(step.field, objects) } : undefined
  }
  const condition = chain.findLast((node) => node.name === 'Condition')
  const named = condition?.getChild('Path') ?? path
  const op = condition?.getChild('Operator')
  return {
    objects: here,
    condition: named ? lastStep(before, named, here, objects) : undefined,
    op: op ? before.slice(op.from, op.to).toLowerCase() : undefined,
  }
}

function lastStep(text: string, path: SyntaxNode, from: string[], objects: FilterObjects) {
  const nodes = [...path.getChildren('Name'), ...path.getChildren('QuotedName')].sort((a, b) => a.from - b.from)
  const names = nodes.map((node) => text.slice(node.from, node.to).replaceAll('`', ''))
  const spots = names.map(() => ({}))
  const place = { whole: {}, names: spots, op: {}, values: [], bare: [], notation: 'text' as const }
  const steps = checkPath(joinPath(names), from, { objects }, place)
  return hasFaults(steps) ? undefined : steps.at(-1)
}

function optionsFor(expected: Expectation, place: Place, scope: CompletionScope): Completion[] {
  const field = place.condition?.field
  if (expected.has('value')) return field ? valueOptions(field, place.op, scope) : []
  if (expected.has('field')) {
    const fields = place.parts ?? fieldsOf(place.objects, scope.objects)
    const isQuantified = !expected.has('condition')
    const names = fields.filter((one) => !isQuantified || one.type === 'relation').map(fieldOption)
    return isQuantified || !expected.has('open') ? names : [...names, ...beginnings]
  }
  if (expected.has('operator') && field) return operatorsOf(field).map((op) => word(operators[op].text, detailOf(op)))
  return (Object.keys(following) as (keyof typeof following)[]).flatMap((kind) =>
    expected.has(kind) ? following[kind] : [],
  )
}

const word = (label: string, detail = '', apply = `${label} `): Completion => ({ label, detail, apply })
const beginnings = [
  word('not', 'the opposite'),
  word('any', 'a related record matches', 'any('),
  word('none', 'no related record matches', 'none('),
  word('search', 'words anywhere in a record', 'search("'),
  word('quiet for', 'no activity for this long'),
]
const durations = ['7d', '14d', '30d', '3mo', '1y'].map((duration) =>
  word(duration, durationPhrase(duration), duration),
)
const following = {
  with: [word('with')],
  for: [word('for')],
  empty: [word('empty'), word('not empty')],
  of: [word('any'), word('all'), word('none')],
  in: [word('in')],
  colon: [word(':', 'then a condition', ': ')],
  and: [word('and')],
  or: [word('or')],
  comma: [word(',', 'another value', ', ')],
  close: [word(')', '', ')')],
}

const details: Record<string, string> = {
  eq: 'is',
  ne: 'is not',
  contains: 'contains',
  not_contains: 'does not contain',
  lt: 'less than or before',
  lte: 'at most',
  gt: 'more than or after',
  gte: 'at least',
}
const detailOf = (op: string) => details[op] ?? ''

const fieldOption = ({ key, label, type, many }: FilterField): Completion => ({
  label: key,
  detail: `${label} · ${many ? 'relation to many' : type.replace('_', ' ')}`,
  apply: printPath(joinPath([key])),
})

function valueOptions(
  field: FilterField,
  op: string | undefined,
  { users = [], hasCaller = true, language = 'en' }: CompletionScope,
): Completion[] {
  if (field.type === 'boolean') return [word('true', '', 'true'), word('false', '', 'false')]
  if (field.options) return field.options.map(({ key, label }) => word(key, label, printValue(key)))
  if (field.type === 'user')
    return [
      ...(hasCaller ? [word('me', 'the current user', 'me')] : []),
      ...users.map(({ name, email }) => word(name, email, quote(email))),
    ]
  if (field.type === 'country')
    return countryCodes.map((code) => ({
      ...word(code, countryName(code, 'en'), printValue(code)),
      alias: countryName(code, language),
    }))
  if (!isMoment(field)) return []
  if (op?.endsWith('in')) return ranges.map((range) => word(range, '', range))
  return ['today', 'now', '-7d', '-30d', '+7d', '+30d'].map((moment) => word(moment, '', moment))
}
