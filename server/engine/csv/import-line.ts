// One row of a file on its way to a record.

import { fold } from '../../../contract/filter/index.ts'
import { isId } from '../../../contract/shared/ids.ts'
import { own } from '../../../contract/shared/own.ts'
import { idColumn, partlyImported, resultColumn } from '../../platform/csv.ts'
import { breathing } from '../../platform/yield-to-others.ts'
import type { DealStatus } from '../built-in/deals/stage.ts'
import { withoutHtml } from '../cells/html-cell.ts'
import { personNames } from '../cells/person-names.ts'
import {
  atClock,
  type CellReading,
  closedIn,
  completionIn,
  currencyIn,
  isBlank,
  readCell,
  readingIn,
  readingOf,
  statusIn,
  UnreadableCell,
} from '../cells/read-cell.ts'
import { countryColumns, countryReader } from '../cells/row-country.ts'
import { usualNumber, usualOptions } from '../cells/usual-values.ts'
import { builtInInUse, type Field } from '../schema/schema.ts'
import type { Target } from '../schema/target.ts'
import type { Stored, Values } from '../values/from-row.ts'
import { extensionIn, readPhone } from '../values/phone.ts'
import { findOption } from '../values/read-values.ts'
import type { Seen } from './import-dry-run.ts'
import type { ImportInput } from './import-input.ts'
import { addUnreadable, type Unreadable } from './import-unreadable.ts'
import { impliedValues } from './known-exports.ts'
import {
  fullName,
  isCompletion,
  isOrigin,
  isSkipRow,
  isStatus,
  isTitleHeader,
  type Mapped,
  titleTarget,
} from './mapping.ts'
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
  /** The users and records that it names, each with the column that does. */
  references: Reference[]
  /** Users and options that it names and that do not exist, with their column. */
  unknown: { column: string; text: string }[]
  /** Of a deal, which chooses its stage. */
  status: DealStatus | undefined
  /** When a deal was to be closed, if the file has the time as well. */
  closing: string | undefined
  /** When a task was completed, or whether. */
  completed: boolean | string | undefined
  /** When and by whom a new record was created in the system that it comes from. Null: by someone without an account. */
  origin: { created_at?: string; created_by?: string | null }
  /** The record that an earlier import made of this row, without what could not be read. */
  corrected_id: string | undefined
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
  /** Why it is not imported. */
  faults: string[]
  /** What could not be read and was left out. */
  unreadable: Unreadable[]
  /** What else was left out, because it does not exist here. */
  leftOut: string[]
  /** What else there is to know. */
  notes: string[]
}

export type Reference = { mapped: Mapped; text: string }

/** Whether it can be imported now. */
export const isOpen = ({ faults, waits, isSkipped }: Line) => !faults.length && !waits && !isSkipped

export const isWaiting = ({ faults, waits }: Line) => waits && !faults.length

export type Lines = { input: ImportInput; seen: Seen; target: Target; fields: Map<string, Field> }
type Reader = Lines & { implied: Values; cell: CellReading; countryOf: (cells: string[]) => string | undefined }

export async function readLines(given: Lines, rows: Row[]): Promise<Line[]> {
  const { context, schema } = given.target
  const { columns, mapping, format } = given.input
  const into = mapping.map(({ index, key }) => ({ index, field: given.fields.get(key) }))
  const reader: Reader = {
    ...given,
    cell: readingOf(format, schema, context.now),
    countryOf: countryReader(countryColumns(columns, into), schema.language),
    implied: impliedValues(given.target.object, columns),
  }
  const breathe = breathing()
  const lines: Line[] = []
  for (const [i, row] of rows.entries()) {
    lines.push(readLine(reader, row, `rows.${i}`))
    await breathe()
  }
  return lines
}

function readLine(given: Reader, row: Row, path: string): Line {
  const line: Line = {
    row,
    path,
    values: {},
    id: undefined,
    title: undefined,
    references: [],
    unknown: [],
    status: undefined,
    closing: undefined,
    completed: undefined,
    origin: {},
    corrected_id: undefined,
    before: undefined,
    record_id: undefined,
    waits: false,
    isSkipped: false,
    lacksLinks: false,
    faults: [],
    unreadable: [],
    leftOut: [],
    notes: [],
  }
  const { columns, mapping } = given.input
  const fault = misshapen(row, columns.length)
  if (fault) return { ...line, faults: [fault] }
  const skipping = mapping.find((mapped) => skips(given, mapped, row))
  if (skipping) {
    const [column, cell] = [columns[skipping.index], row.cells[skipping.index]!.trim()]
    return { ...line, isSkipped: true, notes: [`The row was left out, because ${column} is “${cell}”`] }
  }
  line.corrected_id = correctedIn(given, row)
  for (const mapped of inOrder(mapping)) {
    if (isSkipRow(mapped, given.target.object)) continue
    try {
      readInto(given, line, mapped, meant(given.input, mapped, row.cells[mapped.index] ?? ''))
    } catch (error) {
      if (!(error instanceof UnreadableCell)) throw error
      // An amount in an unknown currency would be in that of the company.
      if (isPart(mapped, given.fields.get(mapped.key), 'money')) delete line.values[mapped.key]
      addUnreadable(given, line, mapped, error.message)
    }
  }
  for (const [key, value] of Object.entries(given.implied)) line.values[key] ??= value
  return line
}

const skips = ({ target: { object }, cell }: Reader, mapped: Mapped, { cells }: Row) =>
  isSkipRow(mapped, object) && readingIn('boolean', cells[mapped.index] ?? '', cell) === 'true'

/** Rows of a file of problems were imported without some values: correcting them does not import them twice. */
function correctedIn({ input: { columns } }: Reader, { cells }: Row) {
  const at = (column: string) => cells[columns.indexOf(column)]?.trim()
  const id = at(resultColumn) === partlyImported ? at(idColumn) : undefined
  return id !== undefined && isId(id) ? id.toLowerCase() : undefined
}

const isPart = ({ part }: Mapped, field: Field | undefined, type: Field['type']) =>
  part !== undefined && field?.type === type

/** A currency is part of an amount, and a time of day part of a date, which may be in a later column. */
const inOrder = (mapping: Mapped[]) =>
  mapping.some(({ part }) => part !== undefined)
    ? mapping.toSorted((a, b) => Number(a.part !== undefined) - Number(b.part !== undefined))
    : mapping

function readInto(given: Reader, line: Line, mapped: Mapped, text: string) {
  const { key } = mapped
  const { object } = given.target
  const field = given.fields.get(key)
  const isEmpty = isBlank(text, field?.type)
  const cell = field ? withoutHtml(object, field, text) : text
  if (key === 'id') line.id = isEmpty ? undefined : cell.trim().toLowerCase()
  else if (key === fullName && !field) {
    if (!isEmpty) setTitle(line, cell, namesIn(given, cell))
  } else if (isOrigin(mapped) && !field) readOrigin(line, mapped, cell, given.cell)
  else if (isCompletion(object, mapped)) {
    if (!isEmpty) line.completed = completionIn(cell, given.cell)
  } else if (isStatus(object, mapped)) {
    if (!isEmpty) line.status = statusIn(cell, object.byKey.get(key)!)
  } else if (isPart(mapped, field, 'datetime')) {
    if (!isEmpty) line.values[key] = atClock(line.values[key], cell)
  } else if (isEmpty) {
    if (given.input.empty_cells === 'clear') line.values[key] ??= null
  } else if (isPart(mapped, field, 'money')) line.values[key] = inCurrency(line.values[key], cell)
  else {
    if (!field) throw new UnreadableCell(`The field ${key} was removed during the import`)
    const status = closingStage(object, field, cell)
    if (status) {
      line.status ??= status
      return
    }
    const read = readCell(field, usualNumber(object, field, cell), given.cell)
    const value = listed(given.input, mapped, usualOptions(object, field, read))
    const known = field.options
      ? withKnownOptions(given, line, mapped, field, value)
      : field.type === 'phone'
        ? phonesIn(given, line, mapped, value)
        : value
    if (known === undefined) return
    if (key === titleTarget(object) && isTitleHeader(object, given.input.columns[mapped.index]!))
      return setTitle(line, cell, { [key]: known })
    if (field.type === 'user' || field.type === 'relation')
      for (const text of [known].flat()) line.references.push({ mapped, text: String(text) })
    if (field.built_in_key === 'expected_close') line.closing = readingIn('datetime', cell, given.cell) ?? undefined
    line.values[key] = joined(given, line, mapped, field, known)
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
function joined({ input, target }: Lines, line: Line, { key, index }: Mapped, field: Field, known: unknown) {
  const earlier = line.values[key] ?? undefined
  if (Array.isArray(known)) return [...((earlier as unknown[] | undefined) ?? []), ...known]
  // A title and a text, or a street and a postal code.
  if (field.type === 'long_text' && earlier !== undefined)
    return `${earlier}${field.built_in_key === 'address' ? '\n' : '\n\n'}${known}`
  const isReference = line.references.some(({ mapped }) => mapped.key === key)
  const isGivenName = builtInInUse(target.object, 'first_name')?.key === key
  // The middle name has a column of its own.
  if (isGivenName && earlier !== undefined) return `${earlier} ${known}`
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
  const isEmpty = !cell.trim()
  if (mapped.key === 'created_by') {
    line.origin.created_by = null
    if (!isEmpty) line.references.push({ mapped, text: cell.trim() })
  } else if (!isEmpty)
    line.origin.created_at = String(readCell({ type: 'datetime', is_multi: false, options: null }, cell, reading))
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
    line.leftOut.push(`${input.columns[index]}: there is no option ${missing.join(', ')}, so it was left out`)
  if (Array.isArray(value)) return value.filter(isKnown)
  // A dry run has not added the option, so another one stands for it.
  return if_missing === 'create' ? field.options?.[0]?.key : undefined
}

const hasCountryCode = /^\s*\(?\s*(\+|00[1-9])/

/**
 * A phone field holds only the number. One without a country code is from the country of its row; where it is none of
 * that country, from that of the file.
 */
function phonesIn({ input, target: { schema }, countryOf }: Reader, line: Line, { index }: Mapped, value: unknown) {
  const plain = (one: unknown) => {
    const text = String(one)
    const country = hasCountryCode.test(text) ? undefined : countryOf(line.row.cells)
    const here = country && readPhone(text, { country })
    const extension = extensionIn(text, here ? { country } : schema)
    if (!extension) return here ?? one
    line.leftOut.push(`${input.columns[index]}: the extension ${extension} of ${text.slice(0, 60)} was left out`)
    return here ?? readPhone(text, schema) ?? one
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

function namesIn({ target: { object } }: Lines, cell: string): Values {
  const [first, last] = [builtInInUse(object, 'first_name'), builtInInUse(object, 'last_name')]
  if (!first || !last) return {}
  const [given, family] = personNames(cell)
  return { ...(given && { [first.key]: given }), ...(family && { [last.key]: family }) }
}
