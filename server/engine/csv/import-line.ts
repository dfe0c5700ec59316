// One row of a file on its way to a record.

import { fold } from '../../../contract/filter/index.ts'
import type { FieldError } from '../../../contract/shared/errors.ts'
import { own } from '../../../contract/shared/own.ts'
import { breathing } from '../../platform/yield-to-others.ts'
import type { DealStatus } from '../built-in/deals/stage.ts'
import { builtInInUse, type Field } from '../schema/schema.ts'
import type { Target } from '../schema/target.ts'
import type { Stored, Values } from '../values/from-row.ts'
import { extensionIn, readPhone } from '../values/phone.ts'
import { findOption } from '../values/read-values.ts'
import type { Seen } from './import-dry-run.ts'
import type { ImportInput } from './import-input.ts'
import { fullName, isOrigin, isStatus, isTitleHeader, type Mapped, titleTarget } from './mapping.ts'
import { type CellReading, closedIn, currencyIn, readCell, readingOf, statusIn, UnreadableCell } from './read-cell.ts'
import { misshapen, type Row } from './rows.ts'
import { usualOptions } from './usual-options.ts'

export type Line = {
  row: Row
  /** The start of the paths of its errors. */
  path: string
  /** By field key, as the API accepts them; users and related records by name. Null: an empty cell that clears. */
  values: Values
  id: string | undefined
  /** What a column of titles says, and the values that come of it. */
  title: { text: string; values: Values } | undefined
  /** The users and records that it names, each with the column that does. */
  references: Reference[]
  /** Users and options that it names and that do not exist, with their column. */
  unknown: { column: string; text: string }[]
  /** Of a deal, which chooses its stage. */
  status: DealStatus | undefined
  /** When and by whom a new record was created in the system that it comes from. */
  origin: { created_at?: string; created_by?: string | undefined }
  /** The record that it changes. */
  before: Stored | undefined
  /** The record that it has become. */
  record_id: string | undefined
  /** It names a record that a later row may create, or follows a row that does. */
  waits: boolean
  /** Its record probably exists, and such rows are to be skipped. */
  isSkipped: boolean
  /** It is imported without some of its links, which are added when the records exist. */
  lacksLinks: boolean
  faults: string[]
  notes: string[]
}

export type Reference = { mapped: Mapped; text: string }

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
    references: [],
    unknown: [],
    status: undefined,
    origin: {},
    before: undefined,
    record_id: undefined,
    waits: false,
    isSkipped: false,
    lacksLinks: false,
    faults: [],
    notes: [],
  }
  const { columns, mapping } = given.input
  const fault = misshapen(row, columns.length)
  if (fault) return { ...line, faults: [fault] }
  for (const mapped of inOrder(mapping)) {
    try {
      readInto(given, line, mapped, meant(given.input, mapped, row.cells[mapped.index] ?? ''), reading)
    } catch (error) {
      if (!(error instanceof UnreadableCell)) throw error
      line.faults.push(`${columns[mapped.index]}: ${quoted(row.cells[mapped.index])} ${error.message}`)
    }
  }
  return line
}

const isCurrency = ({ part }: Mapped, field: Field | undefined) => part !== undefined && field?.type === 'money'

/** A currency is part of an amount, which may be in a later column. */
const inOrder = (mapping: Mapped[]) =>
  mapping.some(({ part }) => part !== undefined)
    ? mapping.toSorted((a, b) => Number(a.part !== undefined) - Number(b.part !== undefined))
    : mapping

function readInto(given: Lines, line: Line, mapped: Mapped, cell: string, reading: CellReading) {
  const { key } = mapped
  const { object } = given.target
  const field = given.fields.get(key)
  const isEmpty = !cell.trim()
  if (key === 'id') line.id = isEmpty ? undefined : cell.trim().toLowerCase()
  else if (key === fullName && !field) {
    if (!isEmpty) setTitle(line, cell, namesIn(given, cell))
  } else if (isOrigin(mapped) && !field) {
    if (!isEmpty) readOrigin(line, mapped, cell, reading)
  } else if (isStatus(object, mapped)) {
    if (!isEmpty) line.status = statusIn(cell, object.byKey.get(key)!)
  } else if (isEmpty) {
    if (given.input.empty_cells === 'clear') line.values[key] ??= null
  } else if (isCurrency(mapped, field)) line.values[key] = inCurrency(line.values[key], cell)
  else {
    if (!field) throw new UnreadableCell(`The field ${key} was removed during the import`)
    const status = closingStage(object, field, cell)
    if (status) {
      line.status ??= status
      return
    }
    const value = listed(given.input, mapped, usualOptions(object, field, readCell(field, cell, reading)))
    const known = field.options
      ? withKnownOptions(given, line, mapped, field, value)
      : field.type === 'phone'
        ? withoutExtensions(given, line, mapped, value)
        : value
    if (known === undefined) return
    if (key === titleTarget(object) && isTitleHeader(object, given.input.columns[mapped.index]!))
      return setTitle(line, cell, { [key]: known })
    if (field.type === 'user' || field.type === 'relation')
      for (const text of [known].flat()) line.references.push({ mapped, text: String(text) })
    line.values[key] = joined(given, line, mapped, known)
  }
}

/** Unless there is such a stage. */
const closingStage = (object: Target['object'], field: Field, cell: string) =>
  object.built_in_key === 'deals' && field.built_in_key === 'stage' && !findOption(field, cell.trim())
    ? closedIn(cell)
    : undefined

/** What the user said that a cell means. */
export const meant = ({ values, columns }: Pick<ImportInput, 'values' | 'columns'>, { index }: Mapped, text: string) =>
  own(own(values ?? {}, columns[index]!) ?? {}, text.trim()) ?? text

export const listed = (input: Pick<ImportInput, 'values' | 'columns'>, mapped: Mapped, value: unknown) =>
  Array.isArray(value) && input.values
    ? value.map((item) => (typeof item === 'string' ? meant(input, mapped, item) : item)).filter((item) => item !== '')
    : value

/** Several columns may fill a field, such as when a deal was won and when it was lost. One value needs one of them. */
function joined({ input }: Lines, line: Line, { key, index }: Mapped, known: unknown) {
  const earlier = line.values[key] ?? undefined
  if (Array.isArray(known)) return [...((earlier as unknown[] | undefined) ?? []), ...known]
  const isReference = line.references.some(({ mapped }) => mapped.key === key)
  if (earlier === undefined || isReference || JSON.stringify(earlier) === JSON.stringify(known)) return earlier ?? known
  const other = input.mapping.find((one) => one.key === key && one.index !== index && line.row.cells[one.index]?.trim())
  throw new UnreadableCell(`differs from ${input.columns[other?.index ?? index]}. Leave one of them empty`)
}

function inCurrency(amount: unknown, cell: string) {
  const currency = currencyIn(cell)
  if (amount === null || amount === undefined) return amount
  return { ...(amount as { amount: string }), currency }
}

function readOrigin(line: Line, mapped: Mapped, cell: string, reading: CellReading) {
  if (mapped.key === 'created_by') line.references.push({ mapped, text: cell.trim() })
  else line.origin.created_at = String(readCell({ type: 'datetime', is_multi: false, options: null }, cell, reading))
}

/** As a dry run remembers an option. */
export const optionKey = ({ key }: Target['object'], field: string, label: string) => `${key} ${field} ${fold(label)}`

/** Unknown options stay, and are refused like in any other call, unless the user decided otherwise. */
function withKnownOptions(
  { input, seen, target }: Lines,
  line: Line,
  mapped: Mapped,
  field: Parameters<typeof findOption>[0],
  value: unknown,
) {
  const { if_missing, index, key } = mapped
  const isKnown = (text: unknown) => findOption(field, String(text)) !== undefined
  const column = input.columns[index]!
  for (const text of [value].flat()) if (!isKnown(text)) line.unknown.push({ column, text: String(text) })
  if (if_missing === 'fail' || (if_missing === 'create' && !input.dry_run)) return value
  const missing = [value].flat().filter((text) => !isKnown(text))
  if (!missing.length) return value
  if (
    if_missing === 'create' &&
    !missing.every((text) => seen.options.has(optionKey(target.object, key, String(text))))
  )
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
