// Parses filter text into a tree.
import type { SyntaxNode } from '@lezer/common'
import { durationPattern, meaningOf } from './bare-words.ts'
import { type Fault, type Faults, mostFaults, type Spot, shortened } from './faults.ts'
import { findMarkRun, isStorable, limits, overLimit } from './limits.ts'
import { joinPath } from './path.ts'
import type { Parsed, Place } from './places.ts'
import { strayBackslash, unquote } from './strings.ts'
import { syntaxOf } from './syntax.ts'
import {
  needsQuotes,
  noDuration,
  numberTooLarge,
  strayEscape,
  syntaxFault,
  takesNoList,
  tooManyMarks,
  unknownOperator,
  unstorable,
} from './text-faults.ts'
import { everything, type Filter, type Op, operators, type Value } from './tree.ts'

type Reading = Parsed & { text: string; faults: Fault[]; conditions: number }
type Depth = { levels: number; brackets: number }

const opOf = new Map(Object.entries(operators).map(([op, { text }]) => [text as string, op as Op]))

export function parse(text: string): Parsed | Faults {
  const all = { at: { offset: 0, length: text.length } }
  if (text.length > limits.characters) return { faults: [overLimit('characters', `${text.length} characters`, all)] }
  if (!isStorable(text)) return { faults: [unstorable(text)] }
  const marks = findMarkRun(text)
  if (marks >= 0) return { faults: [tooManyMarks(text, marks)] }
  const deep = tooDeepAt(text)
  if (deep >= 0)
    return { faults: [overLimit('levels', shortened(text.slice(deep)), { at: { offset: deep, length: 1 } })] }
  const syntax = syntaxOf(text)
  if ('error' in syntax) return { faults: [syntaxFault(text, syntax.error)] }
  const reading: Reading = { tree: everything, places: new WeakMap(), text, faults: [], conditions: 0 }
  const root = syntax.tree.topNode.firstChild
  const tree = root ? read(reading, root, { levels: 1, brackets: 0 }) : { and: [] }
  if (reading.faults.length) return { faults: reading.faults.slice(0, mostFaults) }
  return { tree, places: reading.places }
}

/** Rejects deep nesting before the slow parse. The last level may contain a list, so one more is allowed. */
function tooDeepAt(text: string) {
  let depth = 0
  for (const { 0: sign, index } of text.matchAll(/"(?:[^"\\]|\\[\s\S])*"?|`[^`]*`?|[()]/g)) {
    if (sign === ')') depth--
    if (sign === '(' && ++depth > limits.levels + 1) return index
  }
  return -1
}

function read(reading: Reading, node: SyntaxNode, depth: Depth): Filter {
  const inner = { levels: depth.levels + 1, brackets: depth.brackets }
  const inBrackets = { levels: depth.levels, brackets: depth.brackets + 1 }
  if (depth.levels > limits.levels || depth.brackets > limits.levels) return tooLarge(reading, 'levels', node)
  if (node.name === 'Group') return read(reading, partsOf(node)[0]!, inBrackets)
  if (node.name === 'And') return keep(reading, node, { and: partsOf(node).map((part) => read(reading, part, inner)) })
  if (node.name === 'Or') return keep(reading, node, { or: partsOf(node).map((part) => read(reading, part, inner)) })
  if (node.name === 'Not') return keep(reading, node, { not: read(reading, partsOf(node)[0]!, inner) })
  if (node.name === 'Quantified') return readQuantified(reading, node, { ...inner, brackets: inBrackets.brackets })
  reading.conditions++
  if (reading.conditions > limits.conditions) return tooLarge(reading, 'conditions', node)
  if (node.name === 'Search') return readSearch(reading, node)
  return node.name === 'Quiet' ? readQuiet(reading, node) : readCondition(reading, node)
}

function readQuantified(reading: Reading, node: SyntaxNode, depth: Depth) {
  const [quantifier, path, where] = partsOf(node) as [SyntaxNode, SyntaxNode, SyntaxNode]
  const { field, names } = readPath(reading, path)
  const filter = read(reading, where, depth)
  const tree = written(reading, quantifier) === 'any' ? { any: field, where: filter } : { none: field, where: filter }
  return keep(reading, node, tree, { names, op: spotOf(quantifier) })
}

function readSearch(reading: Reading, node: SyntaxNode) {
  const text = node.getChild('String')!
  const { value } = readValue(reading, text)
  return keep(reading, node, { search: value as string }, { values: [spotOf(text)] })
}

function readQuiet(reading: Reading, node: SyntaxNode) {
  const [value] = partsOf(node) as [SyntaxNode]
  const duration = textOf(reading, value).toLowerCase()
  if (!durationPattern.test(duration)) return refuse(reading, noDuration(textOf(reading, value), spotOf(value)))
  return keep(reading, node, { quiet_for: duration }, { values: [spotOf(value)] })
}

function readCondition(reading: Reading, node: SyntaxNode) {
  const [path, operator, ...operands] = partsOf(node) as [SyntaxNode, SyntaxNode, ...SyntaxNode[]]
  const { field, names } = readPath(reading, path)
  const list = operands[0]?.name === 'List' ? operands[0] : undefined
  const nodes = list ? partsOf(list) : operands
  const values = nodes.map((value) => readValue(reading, value))
  const op = opOf.get(written(reading, operator))
  if (!op) return refuse(reading, unknownOperator(textOf(reading, operator), spotOf(operator)))
  const takes = operators[op].operands
  if (takes === 'one' && list) return refuse(reading, takesNoList(op, textOf(reading, list), spotOf(list)))
  const all = values.map(({ value }) => value)
  const tree = takes === 'none' ? { field, op } : { field, op, value: takes === 'one' ? all[0]! : all }
  const bare = values.map((value) => value.bare)
  return keep(reading, node, tree, { names, op: spotOf(operator), values: nodes.map(spotOf), bare })
}

function readPath(reading: Reading, path: SyntaxNode) {
  const names = partsOf(path)
  const text = names.map((node) => textOf(reading, node).replaceAll('`', ''))
  return { field: joinPath(text), names: names.map(spotOf) }
}

function readValue(reading: Reading, node: SyntaxNode): { value: Value; bare?: string } {
  const text = textOf(reading, node)
  if (node.name === 'String') {
    const stray = strayBackslash(text)
    const spot = { at: { offset: node.from + stray, length: 2 } }
    if (stray >= 0) refuse(reading, strayEscape(text.slice(stray, stray + 2), spot))
    return { value: unquote(text) }
  }
  const value = meaningOf(text)
  if (value === undefined) refuse(reading, needsQuotes(text, spotOf(node)))
  if (typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER)
    refuse(reading, numberTooLarge(text, spotOf(node)))
  return { value: value ?? text, bare: text }
}

/** The nodes that carry meaning: no parentheses, commas, dots or keywords. */
function partsOf(node: SyntaxNode) {
  const parts: SyntaxNode[] = []
  for (let child = node.firstChild; child; child = child.nextSibling)
    if (/^[A-Z]/.test(child.name) && child.name !== 'Keyword') parts.push(child)
  return parts
}

const textOf = (reading: Reading, node: SyntaxNode) => reading.text.slice(node.from, node.to)
const written = (reading: Reading, node: SyntaxNode) =>
  textOf(reading, node)
    .toLowerCase()
    .replace(/[\s\u0085]+/g, ' ')
const spotOf = (node: SyntaxNode): Spot => ({ at: { offset: node.from, length: node.to - node.from } })

function keep(reading: Reading, node: SyntaxNode, tree: Filter, parts: Partial<Place> = {}) {
  const whole = spotOf(node)
  reading.places.set(tree, { whole, names: [], op: whole, values: [], bare: [], notation: 'text', ...parts })
  return tree
}

function tooLarge(reading: Reading, limit: 'levels' | 'conditions', node: SyntaxNode) {
  // Report it once: everything that follows exceeds the limit too.
  if (reading.faults.some((fault) => fault.limit === limit)) return everything
  return refuse(reading, overLimit(limit, shortened(textOf(reading, node)), spotOf(node)))
}

/** Returns a placeholder: the tree of a filter with errors is never used. */
function refuse(reading: Reading, fault: Fault) {
  reading.faults.push(fault)
  return everything
}
