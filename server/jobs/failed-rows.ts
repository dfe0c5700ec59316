// The rows that a job could not do, as a table that can be corrected and imported again as it is.

import { escapeFormula } from '../../contract/shared/formula.ts'
import { refused } from '../kernel/app-error.ts'
import { actorOf, type Context } from '../kernel/context.ts'
import {
  bom,
  type FormatOfCells,
  formatColumn,
  formatInCell,
  idColumn,
  partlyImported,
  resultColumn,
  toCsv,
} from '../platform/csv.ts'
import type { Job } from './job.ts'

const pageSize = 1000

type Table = { object?: string; columns?: string[]; format?: { delimiter: string } & FormatOfCells }
type Input = Table & { files?: (Table & { file_id: string })[]; dry_run?: boolean }
/** Which file of a move, by its place. */
type Part = number | undefined

export const failedRowsName = ({ object, kind, input }: Job, part: Part) =>
  `${(part === undefined ? object : (input as Input).files?.[part]?.object) ?? 'records'}-${kind}-failed.csv`

/** The files of a move have different columns. */
export function partOf({ input }: Job, file_id: string | undefined): Part {
  const { files } = input as Input
  if (!files && file_id === undefined) return undefined
  const part = files?.findIndex((file) => file.file_id === file_id) ?? -1
  if (part < 0) throw refused('file_id', files ? 'Name a file of this move' : 'Only moves have several files')
  return part
}

/**
 * The columns of the file as it is written, and why each row failed. Import leaves out the columns whose names start with
 * `_`, apart from `_format`: a few rows alone do not tell how their dates and numbers are meant. Rows that were imported
 * without values which could not be read are among them, with their record: see correctedIn.
 */
export async function* failedRows(context: Context, { id, input }: Job, part: Part) {
  const { dry_run = false } = input as Input
  const { columns = [], format }: Table = part === undefined ? (input as Input) : (input as Input).files![part]!
  const delimiter = format?.delimiter
  const about = ['_row', idColumn, resultColumn, '_reason', ...(format ? [formatColumn] : [])]
  const formatCell = format ? [formatInCell(format)] : []
  yield Buffer.from(bom + toCsv([[...columns, ...about]], delimiter))
  for (let after = -1; ; ) {
    const problems = await context.db
      .selectFrom('job_problems')
      .select(['position', 'line', 'record_id', 'message', 'data', 'is_note'])
      .where('company_id', '=', actorOf(context).company_id)
      .where('job_id', '=', id)
      .where('position', '>', after)
      // What a dry run would import in part has no record yet: correcting it would import it twice.
      .where((eb) => eb.or([eb('is_note', '=', false), ...(dry_run ? [] : [eb('data', 'is not', null)])]))
      .where((eb) => eb.and(part === undefined ? [] : [eb('part', '=', part)]))
      .orderBy('position')
      .limit(pageSize)
      .execute()
    const rows = problems.map(({ line, record_id, message, data, is_note }) => {
      const cells = (data ?? []) as string[]
      const result = is_note ? partlyImported : 'failed'
      const why = [line, record_id, result, escapeFormula(message), ...formatCell]
      return [...columns.map((_, i) => asItWas(cells[i] ?? '')), ...why]
    })
    yield Buffer.from(toCsv(rows, delimiter))
    if (problems.length < pageSize) return
    after = problems.at(-1)!.position
  }
}

/** Numbers and phone numbers are harmless, and an apostrophe would make them text. */
const asItWas = (cell: string) => (/^[+-][\d\s.,()]+$/.test(cell) ? cell : escapeFormula(cell))
