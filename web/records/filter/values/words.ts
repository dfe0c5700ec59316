import type { Tree } from '@lezer/common'
import { isWord, meaningOf, scaledNumber } from '../../../../contract/filter/bare-words.ts'
import { type Fault, type FilterField, type Op, operatorsOf, parser } from '../../../../contract/filter/index.ts'
import { printPath } from '../../../../contract/filter/path.ts'
import { quote } from '../../../../contract/filter/strings.ts'

const words: Record<Op, string> = {
  eq: 'is',
  ne: 'is not',
  contains: 'contains',
  not_contains: 'does not contain',
  starts_with: 'starts with',
  ends_with: 'ends with',
  in: 'is any of',
  not_in: 'is none of',
  lt: 'is below',
  lte: 'is at most',
  gt: 'is above',
  gte: 'is at least',
  between: 'is between',
  is_empty: 'is empty',
  is_not_empty: 'is not empty',
  has_any: 'has any of',
  has_all: 'has all of',
  has_none: 'has none of',
}
const momentWords: Partial<Record<Op, string>> = {
  in: 'is in',
  not_in: 'is not in',
  lt: 'is before',
  lte: 'is not after',
  gt: 'is after',
  gte: 'is not before',
}

export const isMoment = ({ type }: FilterField) => type === 'date' || type === 'datetime'

export const wordsFor = (op: Op, field: FilterField) => (isMoment(field) && momentWords[op]) || words[op]

/** Of choices from a list, one and several are the same to the eye: `is` becomes `is any of` with the second. */
export const isChoice = (field: FilterField) =>
  field.type === 'select' || field.type === 'country' || field.type === 'user' || isLink(field)
const isLink = ({ type, many }: FilterField) => type === 'relation' && !many
const forSeveral: Partial<Record<Op, Op>> = { eq: 'in', ne: 'not_in' }
const forOne: Partial<Record<Op, Op>> = { in: 'eq', not_in: 'ne' }

export function fittingOp(field: FilterField, op: Op, count: number): Op {
  if (!isChoice(field)) return op
  return (count > 1 ? forSeveral : forOne)[op] ?? op
}

/** What to choose from; of a choice the one form for both. */
export const offeredOps = (field: FilterField) =>
  operatorsOf(field).filter((op) => !(isChoice(field) && forOne[op] !== undefined))
export const shownOp = (field: FilterField, op: Op) => (isChoice(field) && forOne[op]) || op

/** What one most likely wants to ask of such a field. */
export function firstOp(field: FilterField): Op {
  const allowed = operatorsOf(field)
  const wish: Op = isMoment(field) ? 'in' : field.type === 'number' || field.type === 'money' ? 'gte' : 'contains'
  if (isChoice(field)) return allowed[0]!
  return allowed.includes(wish) ? wish : allowed[0]!
}

/** What kind of field it is, in a word or two. */
export const typeWords = ({ type, many, multi }: FilterField) => {
  if (type === 'relation') return many ? 'relation to many' : 'relation'
  return `${type.replaceAll('_', ' ')}${multi ? ', several' : ''}`
}

// What the parser takes each word of a filter for, so that it can be coloured.

export type WordKind = 'keyword' | 'field' | 'operator' | 'text' | 'number' | 'moment'

const byNode: Record<string, WordKind> = {
  Keyword: 'keyword',
  Name: 'field',
  QuotedName: 'field',
  Symbol: 'operator',
  String: 'text',
}

export function wordsOf(tree: Tree, text: string) {
  const words: { from: number; to: number; kind: WordKind }[] = []
  tree.iterate({
    enter: (node) => {
      const { name, from, to } = node
      const isDuration = name === 'Bare' && node.matchContext(['Quiet'])
      const kind = isDuration ? 'moment' : name === 'Bare' ? kindOfBare(text.slice(from, to)) : byNode[name]
      if (kind && to > from) words.push({ from, to, kind })
    },
  })
  return words
}

function kindOfBare(word: string): WordKind {
  const value = meaningOf(word)
  if (typeof value === 'number' || scaledNumber(word) !== undefined) return 'number'
  return typeof value === 'object' || /^\d{4}-\d\d-\d\d/.test(word) ? 'moment' : 'text'
}

/** The change that puts a nearest name in place of what was found, written as it must be there. */
export function replacing(text: string, { at }: Fault, name: string) {
  const { offset, length } = at ?? { offset: text.length, length: 0 }
  const node = parser.parse(text).resolveInner(offset, 1).name
  const isName = node === 'Name' || node === 'QuotedName'
  const isValue = node === 'Bare' || node === 'String'
  const insert = isName ? printPath(`\`${name}\``) : isValue && !isWord(name) ? quote(name) : name
  return { from: offset, to: offset + length, insert }
}
