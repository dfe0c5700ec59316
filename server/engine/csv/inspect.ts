// What is in a CSV file: how it is written, its columns, and its first rows.
import type { CsvFormat, Unsure } from '../../../contract/csv.ts'
import { isId } from '../../../contract/shared/ids.ts'
import { formatColumn, formatFromCell } from '../../platform/csv.ts'
import type { Schema } from '../schema/schema.ts'
import { detectDateOrder, detectDecimal, detectDelimiter, detectEncoding } from './detect-format.ts'
import { columnNames, type Row, refusedFile, rowsIn, type Source } from './rows.ts'

export type GivenFormat = { [K in keyof CsvFormat]?: CsvFormat[K] | undefined } | undefined
export type Inspected = {
  format: CsvFormat
  unsure: Unsure[]
  /** Someone has named the country of phone numbers. */
  isCountrySure: boolean
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
  const { encoding: value, isSure } = given?.encoding
    ? { encoding: given.encoding, isSure: true }
    : await detectEncoding(await source.read())
  const encoding = settle('encoding', given?.encoding, { value, isSure })
  const head = await headOf(source, encoding)
  refuseJson(head)
  const delimiter = given?.delimiter ?? detectDelimiter(head)
  const { header, sample, rows, isExact } = await firstRows(source, { encoding, delimiter })
  const cells = sample.flatMap((row) => row.cells)
  const columns = columnNames(header)
  if (!rows) throw refusedFile('It has no rows after the header')
  const said = formatFromCell(sample[0]?.cells[columns.indexOf(formatColumn)] ?? '') as GivenFormat
  const decimal = settle(
    'decimal',
    given?.decimal ?? said?.decimal,
    detectDecimal(cells, decimalFor(delimiter, language), isOwnExport(columns, sample)),
  )
  const order = language === 'en-US' ? 'mdy' : 'dmy'
  const date_order = settle('date_order', given?.date_order ?? said?.date_order, detectDateOrder(cells, order))
  const named = given?.country !== undefined ? given.country : said?.country
  const country = named === undefined ? (ofCompany ?? null) : named
  return {
    format: { encoding, delimiter, decimal, date_order, country },
    unsure,
    isCountrySure: named === undefined ? !isCountryGuessed : named !== null,
    columns,
    sample,
    rows,
    isExact,
  }
}

/** Where people write decimal commas, spreadsheets separate cells by semicolons. */
const decimalFor = (delimiter: string, language: string) =>
  delimiter === ',' ? '.' : new Intl.NumberFormat(language).format(1.5).includes(',') || delimiter === ';' ? ',' : '.'

/** JSON, or JSON lines: every line is an object. */
function refuseJson(head: string) {
  const text = head.trimStart()
  if (!/^(\{|\[\s*\{)/.test(text)) return
  const isList = text.startsWith('[')
  if (isList || isObject(text.split(/\r?\n/, 1)[0]!) || /^\{\s*"[^"\n]*"\s*:/.test(text))
    throw refusedFile('It is JSON, not CSV. Convert it to CSV, or send its objects to POST /api/v1/records/{object}')
}

function isObject(line: string) {
  try {
    return typeof JSON.parse(line) === 'object'
  } catch {
    // The line is not JSON.
    return false
  }
}

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

async function firstRows(source: Source, format: Pick<CsvFormat, 'encoding' | 'delimiter'>) {
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
    } else if (source.size > countedBytes)
      return { header, sample, rows: Math.round((source.size / characters) * sampled), isExact: false }
  }
  if (!header) throw refusedFile('It is empty')
  return { header, sample, rows, isExact: true }
}
