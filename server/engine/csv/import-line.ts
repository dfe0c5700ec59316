// One row of a file on its way to a record.

import { fold } from '../../../contract/filter/index.ts'
import type { FieldError } from '../../../contract/shared/errors.ts'
import type { Problem } from '../../jobs/job.ts'
import { breathing } from '../../platform/yield-to-others.ts'
import { builtInInUse, type Field } from '../schema/schema.ts'
import type { Target } from '../schema/target.ts'
import type { Stored, Values } from '../values/from-row.ts'
import { extensionIn, readPhone } from '../values/phone.ts'
import { findOption } from '../values/read-values.ts'
import type { Seen } from './import-dry-run.ts'
import type { ImportInput } from './import-input.ts'
import { fullName, isTitleHeader, type Mapped, titleTarget } from './mapping.ts'
import { type CellReading, readCell, readingOf, UnreadableCell } from './read-cell.ts'
import { misshapen, type Row } from './rows.ts'

export type Line = {
  row: Row
  /** The start of the paths of its errors. */
  path: string
  /** By field key, as the API accepts them; users and related records by name. Null: an empty cell that clears. */
  values: Values
  id: string | undefined
  /** What a column of titles says, and the values that come of it. */
  title: { text: string; values: Values } | undefined
  /** The record that it changes. */
  before: Stored | undefined
  /** The record that it has become. */
  record_id: string | undefined
  /** It names a record that a later row may create, or follows a row that does. */
  waits: boolean
  /** It is imported without some of its links, which are added when the records exist. */
  lacksLinks: boolean
  faults: string[]
  notes: string[]
}

/** Whether it can be imported now. */
export const isOpen = ({ faults, waits }: Line) => !faults.length && !waits

export const isWaiting = ({ faults, waits }: Line) => waits && !faults.length

export type Lines = { input: ImportInput; seen: Seen; target: Target; fields: Map<string, Field> }

export async function readLines(given: Lines, rows: Row[]): Promise<Line[]> {
  const { context, schema } = given.target
  const reading = readingOf(given.input.format, schema, context.now)
  const breathe = breathing()
  const lines: Line[] = []
  for (const [i, row] of rows.entries()) {
    lines.push(readLine(given, row, `rows.${i}`, reading))
    await breathe()
  }
  return lines
}

function readLine(given: Lines, row: Row, path: string, reading: CellReading): Line {
  const line: Line = {
    row,
    path,
    values: {},
    id: undefined,
    title: undefined,
    before: undefined,
    record_id: undefined,
    waits: false,
    lacksLinks: false,
    faults: [],
    notes: [],
  }
  const { columns, mapping } = given.input
  const fault = misshapen(row, columns.length)
  if (fault) return { ...line, faults: [fault] }
  for (const mapped of mapping) {
    try {
      readInto(given, line, mapped, row.cells[mapped.index] ?? '', reading)
    } catch (error) {
      if (!(error instanceof UnreadableCell)) throw error
      line.faults.push(`${columns[mapped.index]}: ${quoted(row.cells[mapped.index])} ${error.message}`)
    }
  }
  return line
}

function readInto(given: Lines, line: Line, mapped: Mapped, cell: string, reading: CellReading) {
  const { key } = mapped
  const isEmpty = !cell.trim()
  if (key === 'id') line.id = isEmpty ? undefined : cell.trim().toLowerCase()
  else if (key === fullName && !given.fields.has(key)) {
    if (!isEmpty) setTitle(line, cell, namesIn(given, cell))
  } else if (isEmpty) {
    if (given.input.empty_cells === 'clear') line.values[key] ??= null
  } else {
    const field = given.fields.get(key)
    if (!field) throw new UnreadableCell(`The field ${key} was removed during the import`)
    const value = readCell(field, cell, reading)
    const known = field.options
      ? withKnownOptions(given, line, mapped, field, value)
      : field.type === 'phone'
        ? withoutExtensions(given, line, mapped, value)
        : value
    if (known === undefined) return
    const { object } = given.target
    if (key === titleTarget(object) && isTitleHeader(object, given.input.columns[mapped.index]!))
      return setTitle(line, cell, { [key]: known })
    line.values[key] = Array.isArray(known) ? [...((line.values[key] as unknown[] | null) ?? []), ...known] : known
  }
}

/** Unknown options stay, and are refused like in any other call, unless the user decided otherwise. */
function withKnownOptions(
  { input, seen }: Lines,
  line: Line,
  mapped: Mapped,
  field: Parameters<typeof findOption>[0],
  value: unknown,
) {
  const { if_missing, index, key } = mapped
  const isKnown = (text: unknown) => findOption(field, String(text)) !== undefined
  if (if_missing === 'fail' || (if_missing === 'create' && !input.dry_run)) return value
  const missing = [value].flat().filter((text) => !isKnown(text))
  if (!missing.length) return value
  if (if_missing === 'create' && !missing.every((text) => seen.options.has(`${key} ${fold(String(text))}`)))
    return value
  if (if_missing === 'leave_empty')
    line.notes.push(`${input.columns[index]}: there is no option ${missing.join(', ')}, so it was left out`)
  if (Array.isArray(value)) return value.filter(isKnown)
  // A dry run has not added the option, so another one stands for it.
  return if_missing === 'create' ? field.options?.[0]?.key : undefined
}

/** A phone field holds only the number. */
function withoutExtensions({ input, target: { schema } }: Lines, line: Line, { index }: Mapped, value: unknown) {
  const plain = (one: unknown) => {
    const text = String(one)
    const extension = extensionIn(text, schema)
    if (!extension) return one
    line.notes.push(`${input.columns[index]}: the extension ${extension} of ${text.slice(0, 60)} was left out`)
    return readPhone(text, schema) ?? one
  }
  return Array.isArray(value) ? value.map(plain) : plain(value)
}

function setTitle(line: Line, cell: string, values: Values) {
  line.title = { text: cell.trim(), values }
  Object.assign(line.values, values)
}

/** The title of a record can be made of several fields, or shortened: one that only repeats it changes none of them. */
export function dropRepeatedTitle({ title, before, values }: Line) {
  if (!title || title.text !== before?.title.trim()) return
  for (const key of Object.keys(title.values)) if (values[key] === title.values[key]) delete values[key]
}

/** The last word is the last name. */
function namesIn({ target: { object } }: Lines, cell: string): Values {
  const [first, last] = [builtInInUse(object, 'first_name'), builtInInUse(object, 'last_name')]
  if (!first || !last) return {}
  const words = cell.trim().split(/\s+/)
  return words.length === 1
    ? { [first.key]: words[0] }
    : { [first.key]: words.slice(0, -1).join(' '), [last.key]: words.at(-1) }
}

/** In the words of the file: with the column instead of the path. */
export function addFaults({ columns, mapping, format }: ImportInput, lines: Map<string, Line>, faults: FieldError[]) {
  for (const { path, message } of faults) {
    const [rows, i, key] = path.split('.')
    const line = lines.get(`${rows}.${i}`)
    const mapped = mapping.filter((one) => one.key === key)
    const names = mapped.map(({ index }) => columns[index])
    const cells = mapped.flatMap(({ index }) => line?.row.cells[index]?.trim() || [])
    const about = /^Use a (date|time) /.test(message)
      ? `This does not match the date format ${dateSamples[format.date_order]}`
      : message
    const isQuoted = cells.some((cell) => cell.length > 2 && ` ${about}`.includes(` ${cell.slice(0, 60)}`))
    line?.faults.push(`${names.join(', ') || key}: ${[...(isQuoted ? [] : cells.map(quoted)), about].join(' ')}`)
  }
}

const dateSamples = { ymd: '2026-12-31', dmy: '31.12.2026', mdy: '12/31/2026' }

/** What was read, so that it is found in the file. */
const quoted = (cell = '') => (cell.trim() ? `“${cell.trim().replace(/\s+/g, ' ').slice(0, 60)}”:` : '')

export function problemsOf({ row: { line, cells }, faults, notes, waits }: Line): Problem[] {
  if (waits && !faults.length) return []
  if (faults.length) return [{ line, message: [...new Set(faults)].join('; '), data: cells }]
  return notes.length ? [{ line, message: notes.join('; '), is_note: true }] : []
}
