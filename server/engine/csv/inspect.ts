// What is in a file: how it is written, its columns, and its first rows.
import type { CsvFormat, Unsure } from '../../../contract/csv.ts'
import { isId } from '../../../contract/shared/ids.ts'
import { formatColumn, formatFromCell } from '../../platform/csv.ts'
import type { Schema } from '../schema/schema.ts'
import { detectDateOrder, detectDecimal, detectDelimiter, detectEncoding } from './detect-format.ts'
import { columnNames, type Row, refusedFile, rowsIn, type Source, withDecimal } from './rows.ts'

export type GivenFormat = { [K in keyof Omit<CsvFormat, 'kind'>]?: CsvFormat[K] | undefined } | undefined
export type Inspected = {
  format: CsvFormat
  unsure: Unsure[]
  /** Someone has named the country of phone numbers. */
  isCountrySure: boolean
  sheets: string[]
  columns: string[]
  sample: Row[]
  rows: number
  isExact: boolean
}

const sampled = 1000
/** Files up to this size are read to the end, so that their rows are counted. */
const countedBytes = 2_000_000
const headBytes = 64_000

export async function inspect(
  source: Source,
  given: GivenFormat,
  { language, country: ofCompany, isCountryGuessed }: Pick<Schema, 'language' | 'country' | 'isCountryGuessed'>,
): Promise<Inspected> {
  const unsure: Unsure[] = []
  const settle = <T>(key: Unsure, known: T | undefined, found: { value: string; isSure: boolean }): T => {
    if (known !== undefined) return known
    if (!found.isSure) unsure.push(key)
    return found.value as T
  }
  const { table } = source
  const { encoding: value, isSure } = given?.encoding
    ? { encoding: given.encoding, isSure: true }
    : table
      ? { encoding: 'utf-8' as const, isSure: true }
      : await detectEncoding(await source.read())
  const encoding = settle('encoding', given?.encoding, { value, isSure })
  const delimiter = given?.delimiter ?? (table ? ',' : detectDelimiter(await headOf(source, encoding)))
  const { header, sample: read, rows, isExact } = await firstRows(source, { encoding, delimiter, decimal: '.' })
  // Numbers of a workbook have no notation.
  const cells = read.flatMap((row) => row.cells.filter((_, i) => !row.numbers?.includes(i)))
  const columns = columnNames(header)
  if (!rows) throw refusedFile('It has no rows after the header')
  const said = formatFromCell(read[0]?.cells[columns.indexOf(formatColumn)] ?? '') as GivenFormat
  const decimal = settle(
    'decimal',
    given?.decimal ?? said?.decimal,
    detectDecimal(cells, decimalFor(delimiter, language), isOwnExport(columns, read)),
  )
  const sample = read.map((row) => withDecimal(row, decimal))
  if (table && table.sheets.length > 1 && given?.sheet === undefined) unsure.push('sheet')
  const order = language === 'en-US' ? 'mdy' : 'dmy'
  const date_order = settle('date_order', given?.date_order ?? said?.date_order, detectDateOrder(cells, order))
  const named = given?.country !== undefined ? given.country : said?.country
  const country = named === undefined ? (ofCompany ?? null) : named
  return {
    format: {
      kind: table?.kind ?? 'csv',
      sheet: table?.sheet ?? null,
      encoding,
      delimiter,
      decimal,
      date_order,
      country,
    },
    unsure,
    isCountrySure: named === undefined ? !isCountryGuessed : named !== null,
    sheets: table?.sheets ?? [],
    columns,
    sample,
    rows,
    isExact,
  }
}

/** Where people write decimal commas, spreadsheets separate cells by semicolons. */
const decimalFor = (delimiter: string, language: string) =>
  delimiter === ',' ? '.' : new Intl.NumberFormat(language).format(1.5).includes(',') || delimiter === ';' ? ',' : '.'

/** Our own exports begin with the IDs, and their numbers have no separators of thousands. */
const isOwnExport = ([first]: string[], sample: Row[]) =>
  first?.toLowerCase() === 'id' && sample.every(({ cells: [id] }) => isId(id ?? ''))

async function headOf(source: Source, encoding: CsvFormat['encoding']) {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of await source.read()) {
    pieces.push(piece)
    size += piece.length
    if (size >= headBytes) break
  }
  return new TextDecoder(encoding).decode(Buffer.concat(pieces).subarray(0, headBytes))
}

async function firstRows(source: Source, format: Pick<CsvFormat, 'encoding' | 'delimiter' | 'decimal'>) {
  let header: string[] | undefined
  const sample: Row[] = []
  let rows = 0
  let characters = 0
  for await (const row of rowsIn(source, format)) {
    if (!header) {
      header = row.cells
      continue
    }
    rows++
    if (sample.length < sampled) {
      sample.push(row)
      characters += row.cells.reduce((sum, cell) => sum + cell.length + 1, 0)
    } else if (source.size > countedBytes && !source.table)
      return { header, sample, rows: Math.round((source.size / characters) * sampled), isExact: false }
  }
  if (!header) throw refusedFile('It is empty')
  return { header, sample, rows, isExact: true }
}
