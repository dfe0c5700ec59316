// Previews and starts an import: the file and the mapping are checked now, the rows are written by a job.
import type { csvOperations } from '../../../contract/csv.ts'
import { type CsvFormat, csvOperations as contract } from '../../../contract/csv.ts'
import type { Output, Parsed } from '../../../contract/operation.ts'
import { addFile, type Files, keepBytes, keepUntil } from '../../files/queries.ts'
import { startJob } from '../../jobs/job.ts'
import { AppError } from '../../kernel/app-error.ts'
import { actorOf, type Context } from '../../kernel/context.ts'
import { prepared } from '../../kernel/run.ts'
import { uniqueField } from '../read/by-unique.ts'
import { findObject, refuse, rightsFor } from '../rights/rights.ts'
import { schemaOf } from '../schema/schema.ts'
import type { Target } from '../schema/target.ts'
import { inspect } from './inspect.ts'
import { type GivenMapping, isIgnored, type Mapped, readMapping } from './mapping.ts'
import { inlineName, sourceOf } from './sources.ts'
import { isReadOnly, suggestFields } from './suggest-fields.ts'

type Asked = Parsed<typeof csvOperations.importRecords>
export type ImportInput = Pick<Asked, 'mode' | 'match_by' | 'empty_cells' | 'dry_run'> & {
  file_id: string
  file_name: string
  format: CsvFormat
  /** Every column of the file. */
  columns: string[]
  mapping: Mapped[]
}

/** How long a file is kept after its import. */
export const keptMs = 7 * 24 * 60 * 60 * 1000
const mostSamples = 5
const longestSample = 100

export const previewImport =
  (files: Files) =>
  async (
    context: Context,
    { object: key, format: given, ...from }: Parsed<typeof csvOperations.previewImport>,
  ): Promise<Output<typeof csvOperations.previewImport>> => {
    const { schema, object } = await writableTarget(context, key, 'upsert')
    const { format, unsure, columns, sample, rows, isExact } = await inspect(
      await sourceOf(files, context, from),
      given,
      schema,
    )
    const cells = columns.map((_, i) => sample.map((row) => row.cells[i] ?? ''))
    const suggestions = suggestFields(object, columns, cells)
    return {
      format,
      unsure,
      columns: columns.map((column, i) => ({ column, samples: samplesOf(cells[i]!), ...suggestions[i]! })),
      rows,
      is_exact: isExact,
    }
  }

const samplesOf = (cells: string[]) =>
  [...new Set(cells.map((cell) => cell.trim().slice(0, longestSample)))].filter(Boolean).slice(0, mostSamples)

export const importRecords = (files: Files) =>
  prepared(
    contract.importRecords,
    async (context, asked) => {
      const target = await writableTarget(context, asked.object, asked.mode)
      const source = await sourceOf(files, context, asked)
      const { format, columns, rows } = await inspect(source, asked.format, target.schema)
      const given = asked.mapping ?? mappingByHeader(target, columns, asked.mode)
      const mapping = readMapping(target.object, columns, given as GivenMapping, asked.if_missing)
      checkMatch(target, asked, mapping)
      const kept = asked.csv === undefined ? undefined : await keepBytes(files, context, [Buffer.from(asked.csv)])
      return { name: source.name, format, columns, rows, mapping, kept }
    },
    async (context, asked, { name, format, columns, rows, mapping, kept }) => {
      const { object, mode, match_by, empty_cells, dry_run } = asked
      const expires_at = new Date(context.now.getTime() + keptMs)
      const file_id = kept
        ? (await addFile(files, context, kept, { purpose: 'import', name: inlineName, expires_at })).id
        : asked.file_id!
      await keepUntil(context, file_id, expires_at)
      const input: ImportInput = {
        ...{ file_id, file_name: name, format, columns, mapping, mode, empty_cells, dry_run },
        ...(match_by !== undefined && { match_by }),
      }
      const job_id = startJob(context, { kind: 'import', object, input, total: rows }).job_id
      if (!dry_run) context.audit('records.imported', { target_id: job_id, data: { object, file: name, mode } })
      const keys = new Map(mapping.map(({ index, key }) => [index, key]))
      const byColumn = Object.fromEntries(columns.map((column, i) => [column, keys.get(i) ?? null]))
      return { job_id, file_id, format, mapping: byColumn, dry_run }
    },
  )

/** Only what the header says: what a column contains is shown as a suggestion first. */
function mappingByHeader({ object }: Target, columns: string[], mode: Asked['mode']): GivenMapping {
  const suggested = suggestFields(object, columns, []).map(({ field }) => field)
  // New records get new ids.
  const fields = suggested.map((field) => (field === 'id' && mode === 'create' ? null : field))
  const mapping = Object.fromEntries(columns.map((column, i) => [column, fields[i]!]))
  const unknown = columns.filter(
    (column) => mapping[column] === null && !isIgnored(column) && !isReadOnly(object, column),
  )
  if (!unknown.length) return mapping
  const list = unknown.slice(0, 10).join(', ')
  throw new AppError(
    'invalid_input',
    `No field of ${object.key} is called like these columns: ${list}. Send a mapping, with null for columns to leave out.`,
    {
      errors: unknown.slice(0, 100).map((column) => ({ path: `mapping.${column}`, message: 'There is no such field' })),
    },
  )
}

function checkMatch(target: Target, { mode, match_by }: Asked, mapping: Mapped[]) {
  const refused = (path: string, message: string) =>
    new AppError('invalid_input', `${message}.`, { errors: [{ path, message }] })
  const isMapped = (key: string) => mapping.some((mapped) => mapped.key === key)
  if (mode === 'create') {
    if (match_by !== undefined) throw refused('match_by', 'match_by is for the modes update and upsert')
    if (isMapped('id'))
      throw refused('mapping', 'New records get new IDs. Leave out the column id, or use the mode update')
    return
  }
  if (match_by === undefined)
    throw refused('match_by', `The mode ${mode} needs match_by: id or a unique field, such as ${uniqueKeys(target)}`)
  if (match_by !== 'id') uniqueField(target, match_by, 'match_by')
  if (!isMapped(match_by)) throw refused('match_by', `Map a column to ${match_by}, which the records are found by`)
  if (match_by !== 'id' && isMapped('id')) throw refused('mapping', 'Leave out the column id, or use match_by id')
}

const uniqueKeys = ({ object }: Target) =>
  object.fields
    .filter(({ is_unique }) => is_unique)
    .map(({ key }) => key)
    .join(', ') || 'id'

/** Refuses callers who may not import in this mode; called again before each step. */
export async function writableTarget(context: Context, key: string, mode: Asked['mode']): Promise<Target> {
  const actor = actorOf(context)
  const schema = await schemaOf(context.db, actor)
  const object = findObject(schema, actor, key)
  const rights = rightsFor(actor, key)
  if (mode !== 'update' && !rights.create) throw refuse(actor, 'create', object)
  if (mode === 'update' && rights.edit === 'none') throw refuse(actor, 'change', object)
  return { context, schema, object }
}
