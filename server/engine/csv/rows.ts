// The rows of a file, one after the other, however long it is.
import { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import type { CsvFormat } from '../../../contract/csv.ts'
import { unescapeFormula } from '../../../contract/shared/formula.ts'
import { mostCellKb, mostColumns, mostRows } from '../../../contract/shared/limits.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Kind } from '../tables/convert.ts'
import type { Table, TableCell, TableRow } from '../tables/table.ts'

/** `line`: where the row starts in the file. `numbers`: which cells are numbers in the file, whatever its notation. */
export type Row = { line: number; cells: string[]; numbers?: number[] }
/** `table`: of other kinds of files than CSV. */
export type Source = {
  name: string
  size: number
  read: () => Promise<AsyncIterable<Uint8Array>>
  table?: Table & { kind: Kind }
}
type Notation = Pick<CsvFormat, 'encoding' | 'delimiter' | 'decimal'>

const mostRowBytes = 5_000_000

/** The header is the first of them. */
export async function* rowsIn(source: Source, notation: Notation): AsyncGenerator<Row, void, undefined> {
  if (source.table) yield* rowsOfTable(source.table, notation.decimal)
  else yield* rowsOfCsv(source, notation)
}

function* rowsOfTable({ rows }: Table, decimal: CsvFormat['decimal']): Generator<Row> {
  const lines = Buffer.from(rows.buffer, rows.byteOffset, rows.byteLength)
  for (let at = 0; at < lines.length; ) {
    const end = lines.indexOf(10, at)
    const { line, cells } = JSON.parse(lines.toString('utf8', at, end)) as TableRow
    at = end + 1
    yield withDecimal(
      { line, cells: cells.map(textOf), numbers: cells.flatMap((cell, i) => (typeof cell === 'number' ? i : [])) },
      decimal,
    )
  }
}

/** PostgreSQL stores no NUL and no half characters. */
const textOf = (cell: TableCell) => (cell === null ? '' : String(cell).replaceAll('\0', '').toWellFormed())

/** Numbers of the file, written like those in its texts. */
export const withDecimal = (row: Row, decimal: CsvFormat['decimal']): Row =>
  decimal === '.' || !row.numbers?.length
    ? row
    : { ...row, cells: row.cells.map((cell, i) => (row.numbers!.includes(i) ? cell.replace('.', ',') : cell)) }

async function* rowsOfCsv(source: Source, { encoding, delimiter }: Notation) {
  const text = Readable.from(decoded(await source.read(), encoding))
  // Where the last row ended. The parser counts a line break of two characters twice inside quotes.
  let last = 0
  let countedTwice = 0
  const parser = parse({
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
    max_record_size: mostRowBytes,
    // A quote inside of a cell without quotes is part of it, as in 5" pipe.
    relax_quotes: true,
    raw: true,
    // Called for every row at once: rows before a broken one may never be given out.
    on_record: (parsed: unknown, { lines }) => {
      const { record, raw } = parsed as { record: string[]; raw: string }
      if (record.some((cell) => isMisplaced(cell, raw))) throw misplacedQuote(last + 1)
      countedTwice += count(record, /\r\n/g)
      last = lines - countedTwice
      const row: Row = { line: last - count(record, /\r\n|\n|\r/g), cells: record.map(unescapeFormula) }
      return row as never
    },
  })
  text.on('error', (error) => parser.destroy(error))
  text.pipe(parser)
  let rows = 0
  try {
    for await (const row of parser as AsyncIterable<Row>) {
      if (!rows && namesDelimiter(row.cells)) continue
      if (rows++ > mostRows)
        throw refusedFile(`It has more than ${mostRows.toLocaleString('en')} rows. Split it into several files`)
      yield row
    }
  } catch (error) {
    throw error instanceof CsvError ? broken(error, last + 1) : error
  } finally {
    text.destroy()
    parser.destroy()
  }
}

/** The first line of some files tells Excel the delimiter: sep=; */
const namesDelimiter = ([first, ...others]: string[]) =>
  others.length ? first === 'sep=' && others.join('') === '' : /^sep=.$/u.test(first!)

/** A cell that begins with a quote must be written as a quoted one. */
const isMisplaced = (cell: string, raw: string) =>
  cell.trimStart().startsWith('"') && !raw.includes(`"${cell.replaceAll('"', '""')}"`)

const count = (cells: string[], what: RegExp) => cells.reduce((sum, cell) => sum + (cell.match(what)?.length ?? 0), 0)

/** Without the mark that some files start with. */
async function* decoded(content: AsyncIterable<Uint8Array>, encoding: CsvFormat['encoding']) {
  const decoder = new TextDecoder(encoding, { fatal: encoding === 'utf-8' })
  try {
    for await (const piece of content) yield decoder.decode(piece, { stream: true })
    yield decoder.decode()
  } catch (error) {
    if ((error as { code?: string }).code !== 'ERR_ENCODING_INVALID_ENCODED_DATA') throw error
    throw refusedFile('It is not UTF-8. Choose another encoding, such as windows-1252')
  }
}

function broken({ code }: CsvError, line: number) {
  if (code === 'CSV_QUOTE_NOT_CLOSED' || code === 'CSV_MAX_RECORD_SIZE')
    return refusedFile(`The row at line ${line} has a quote that is never closed. Add the missing quote`)
  return misplacedQuote(line)
}

const misplacedQuote = (line: number) =>
  refusedFile(`The row at line ${line} has a misplaced quote. Write a quote inside a quoted cell twice`)

export const refusedFile = (problem: string) =>
  new AppError('invalid_input', `This file cannot be read. ${problem}.`, {
    errors: [{ path: 'file_id', message: problem }],
  })

/** Names that tell columns apart: a mapping is made by name. */
export function columnNames(header: string[]): string[] {
  if (header.length > mostColumns) throw refusedFile(`It has more than ${mostColumns} columns`)
  const taken = new Set<string>()
  return header.map((cell, i) => {
    const plain = cell.trim().slice(0, 400) || `Column ${i + 1}`
    let name = plain
    for (let n = 2; taken.has(name); n++) name = `${plain} (${n})`
    taken.add(name)
    return name
  })
}

/** What is wrong with the shape of a row, if anything. */
export function misshapen({ cells }: Row, columns: number): string | undefined {
  if (cells.length > columns && cells.slice(columns).some((cell) => cell.trim()))
    return `This row has ${cells.length} cells, but there are ${columns} columns`
  if (cells.some((cell) => cell.length > mostCellKb * 1000)) return `A cell has more than ${mostCellKb} kB`
  return undefined
}
