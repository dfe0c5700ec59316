// The rows of a CSV file, one after the other, however long the file is.
import { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import type { CsvFormat } from '../../../contract/csv.ts'
import { mostCellKb, mostColumns, mostRows } from '../../../contract/limits.ts'
import { AppError } from '../../kernel/app-error.ts'
import { unescapeFormula } from '../../platform/csv.ts'

/** `line`: where the row starts in the file. */
export type Row = { line: number; cells: string[] }
export type Source = { name: string; size: number; read: () => Promise<AsyncIterable<Uint8Array>> }

const mostRowBytes = 5_000_000

/** The header is the first of them. */
export async function* rowsIn(source: Source, { encoding, delimiter }: Pick<CsvFormat, 'encoding' | 'delimiter'>) {
  const text = Readable.from(decoded(await source.read(), encoding))
  const parser = parse({
    delimiter,
    info: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: mostRowBytes,
  })
  text.on('error', (error) => parser.destroy(error))
  text.pipe(parser)
  let last = 0
  let count = 0
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: { lines: number } }>) {
      last = info.lines
      if (count++ > mostRows)
        throw refusedFile(`It has more than ${mostRows.toLocaleString('en')} rows. Split it into several files`)
      yield { line: last - lineBreaksIn(record), cells: record.map(unescapeFormula) }
    }
  } catch (error) {
    throw error instanceof CsvError ? broken(error, last + 1) : error
  } finally {
    text.destroy()
    parser.destroy()
  }
}

const lineBreaksIn = (cells: string[]) => cells.reduce((sum, cell) => sum + (cell.match(/\r\n|\n|\r/g)?.length ?? 0), 0)

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
  return refusedFile(`The row at line ${line} has a misplaced quote. Write a quote inside a quoted cell twice`)
}

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
