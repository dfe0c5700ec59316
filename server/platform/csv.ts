// CSV as spreadsheets read it.
import { stringify } from 'csv-stringify/sync'
import { escapeFormula } from '../../contract/shared/formula.ts'

/** Excel takes a file without this mark for an old encoding; LibreOffice and our import know it too. */
export const bom = '\ufeff'

/** Rows as text. Line breaks of any kind are quoted: readers differ in which of them end a row. */
export const toCsv = (rows: unknown[][], delimiter = ',') =>
  stringify(rows, { delimiter, record_delimiter: '\r\n', quoted_match: /[\r\n]/ })

/** How the values in cells are written, as a file of failed rows says it about itself. */
export type FormatOfCells = { decimal: string; date_order: string; country?: string | null }
export const formatColumn = '_format'
/** What became of each row, and its record. */
export const resultColumn = '_result'
export const idColumn = '_id'
export const partlyImported = 'partly imported'

export const formatInCell = ({ decimal, date_order, country }: FormatOfCells) =>
  `decimal=${decimal} date_order=${date_order}${country ? ` country=${country}` : ''}`

export function formatFromCell(cell: string): Partial<FormatOfCells> {
  const [, decimal, date_order, country] =
    /^decimal=([.,]) date_order=(ymd|dmy|mdy)(?: country=([A-Z]{2}))?$/.exec(cell) ?? []
  return decimal && date_order ? { decimal, date_order, ...(country && { country }) } : {}
}

/** Any value as a cell. */
export function inTable(value: unknown) {
  if (value === null || value === undefined) return ''
  if (value instanceof Date) return value.toISOString()
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return escapeFormula(text)
}
