// Previews and starts an import: the file and the mapping are checked now, the rows are written by a job.
import type { csvOperations } from '../../../contract/csv.ts'
import { csvOperations as contract, readTypes } from '../../../contract/csv.ts'
import type { Here } from '../../../contract/filter/moments.ts'
import type { Output, Parsed } from '../../../contract/operation.ts'
import { addFile, keepBytes, keepUntil } from '../../files/queries.ts'
import { startJob } from '../../jobs/job.ts'
import type { Context } from '../../kernel/context.ts'
import { prepared } from '../../kernel/run.ts'
import { type CellReading, readingIn, readingOf } from '../cells/read-cell.ts'
import { instantOf } from '../values/read-times.ts'
import { readingFor } from '../write/input.ts'
import { adviceOn, unsureIn } from './ambiguities.ts'
import { refuseSettings, runChecked } from './import-checked.ts'
import { answerOf, type ImportInput, keptMs, writableTarget } from './import-input.ts'
import { checkedFile } from './import-settings.ts'
import { rememberedShape, rememberShape } from './import-shapes.ts'
import { inspect } from './inspect.ts'
import { impliedValues } from './known-exports.ts'
import { findOldIds } from './old-ids.ts'
import { placeOf } from './place.ts'
import { inlineName, type Reading, sourceOf } from './sources.ts'
import { suggestFields } from './suggest-fields.ts'

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
    const place = await placeOf(target, inspected)
    const suggestions = suggestFields(place, columns, cells).map((suggestion, i) => {
      const known = earlier?.columns.get(columns[i]!)
      if (known === undefined) return suggestion
      const note = known ? null : suggestion.note
      return {
        field: known?.field ?? null,
        if_missing: known?.if_missing ?? null,
        suggested_by: 'earlier_import' as const,
        note,
        is_lost: !known && (suggestion.field !== null || suggestion.is_lost),
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
        const readings = readingsOf(samples, notation, readingFor(target).here)
        const suggestion = suggestions[i]!
        return { column, samples, readings, ...suggestion, is_lost: suggestion.is_lost && samples.length > 0 }
      }),
      old_ids: findOldIds(place, columns, cells),
      implied: impliedValues(object, columns),
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
const readingsOf = (samples: string[], reading: CellReading, here: Here | undefined) =>
  readTypes.flatMap((type) => {
    const read = samples.slice(0, 2).map((sample) => readingIn(type, sample, reading))
    const values = type === 'datetime' ? read.map((value) => value && String(instantOf(value, here) || value)) : read
    return values.some((value) => value !== null) ? [{ type, values }] : []
  })

const samplesOf = (cells: string[]) =>
  [...new Set(cells.map((cell) => cell.trim().slice(0, longestSample)))].filter(Boolean).slice(0, mostSamples)

export const importRecords = (reading: Reading) => {
  const { files } = reading
  return prepared(
    contract.importRecords,
    async (context, asked) => {
      if (asked.check_id !== undefined) return refuseSettings(asked)
      const checked = await checkedFile(reading, context, asked)
      const kept = asked.csv === undefined ? undefined : await keepBytes(files, context, [Buffer.from(asked.csv)])
      return { ...checked, kept }
    },
    async (context, asked, made) => {
      if (!made) return runChecked(context, asked.object, asked.check_id!)
      const { unsure, rows, kept } = made
      const { object, mode, dry_run } = asked
      const expires_at = new Date(context.now.getTime() + keptMs)
      const file_id = kept
        ? (await addFile(files, context, kept, { purpose: 'import', name: inlineName, expires_at })).id
        : asked.file_id!
      await keepUntil(context, file_id, expires_at)
      const input: ImportInput = { ...made.input, file_id, dry_run }
      const result = { file_name: input.file_name, ...(dry_run && { dry_run }) }
      const job_id = startJob(context, { kind: 'import', object, input, total: rows, result }).job_id
      if (!dry_run) {
        await rememberShape(context, made.object_id, input)
        context.audit('records.imported', { target_id: job_id, data: { object, file: input.file_name, mode } })
      }
      return { job_id, ...answerOf(input), unsure, advice: adviceOn(unsure, input.format) }
    },
  )
}
