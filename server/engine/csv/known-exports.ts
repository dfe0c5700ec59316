// What a file of another product is, by the headers that only its exports have.

import { builtInInUse, type ObjectSchema } from '../schema/schema.ts'
import { findOption } from '../values/read-values.ts'
import { plain } from './headers.ts'
import { attio } from './known-exports/attio.ts'
import { google, outlook } from './known-exports/contacts.ts'
import { hubspot } from './known-exports/hubspot.ts'
import type { Into, KnownColumn, KnownFile, System } from './known-exports/known-file.ts'
import { pipedrive } from './known-exports/pipedrive.ts'
import { salesforce } from './known-exports/salesforce.ts'
import { twenty } from './known-exports/twenty.ts'

export const knownExports = [pipedrive, google, outlook, salesforce, attio, hubspot, twenty]

export type KnownExport = { system: System; file: KnownFile }

/** Of several that fit, the one that knows most of the columns. */
export function knownExport(columns: string[]): KnownExport | undefined {
  const found = knownExports.flatMap(({ system, files }) =>
    files
      .filter(({ signs }) => signs.every((sign) => columns.some((column) => sign.test(column))))
      .map((file) => ({ system, file })),
  )
  const known = ({ file }: KnownExport) => columns.filter((column) => columnIn(file, file.into[0], column)).length
  return found.toSorted((a, b) => known(b) - known(a))[0]
}

/** `order`: the first has the value if several have one. */
type Found = { to: KnownColumn; order: number }

export function columnIn({ prefix }: KnownFile, into: Into, column: string): Found | undefined {
  const header = column.replace(/ \(\d+\)$/, '')
  const text = prefix && header.startsWith(`${prefix} - `) ? header.slice(prefix.length + 3) : header
  const headers = headersOf(into)
  return headers.get(plain(text)) ?? headers.get(unnumbered(text))
}

const unnumbered = (text: string) => plain(text.replace(/\d+/g, ''))

const compiled = new WeakMap<Into, Map<string, Found>>()
function headersOf(into: Into) {
  const known = compiled.get(into)
  if (known) return known
  const entries = Object.entries(into.columns).map(([header, to], order) => [header, { to, order }] as const)
  const headers = new Map([
    ...entries.map(([header, found]) => [unnumbered(header), found] as const),
    ...entries.map(([header, found]) => [plain(header), found] as const),
  ])
  compiled.set(into, headers)
  return headers
}

/** What a file says of records of this object. */
export const knownInto = (known: KnownExport | undefined, built_in_key: string | null) =>
  known?.file.into.find(({ object }) => object === built_in_key)

/** What all its records are, in the fields and options that the company has. */
export function impliedValues(object: ObjectSchema, columns: string[]): Record<string, string> {
  const implied = knownInto(knownExport(columns), object.built_in_key)?.implied ?? {}
  return Object.fromEntries(
    Object.entries(implied).flatMap(([name, option]) => {
      const field = builtInInUse(object, name)
      return field && findOption(field, option) ? [[field.key, option]] : []
    }),
  )
}

/** What the rows of a file are. `isDecided`: by its content, and not by its columns. */
export function decided({ file }: KnownExport, name: string, columns: string[], cells: string[][]) {
  const [usual] = file.into
  const cellsOf = (header: string) => {
    const index = columns.findIndex(
      (column) => plain(column) === plain(header) || column === `${file.prefix} - ${header}`,
    )
    return cells[index] ?? []
  }
  return file.decide
    ? { isDecided: true, note: undefined, ...file.decide({ name, cellsOf }) }
    : { isDecided: false, note: undefined, object: usual.object }
}
