// Previews and starts an import: the file and the mapping are checked now, the rows are written by a job.
import type { csvOperations } from '../../../contract/csv.ts'
import { csvOperations as contract, readTypes } from '../../../contract/csv.ts'
import type { Output, Parsed } from '../../../contract/operation.ts'
import { own } from '../../../contract/shared/own.ts'
import { addFile, keepBytes, keepUntil } from '../../files/queries.ts'
import { startJob } from '../../jobs/job.ts'
import { AppError, refused } from '../../kernel/app-error.ts'
import { actorOf, type Context } from '../../kernel/context.ts'
import { prepared } from '../../kernel/run.ts'
import { uniqueField } from '../read/by-unique.ts'
import type { Target } from '../schema/target.ts'
import { adviceOn, unsureIn } from './ambiguities.ts'
import { refuseSettings, runChecked } from './import-checked.ts'
import { answerOf, type ImportInput, type ImportRequest, keptMs, writableTarget } from './import-input.ts'
import { isByTitle } from './import-match.ts'
import { rememberedShape, rememberShape } from './import-shapes.ts'
import { type Inspected, inspect } from './inspect.ts'
import { fieldCalled, type GivenMapping, type Mapped, readMapping, titleKeys } from './mapping.ts'
import { type CellReading, readingIn, readingOf } from './read-cell.ts'
import { inlineName, type Reading, sourceOf } from './sources.ts'
import { isReadOnly, suggestFields } from './suggest-fields.ts'

const mostSamples = 5
const longestSample = 100

export const previewImport =
  (reading: Reading) =>
  async (
    context: Context,
    { object: key, format: given, ...from }: Parsed<typeof csvOperations.previewImport>,
  ): Promise<Output<typeof csvOperations.previewImport>> => {
    const { schema, object } = await writableTarget(context, key, 'upsert')
    const inspected = await inspect(await sourceOf(reading, context, from, given), given, schema)
    const { format, sheets, columns, sample, rows, isExact } = inspected
    const cells = columns.map((_, i) => sample.map((row) => row.cells[i] ?? ''))
    const target = { context, schema, object }
    const earlier = await rememberedShape(target, columns)
    const suggestions = suggestFields(placeOf(target), columns, cells).map((suggestion, i) => {
      const known = earlier?.columns.get(columns[i]!)
      if (known === undefined) return { ...suggestion, if_missing: null }
      const note = known ? null : suggestion.note
      return {
        field: known?.field ?? null,
        if_missing: known?.if_missing ?? null,
        suggested_by: 'earlier_import' as const,
        note,
      }
    })
    const notation = readingOf(format, schema, context.now)
    const fields = suggestions.flatMap(({ field }, index) => (field ? [{ index, key: field }] : []))
    return {
      format,
      unsure: unsureIn(object, inspected, fields),
      sheets,
      columns: columns.map((column, i) => {
        const samples = samplesOf(cells[i]!)
        return { column, samples, readings: readingsOf(samples, notation), ...suggestions[i]! }
      }),
      earlier: earlier
        ? {
            mode: earlier.mode,
            match_by: earlier.match_by ?? null,
            empty_cells: earlier.empty_cells,
            lists: earlier.lists ?? null,
            values: earlier.values ?? {},
            at: earlier.used_at.toISOString(),
          }
        : null,
      rows,
      is_exact: isExact,
    }
  }

/** People see that 1.200 becomes 1,200 and not 1.2 before they import it. */
const readingsOf = (samples: string[], reading: CellReading) =>
  readTypes.flatMap((type) => {
    const values = samples.slice(0, 2).map((sample) => readingIn(type, sample, reading))
    return values.some((value) => value !== null) ? [{ type, values }] : []
  })

const placeOf = ({ context, schema, object }: Target) => ({
  object,
  objects: [...schema.objects.values()],
  isAdmin: actorOf(context).is_admin,
})

const samplesOf = (cells: string[]) =>
  [...new Set(cells.map((cell) => cell.trim().slice(0, longestSample)))].filter(Boolean).slice(0, mostSamples)

export const importRecords = (reading: Reading) => {
  const { files } = reading
  return prepared(
    contract.importRecords,
    async (context, asked) => {
      if (asked.check_id !== undefined) return refuseSettings(asked)
      const target = await writableTarget(context, asked.object, asked.mode)
      const source = await sourceOf(reading, context, asked, asked.format)
      const inspected = await inspect(source, asked.format, target.schema)
      const { format, columns, rows } = inspected
      const given = completed(target, inspected, asked.mode, (asked.mapping ?? {}) as GivenMapping)
      const mapping = readMapping(target, columns, given, asked.if_missing)
      checkMatch(target, asked, mapping)
      const kept = asked.csv === undefined ? undefined : await keepBytes(files, context, [Buffer.from(asked.csv)])
      const unsure = unsureIn(target.object, inspected, mapping)
      return { object_id: target.object.id, name: source.name, format, unsure, columns, rows, mapping, kept }
    },
    async (context, asked, made) => {
      if (!made) return runChecked(context, asked.object, asked.check_id!)
      const { name, format, unsure, columns, rows, mapping, kept } = made
      const { object, mode, match_by, empty_cells, lists, values, dry_run } = asked
      const expires_at = new Date(context.now.getTime() + keptMs)
      const file_id = kept
        ? (await addFile(files, context, kept, { purpose: 'import', name: inlineName, expires_at })).id
        : asked.file_id!
      await keepUntil(context, file_id, expires_at)
      const input: ImportInput = {
        file_id,
        file_name: name,
        format,
        columns,
        mapping,
        mode,
        empty_cells,
        dry_run,
        ...(match_by !== undefined && { match_by }),
        ...(lists !== undefined && { lists }),
        ...(values && { values }),
      }
      const result = dry_run ? { file_name: name, dry_run } : undefined
      const job_id = startJob(context, { kind: 'import', object, input, total: rows, result }).job_id
      if (!dry_run) {
        await rememberShape(context, made.object_id, input)
        context.audit('records.imported', { target_id: job_id, data: { object, file: name, mode } })
      }
      return { job_id, ...answerOf(input), unsure, advice: adviceOn(unsure, format) }
    },
  )
}

/** What a call leaves open goes by the headers only: what a column contains is shown as a suggestion first. */
function completed(
  target: Target,
  { columns, sample }: Pick<Inspected, 'columns' | 'sample'>,
  mode: ImportRequest['mode'],
  given: GivenMapping,
): GivenMapping {
  const { object } = target
  const open = columns.filter((column) => own(given, column) === undefined)
  // Only its cells show which system an ID is of.
  const cellsOf = (column: string) =>
    /ids?$/i.test(column) ? sample.map(({ cells }) => cells[columns.indexOf(column)] ?? '') : []
  const suggested = suggestFields(placeOf(target), open, open.map(cellsOf))
  const taken = new Set(Object.values(given).map((target) => (typeof target === 'object' ? target?.field : target)))
  const isFree = (field: string) => !taken.has(field) || fieldCalled(object, field.split('.')[0]!)?.is_multi
  // New records get new ids.
  const isUsable = (field: string | null) => field !== null && isFree(field) && !(field === 'id' && mode === 'create')
  const unknown = open.filter(
    (column, i) => suggested[i]!.field === null && !suggested[i]!.note && !isReadOnly(object, column),
  )
  if (!unknown.length)
    return {
      ...given,
      ...Object.fromEntries(
        open.map((column, i) => [column, isUsable(suggested[i]!.field) ? suggested[i]!.field : null]),
      ),
    }
  const list = unknown.slice(0, 10).join(', ')
  throw new AppError(
    'invalid_input',
    `No field of ${object.key} matches these columns: ${list}. Map them, or map them to null to skip them. Columns not in the mapping are matched by name.`,
    {
      errors: unknown.slice(0, 100).map((column) => ({ path: `mapping.${column}`, message: 'Field not found' })),
    },
  )
}

function checkMatch(target: Target, { mode, match_by, lists }: ImportRequest, mapping: Mapped[]) {
  const isMapped = (key: string) => mapping.some((mapped) => mapped.key === key)
  if (mode === 'create') {
    if (match_by !== undefined) throw refused('match_by', 'match_by requires the mode update or upsert')
    if (lists !== undefined) throw refused('lists', 'lists requires the mode update or upsert')
    if (isMapped('id'))
      throw refused('mapping', 'New records get new IDs. Leave out the column id, or use the mode update')
    return
  }
  if (match_by === undefined)
    throw refused('match_by', `The mode ${mode} needs match_by: id or a unique field, such as ${uniqueKeys(target)}`)
  const isTitle = isByTitle(target, { match_by })
  if (match_by !== 'id' && !isTitle) uniqueField(target, match_by, 'match_by')
  const isMatched = isTitle ? [match_by, ...titleKeys(target.object)].some(isMapped) : isMapped(match_by)
  if (!isMatched) throw refused('match_by', `Map a column to ${match_by}, the field in match_by`)
  if (match_by !== 'id' && isMapped('id')) throw refused('mapping', 'Leave out the column id, or use match_by id')
}

const uniqueKeys = ({ object }: Target) =>
  object.fields
    .filter(({ is_unique }) => is_unique)
    .map(({ key }) => key)
    .join(', ') || 'id'
