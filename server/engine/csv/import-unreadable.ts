// Values of a row that cannot be read: the row fails or, if the caller chose so, is imported without them.
import type { FieldError } from '../../../contract/shared/errors.ts'
import { isOfPipelines } from '../objects/options.ts'
import type { Target } from '../schema/target.ts'
import type { Values } from '../values/from-row.ts'
import { type Reading, readValues } from '../values/read-values.ts'
import { defaultsOf } from '../write/create.ts'
import type { ImportInput } from './import-input.ts'
import type { Line } from './import-line.ts'
import { fieldCalled, isStatus, type Mapped, titleKeys, titleTarget } from './mapping.ts'

type Of = { target: Target; input: ImportInput }
export type Unreadable = { column: string; value: string; problem: string }

/** Whether a row may be imported without the value. Not if another record would come of it. */
function canBeLeftOut({ target, input }: Of, key: string): boolean {
  const { object } = target
  const field = fieldCalled(object, key)
  if (input.on_invalid !== 'leave_out' || key === 'id' || key === input.match_by || isStatus(object, { key }))
    return false
  if (key === titleTarget(object) || titleKeys(object).includes(key)) return false
  if (!field) return true
  // The ID that the object has in another system.
  if (field.is_required || (field.is_unique && !field.is_multi)) return false
  if (field.type !== 'select' && field.type !== 'multi_select') return true
  const isAsked = input.mapping.some((mapped) => mapped.key === key && mapped.if_missing === 'fail')
  return !isAsked && !isOfPipelines(object, field)
}

export function addUnreadable(of: Of, line: Line, { index, key }: Mapped, problem: string) {
  const column = of.input.columns[index]!
  const cell = line.row.cells[index] ?? ''
  if (canBeLeftOut(of, key)) line.unreadable.push({ column, value: cell, problem })
  else line.faults.push(asFault({ column, value: cell, problem }))
}

/** Reads the values of a line, without those that can be left out. What is wrong with the others is returned. */
export function readLeavingOut(of: Of, line: Line, given: Values, reading: Reading) {
  const { schema, object } = of.target
  const read = readValues(schema, object, given, line.path, reading)
  if (of.input.on_invalid !== 'leave_out' || !read.faults.length) return read
  const { values } = read
  const faults = read.faults.filter((fault) => {
    const key = keyIn(fault)
    const value = key === undefined ? undefined : given[key]
    if (key === undefined || value === undefined) return true
    const good = Array.isArray(value) ? readItems(of, line, key, value, reading) : []
    if (!good.length && !canBeLeftOut(of, key)) return true
    if (Array.isArray(value)) noteItems(of, line, key, value, reading)
    else noteValue(of, line, key, value, fault.message)
    const instead = good.length || line.before ? undefined : defaultsOf(of.target)[key]
    if (good.length) values[key] = [...new Set(good)]
    else if (instead !== undefined) values[key] = instead
    return false
  })
  return { values, faults }
}

const readItem = ({ target: { schema, object } }: Of, { path }: Line, key: string, item: unknown, reading: Reading) =>
  readValues(schema, object, { [key]: [item] }, path, reading)

const readItems = (of: Of, line: Line, key: string, items: unknown[], reading: Reading) =>
  items.flatMap((item) => (readItem(of, line, key, item, reading).values[key] as unknown[] | null | undefined) ?? [])

function noteItems(of: Of, line: Line, key: string, items: unknown[], reading: Reading) {
  for (const item of items)
    for (const { message } of readItem(of, line, key, item, reading).faults)
      noteValue(of, line, key, item, message, true)
}

function noteValue({ input }: Of, line: Line, key: string, value: unknown, message: string, isOfList = false) {
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  const mapped = input.mapping.filter((one) => one.key === key)
  const from = mapped.find(({ index }) => line.row.cells[index]?.includes(text))
  const filled = from ?? mapped.find(({ index }) => line.row.cells[index]?.trim())
  const column = filled ? input.columns[filled.index]! : columnsOf(input, key)
  // A date is not shown as it was understood, but as it was written.
  const written = from || !filled || isOfList ? text : line.row.cells[filled.index]!
  line.unreadable.push({ column, value: written, problem: aboutIn(input, message) })
}

/** Before rows look for their records: by one bad address among several, none would be found. */
export function cleanMatchList(of: Of, line: Line, reading: Reading) {
  const { match_by, on_invalid } = of.input
  const value = match_by === undefined ? undefined : line.values[match_by]
  if (on_invalid !== 'leave_out' || !Array.isArray(value)) return
  const { values } = readLeavingOut(of, line, { [match_by!]: value }, reading)
  if (values[match_by!]) line.values[match_by!] = values[match_by!]
}

/** In the words of the file: with the column instead of the path. */
export function addFaults({ target, input }: Of, lines: Map<string, Line>, faults: FieldError[]) {
  for (const fault of faults) {
    const [rows, i] = fault.path.split('.')
    const key = keyIn(fault)
    const line = lines.get(`${rows}.${i}`)
    const mapped = input.mapping.filter((one) => one.key === key)
    if (!mapped.length) {
      line?.faults.push(aboutField(target, key, fault.message))
      continue
    }
    const cells = mapped.flatMap(({ index }) => line?.row.cells[index]?.trim() || [])
    const about = aboutIn(input, fault.message)
    const isQuoted = cells.some((cell) => cell.length > 2 && ` ${about}`.includes(` ${cell.slice(0, 60)}`))
    const shown = isQuoted ? [] : cells.map((cell) => `${quoted(cell)}:`)
    line?.faults.push(`${columnsOf(input, key)}: ${[...shown, about].join(' ')}`)
  }
}

/** No column goes into it. */
function aboutField({ object }: Target, key: string | undefined, message: string) {
  const label = key === undefined ? undefined : (object.byKey.get(key)?.label ?? key)
  if (label === undefined) return message
  return message === 'This is required' ? `${label} is required` : `${label}: ${message}`
}

const keyIn = ({ path }: FieldError) => path.split('.')[2]

const columnsOf = ({ mapping, columns }: ImportInput, key: string | undefined) =>
  mapping
    .filter((one) => one.key === key)
    .map(({ index }) => columns[index])
    .join(', ') || key!

const aboutIn = ({ format }: ImportInput, message: string) =>
  /^Use a (date|time) /.test(message)
    ? `This does not match the date format ${dateSamples[format.date_order]}`
    : message

const dateSamples = { ymd: '2026-12-31', dmy: '31.12.2026', mdy: '12/31/2026' }

/** Of a row that fails anyway. */
export const asFault = ({ column, value, problem }: Unreadable) => `${column}: ${quoted(value)}: ${problem}`

/** Of a row that was imported without it. */
export const asNote = ({ column, value, problem }: Unreadable) => {
  const about = problem.startsWith(`${value} is `) ? `It${problem.slice(value.length)}` : problem
  return `${column}: ${quoted(value)} was left out. ${about}`
}

/** What was read, so that it is found in the file. */
const quoted = (cell: string) => `“${cell.trim().replace(/\s+/g, ' ').slice(0, 60)}”`
