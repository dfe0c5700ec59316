// Converts JSON to a tree. A bare array becomes `and`, a group of one its only part, a single value after `in` a list.

import { durationPattern, isRange, ranges, relativePattern } from './bare-words.ts'
import { type Fault, type Faults, listed, mostFaults, shortened, suggest, suggesting } from './faults.ts'
import { shapes } from './json.ts'
import { hasLongMarkRun, isStorable, limits, overLimit } from './limits.ts'
import { pathPattern, splitPath } from './path.ts'
import type { Parsed, Place } from './places.ts'
import { print } from './print.ts'
import { marksSentence } from './text-faults.ts'
import { everything, type Filter, type Op, operators, ops, type Value } from './tree.ts'

type Path = (string | number)[]
type Reading = Parsed & { faults: Fault[]; conditions: number }
type Json = Record<string, unknown>

export function fromJson(input: unknown): Parsed | Faults {
  const reading: Reading = { tree: everything, places: new WeakMap(), faults: [], conditions: 0 }
  const tree = isEverything(input) ? { and: [] } : read(reading, input, [], 1)
  if (reading.faults.length) return { faults: reading.faults.slice(0, mostFaults) }
  const { length } = print(tree)
  if (length > limits.characters) return { faults: [overLimit('characters', `${length} characters`, { path: [] })] }
  return { tree, places: reading.places }
}

/** The filter already has enough errors to report, or is too large. */
const isFull = ({ faults }: Reading) => faults.length >= mostFaults || faults.some(({ limit }) => limit)

function read(reading: Reading, input: unknown, path: Path, level: number): Filter {
  if (isFull(reading)) return everything
  if (level > limits.levels) return tooLarge(reading, 'levels', path)
  if (Array.isArray(input)) return readGroup(reading, 'and', input, path, level)
  if (!isObject(input))
    return wrong(reading, path, input, 'Use an object such as {"field":"status","op":"eq","value":"open"}.')
  if ('and' in input) return readGroup(reading, 'and', only(reading, input, path, 'and').and, [...path, 'and'], level)
  if ('or' in input) return readGroup(reading, 'or', only(reading, input, path, 'or').or, [...path, 'or'], level)
  if ('not' in input) {
    const { not } = only(reading, input, path, 'not')
    return keep(reading, path, { not: read(reading, not, [...path, 'not'], level + 1) })
  }
  if ('any' in input || 'none' in input) return readQuantified(reading, input, path, level)
  reading.conditions++
  if (reading.conditions > limits.conditions) return tooLarge(reading, 'conditions', path)
  if ('search' in input) return readSearch(reading, input, path)
  return 'quiet_for' in input ? readQuiet(reading, input, path) : readCondition(reading, input, path)
}

function readGroup(reading: Reading, kind: 'and' | 'or', parts: unknown, path: Path, level: number): Filter {
  if (!Array.isArray(parts)) return wrong(reading, path, parts, `Use a list of conditions after "${kind}".`)
  if (parts.length === 0) return wrong(reading, path, parts, 'Add a condition to this group, or remove the group.')
  // A list of millions exceeds the limit long before its end.
  const filters = parts.slice(0, limits.conditions + 1).map((part, i) => read(reading, part, [...path, i], level + 1))
  if (filters.length === 1) return filters[0]!
  return keep(reading, path, kind === 'and' ? { and: filters } : { or: filters })
}

function readQuantified(reading: Reading, input: Json, path: Path, level: number) {
  const kind = 'any' in input ? 'any' : 'none'
  const { [kind]: relation, where } = only(reading, input, path, kind)
  const field = readPath(reading, relation, [...path, kind])
  const filter = read(reading, where, [...path, 'where'], level + 1)
  const names = splitPath(field).map(() => ({ path: [...path, kind] }))
  return keep(reading, path, kind === 'any' ? { any: field, where: filter } : { none: field, where: filter }, { names })
}

function readSearch(reading: Reading, input: Json, path: Path) {
  const { search } = only(reading, input, path, 'search')
  const at = [...path, 'search']
  if (typeof search !== 'string') return wrong(reading, at, search, 'Use a string as the search term.')
  refuseText(reading, search, at)
  return keep(reading, path, { search }, { values: [{ path: at }] })
}

function readQuiet(reading: Reading, input: Json, path: Path) {
  const { quiet_for } = only(reading, input, path, 'quiet_for')
  const at = [...path, 'quiet_for']
  if (typeof quiet_for !== 'string' || !durationPattern.test(quiet_for))
    return wrong(reading, at, quiet_for, 'Use a length of time such as "14d", "3w" or "6mo".')
  return keep(reading, path, { quiet_for }, { values: [{ path: at }] })
}

function readCondition(reading: Reading, input: Json, path: Path): Filter {
  const [key, given] = Object.entries(input)[0] ?? []
  if (key !== undefined && !Object.keys(shapes.condition).some((name) => name in input))
    return wrong(reading, path, key, exampleFor(key, given))
  const { field, op, value } = only(reading, input, path, 'condition')
  const name = readPath(reading, field, [...path, 'field'])
  const names = splitPath(name).map(() => ({ path: [...path, 'field'] }))
  const at = [...path, 'value']
  if (!isOp(op)) return unknownOp(reading, op, [...path, 'op'])
  const { operands } = operators[op]
  // A list with more values than a filter may have characters is too long anyway.
  const list = (Array.isArray(value) ? value : [value]).slice(0, limits.characters)
  const spots = list.map((_, i) => (Array.isArray(value) ? [...at, i] : at))
  const place = { names, op: { path: [...path, 'op'] }, values: spots.map((spot) => ({ path: spot })) }
  if (operands === 'none') {
    if (value !== undefined) return wrong(reading, at, value, `Remove the value: ${op} does not take one.`)
    return keep(reading, path, { field: name, op }, { ...place, values: [] })
  }
  if (value === undefined) return wrong(reading, path, 'no value', `Add a value: ${op} needs one.`)
  if (operands === 'one') {
    if (Array.isArray(value))
      return wrong(reading, at, value, `Use a single value: ${op} does not take a list. For a list, use in.`)
    return keep(reading, path, { field: name, op, value: readValue(reading, value, at) }, place)
  }
  if (list.length === 0) return wrong(reading, at, value, 'Use at least one value.')
  if (operands === 'pair' && list.length !== 2)
    return wrong(reading, at, value, 'Use a list of two values, the lower first.')
  const values = list.map((one, i) => readValue(reading, one, spots[i]!))
  return keep(reading, path, { field: name, op, value: values }, place)
}

/** {"status": "open"}, as many other languages write it. */
const exampleFor = (key: string, value: unknown) => {
  const isPlain = ['string', 'number', 'boolean'].includes(typeof value) && String(value).length <= 60
  const [field, example] = pathPattern.test(key) && key.length <= 63 && isPlain ? [key, value] : ['status', 'open']
  return `Use {"field":${JSON.stringify(field)},"op":"eq","value":${JSON.stringify(example)}}, or text: ${field} = ${JSON.stringify(example)}.`
}

function readPath(reading: Reading, input: unknown, path: Path) {
  if (typeof input === 'string' && input.length <= 300 && pathPattern.test(input)) return input
  wrong(reading, path, input, 'Use the key of a field, such as "status" or "organization.country".')
  return ''
}

/** Reports text that could never match, because nothing like it can be stored. */
function refuseText(reading: Reading, text: string, path: Path) {
  if (text.length > limits.characters)
    reading.faults.push(overLimit('characters', `${text.length} characters`, { path }))
  else if (!isStorable(text)) wrong(reading, path, text, 'Remove NUL and invalid characters. They cannot be stored.')
  else if (hasLongMarkRun(text)) wrong(reading, path, text, marksSentence)
}

function readValue(reading: Reading, value: unknown, path: Path): Value {
  if (isFull(reading)) return ''
  if (typeof value === 'string') {
    refuseText(reading, value, path)
    return value
  }
  if (typeof value === 'boolean') return value
  if (typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER) return value || 0
  if (isObject(value) && Object.keys(value).length === 1) {
    if (value.me === true) return { me: true }
    if (typeof value.relative === 'string' && relativePattern.test(value.relative)) return { relative: value.relative }
    if (typeof value.range === 'string') {
      if (isRange(value.range)) return { range: value.range }
      return unknownRange(reading, value.range, [...path, 'range'])
    }
  }
  if (typeof value === 'number') {
    wrong(reading, path, value, `Use a number from -${Number.MAX_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}.`)
    return ''
  }
  const forms = 'text, a number, true, false, {"me":true}, {"relative":"-14d"}, {"relative":"now"} or {"range":"today"}'
  wrong(reading, path, value, `Use ${forms}.`)
  return ''
}

const isObject = (input: unknown): input is Json => typeof input === 'object' && input !== null && !Array.isArray(input)
const isOp = (op: unknown): op is Op => typeof op === 'string' && Object.hasOwn(operators, op)

function isEverything(input: unknown) {
  const list = isObject(input) && 'and' in input && Object.keys(input).length === 1 ? input.and : input
  return Array.isArray(list) && list.length === 0
}

/** Returns the input and reports each property that this kind of object does not have. */
function only(reading: Reading, input: Json, path: Path, kind: keyof typeof shapes) {
  const keys = Object.keys(shapes[kind])
  for (const key of Object.keys(input)) {
    if (keys.includes(key)) continue
    if (isFull(reading)) break
    const nearest = suggest(reading, key, named(keys))
    const said = suggesting(`There is no property ${shortened(key)} here.`, nearest)
    reading.faults.push({ path: [...path, key], found: shortened(key), ...said })
  }
  return input
}

function keep(reading: Reading, path: Path, tree: Filter, parts: Partial<Place> = {}) {
  const whole = { path }
  reading.places.set(tree, { whole, names: [], op: whole, values: [], bare: [], notation: 'json', ...parts })
  return tree
}

function tooLarge(reading: Reading, limit: 'levels' | 'conditions', path: Path) {
  reading.faults.push(overLimit(limit, 'more', { path }))
  return everything
}

function wrong(reading: Reading, path: Path, input: unknown, message: string) {
  reading.faults.push({ path, found: describe(input), message, nearest: [] })
  return everything
}

function unknownOp(reading: Reading, op: unknown, path: Path) {
  if (op === undefined) return wrong(reading, path, 'nothing', `Add "op", one of ${listed(ops, 'or')}.`)
  const found = typeof op === 'string' ? op : describe(op)
  const nearest = suggest(reading, found, named(ops))
  const said = suggesting(`There is no operator ${shortened(found)}.`, nearest)
  reading.faults.push({ path, found: shortened(found), ...said, operators: ops })
  return everything
}

function unknownRange(reading: Reading, found: string, path: Path): Value {
  const nearest = suggest(reading, found, named(ranges))
  const said = suggesting(`There is no range ${shortened(found)}.`, nearest)
  reading.faults.push({ path, found: shortened(found), ...said })
  return ''
}

const named = (keys: readonly string[]) => keys.map((key) => ({ key }))

function describe(input: unknown) {
  if (typeof input === 'string') return shortened(input)
  if (Array.isArray(input)) return input.length ? 'a list' : 'an empty list'
  return isObject(input) ? shortened(Object.keys(input).slice(0, 20).join(', ') || 'an empty object') : String(input)
}
