// Checks a filter against a company's fields: every name exists, and every operator and value is valid for its field.
import { checkPath, fieldsOf, type Step, targetsOf, unreadable } from './check-path.ts'
import { fitValue, isFar, tooFar } from './check-value.ts'
import { type Fault, type Faults, hasFaults, mostFaults, shortened, written } from './faults.ts'
import { holds, operatorsOf, type Scope } from './fields.ts'
import { fold } from './fold.ts'
import { fromJson } from './from-json.ts'
import type { FilterInput } from './json.ts'
import { limits, longestSearch } from './limits.ts'
import { parse } from './parse.ts'
import { joinPath } from './path.ts'
import type { Parsed, Place } from './places.ts'
import { printValue } from './print.ts'
import { type Condition, type Filter, type Op, operators, type Value, valuesOf } from './tree.ts'

export type { Step } from './check-path.ts'

/** A checked filter. `filter` is the tree to store: it refers to fields and options by their keys. */
export type CheckedFilter = { filter: Filter; checked: Checked; root: string }

/** `objects` are those that the relation links to, limited to those the caller may read. */
export type Checked =
  | { kind: 'and' | 'or'; parts: Checked[] }
  | { kind: 'not'; part: Checked }
  | { kind: 'any' | 'none'; path: Step[]; objects: string[]; where: Checked }
  | { kind: 'search'; text: string }
  | { kind: 'quiet'; duration: string; activity: Step[]; creation: Step[] }
  | CheckedCondition

/** The last step of the path is the field. Values are as in the tree, and valid for the field. */
export type CheckedCondition = { kind: 'condition'; path: Step[]; op: Op; values: Value[]; place: Place }

type Checking = Scope & { places: Parsed['places']; faults: Fault[] }

/** Reads either notation and checks it. */
export function readFilter(input: string | FilterInput, scope: Scope): CheckedFilter | Faults {
  const parsed = typeof input === 'string' ? fromText(input) : fromJson(input)
  return hasFaults(parsed) ? parsed : check(parsed, scope)
}

/** Some clients can only send text. A filter text never starts with a brace, so such a text is JSON. */
function fromText(text: string) {
  if (text.length > limits.characters || !text.trimStart().startsWith('{')) return parse(text)
  try {
    return fromJson(JSON.parse(text))
  } catch {
    // The parser reports what is wrong with it.
    return parse(text)
  }
}

export function check(parsed: Parsed, scope: Scope): CheckedFilter | Faults {
  const checking: Checking = { ...scope, places: parsed.places, faults: [] }
  const checked = checkNode(checking, parsed.tree, [scope.root])
  if (!checked || checking.faults.length) return { faults: checking.faults.slice(0, mostFaults) }
  return { filter: treeOf(checked), checked, root: scope.root }
}

/** Undefined if it has errors. All parts are checked, so that all errors are reported at once. */
function checkNode(checking: Checking, node: Filter, from: string[]): Checked | undefined {
  if (isFull(checking)) return undefined
  if ('and' in node) return checkGroup(checking, 'and', node.and, from)
  if ('or' in node) return checkGroup(checking, 'or', node.or, from)
  if ('not' in node) {
    const part = checkNode(checking, node.not, from)
    return part && { kind: 'not', part }
  }
  const place = checking.places.get(node)!
  if ('where' in node) return checkQuantified(checking, node, from, place)
  if ('search' in node) return checkSearch(checking, node.search, place)
  if ('quiet_for' in node) return checkQuiet(checking, node.quiet_for, from, place)
  return checkCondition(checking, node, from, place)
}

function checkGroup(checking: Checking, kind: 'and' | 'or', nodes: Filter[], from: string[]): Checked | undefined {
  const parts = nodes.map((part) => checkNode(checking, part, from))
  return parts.every((part) => part !== undefined) ? { kind, parts } : undefined
}

type Quantified = Extract<Filter, { where: Filter }>

function checkQuantified(checking: Checking, node: Quantified, from: string[], place: Place): Checked | undefined {
  const kind = 'any' in node ? 'any' : 'none'
  const path = checkPath('any' in node ? node.any : node.none, from, checking, place)
  if (hasFaults(path)) return refuse(checking, ...path.faults)
  const { field } = path.at(-1)!
  const spot = place.names.at(-1)!
  if (field.type !== 'relation') {
    const message = `${kind} only works with related records, but ${field.key} holds ${holds[field.type]}. Compare it directly.`
    return refuse(checking, { ...spot, found: field.key, message, nearest: [], operators: operatorsOf(field) })
  }
  const targets = targetsOf(field, checking.objects)
  if (targets.length === 0) return refuse(checking, unreadable(field, spot))
  const where = checkNode(checking, node.where, targets)
  return where && { kind, path, objects: targets, where }
}

function checkSearch(checking: Checking, text: string, place: Place): Checked | undefined {
  const spot = place.values[0] ?? place.whole
  const refused = (message: string) => refuse(checking, { ...spot, found: text, message, nearest: [] })
  if (text.length > longestSearch)
    return refused(`A search can have at most ${longestSearch} characters. Use fewer words.`)
  return fold(text).trim() === '' ? refused('Enter a search term.') : { kind: 'search', text }
}

function checkQuiet(checking: Checking, duration: string, from: string[], place: Place): Checked | undefined {
  const spot = place.values[0] ?? place.whole
  const stepTo = (key: string) => {
    const field = fieldsOf(from, checking.objects).find((one) => one.key === key && one.type === 'datetime')
    return field && [{ objects: from, field }]
  }
  const [activity, creation] = [stepTo('last_activity_at'), stepTo('created_at')]
  if (!activity || !creation) {
    const message = 'These records have no activity. Remove this condition.'
    return refuse(checking, { ...place.whole, found: 'quiet for', message, nearest: [] })
  }
  if (isFar(`-${duration}`)) return refuse(checking, { ...spot, found: duration, message: tooFar, nearest: [] })
  return { kind: 'quiet', duration, activity, creation }
}

function checkCondition(checking: Checking, node: Condition, from: string[], place: Place): Checked | undefined {
  const path = checkPath(node.field, from, checking, place)
  if (hasFaults(path)) return refuse(checking, ...path.faults)
  const { field } = path.at(-1)!
  const allowed = operatorsOf(field)
  if (!allowed.includes(node.op)) {
    const found = operators[node.op].text
    const what = field.type === 'relation' && field.many ? 'many records' : holds[field.type]
    const message = `${field.key} holds ${what} and does not support ${found}. Use one of: ${written(allowed)}`
    return refuse(checking, { ...place.op, found, message, nearest: [], operators: allowed })
  }
  const use = { field, op: node.op, hasCaller: checking.hasCaller ?? true, faults: checking.faults }
  const values = valuesOf(node).map((value, i) => {
    if (isFull(checking)) return undefined
    const bare = place.bare[i]
    const fit = fitValue(use, value, bare)
    if ('value' in fit) return fit.value
    const found = shortened(bare ?? printValue(value))
    return refuse(checking, { ...place.values[i], found, ...fit, operators: allowed })
  })
  if (!values.every((value) => value !== undefined)) return undefined
  return { kind: 'condition', path, op: node.op, values, place }
}

const isFull = ({ faults }: Faults) => faults.length >= mostFaults

function refuse(checking: Checking, ...faults: Fault[]) {
  checking.faults.push(...faults)
  return undefined
}

/** The tree of a checked filter, by keys. */
export function treeOf(checked: Checked): Filter {
  if ('parts' in checked) {
    const parts = checked.parts.map(treeOf)
    return checked.kind === 'and' ? { and: parts } : { or: parts }
  }
  if ('where' in checked) {
    const [path, where] = [keysOf(checked.path), treeOf(checked.where)]
    return checked.kind === 'any' ? { any: path, where } : { none: path, where }
  }
  if (checked.kind === 'not') return { not: treeOf(checked.part) }
  if (checked.kind === 'search') return { search: checked.text }
  if (checked.kind === 'quiet') return { quiet_for: checked.duration }
  const { op, values, path } = checked
  const { operands } = operators[op]
  if (operands === 'none') return { field: keysOf(path), op }
  return { field: keysOf(path), op, value: operands === 'one' ? values[0]! : values }
}

const keysOf = (path: Step[]) => joinPath(path.map((step) => step.field.key))
