// Imports a file, some rows at a time. A step writes its rows, what failed and how far it is in one transaction.
import { type JobResult, mostPreviewed } from '../../../contract/jobs.ts'
import { type Files, keepUntil } from '../../files/queries.ts'
import type { JobHandler, Step } from '../../jobs/job.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Context } from '../../kernel/context.ts'
import type { Target } from '../schema/target.ts'
import { type ImportInput, keptMs, writableTarget } from './import-input.ts'
import { addOptions } from './import-options.ts'
import { importRows } from './import-rows.ts'
import { nothingSeen, type Seen } from './import-seen.ts'
import { type Row, rowsIn } from './rows.ts'
import { storedSource } from './sources.ts'

const stepSize = 250

/** How many rows have been imported. */
type Cursor = { rows: number }

export const importStep =
  ({ files }: { files: Files }): JobHandler =>
  async (tools) => {
    const { context, job, kept } = tools
    const input = job.input as ImportInput
    const target = withCountry(await writableTarget(context, job.object!, input.mode), input)
    await keepFile(context, input)
    // A dry run remembers what it would have written, so it cannot go on where another process stopped.
    const from = input.dry_run ? 0 : ((job.cursor as Cursor | null)?.rows ?? 0)
    const file = await kept(() => openRows(files, context, input, from))
    const isFromStart = input.dry_run && file.position === 0
    const rows = await file.next(stepSize)
    const before = isFromStart ? null : (job.result as JobResult | null)

    const options_created = await addOptions(target, input, rows, file.seen)
    if (options_created && !input.dry_run) {
      // The rows are imported by the next step, which works with the new options.
      file.putBack(rows)
      return { ...progress(file.position), done: 0, result: sum(before, { options_created }), isLast: false }
    }
    const { counts, problems, changed } = await importRows(tools, target, input, rows, file.seen)
    const isLast = rows.length < stepSize
    const result = sum(before, { ...counts, ...(options_created && { options_created }) })
    return {
      ...progress(file.position),
      done: rows.length,
      changed,
      problems,
      result: { file_name: input.file_name, ...(input.dry_run && { dry_run: true }), ...result },
      isFromStart,
      isLast,
      ...(isLast && { total: file.position }),
    }
  }

/** Phone numbers in the file are from the country that was chosen for it. */
const withCountry = (target: Target, { format: { country } }: ImportInput): Target =>
  country === undefined ? target : { ...target, schema: { ...target.schema, country: country ?? undefined } }

const progress = (rows: number): Pick<Step, 'cursor'> => ({ cursor: { rows } satisfies Cursor })

/** The file must not expire while it is imported, and is kept for some days afterwards. */
async function keepFile(context: Context, { file_id }: ImportInput) {
  if (!(await keepUntil(context, file_id, new Date(context.now.getTime() + keptMs))))
    throw new AppError('not_found', 'The file was deleted during the import. What was imported so far stays.')
}

/** The rows after the header, from this one on, and what has been seen of them. */
async function openRows(files: Files, context: Context, { file_id, format }: ImportInput, from: number) {
  const rows = rowsIn(await storedSource(files, context, file_id), format)
  let waiting: Row[] = []
  let position = from
  const seen: Seen = nothingSeen()
  for (let skipped = 0; skipped <= from; skipped++) await rows.next()
  return {
    seen,
    get position() {
      return position
    },
    async next(most: number) {
      const some = waiting
      waiting = []
      while (some.length < most) {
        const { value, done } = await rows.next()
        if (done) break
        some.push(value)
      }
      position += some.length
      return some
    },
    putBack(some: Row[]) {
      waiting = some
      position -= some.length
    },
    async [Symbol.asyncDispose]() {
      await rows.return(undefined)
    },
  }
}

/** Adds up counts, one level deep. */
function sum(a: JobResult | null, b: JobResult): JobResult {
  const total: Record<string, unknown> = { ...a }
  for (const [key, value] of Object.entries(b)) {
    if (typeof value === 'number') total[key] = ((total[key] as number | undefined) ?? 0) + value
    else if (Array.isArray(value))
      total[key] = [...((total[key] as unknown[] | undefined) ?? []), ...value].slice(0, mostPreviewed)
    else if (typeof value === 'object') total[key] = sum((total[key] ?? {}) as JobResult, value as JobResult)
    else total[key] = value
  }
  return total as JobResult
}
