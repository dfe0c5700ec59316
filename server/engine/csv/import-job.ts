// Imports a file, some rows at a time. A step writes its rows, what failed and how far it is in one transaction.
import { type JobResult, mostPreviewed, mostUnknown } from '../../../contract/jobs.ts'
import { isInherited } from '../../../contract/shared/own.ts'
import { keepUntil } from '../../files/queries.ts'
import type { JobHandler, Step, StepTools } from '../../jobs/job.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Context } from '../../kernel/context.ts'
import type { Target } from '../schema/target.ts'
import { nothingSeen, type Seen } from './import-dry-run.ts'
import { type ImportInput, keptMs, writableTarget } from './import-input.ts'
import { isOpen, type Line } from './import-line.ts'
import { addOptions, missingOptions, seeOptions } from './import-options.ts'
import { problemsOf } from './import-problems.ts'
import { type FileRow, importRows, linkRows, type Phase } from './import-rows.ts'
import { hasWaiting, nextWaiting, noteImported, putAside, removeAllWaiting, removeWaiting } from './import-waiting.ts'
import { rowsIn } from './rows.ts'
import { type Reading, storedSource } from './sources.ts'

const stepSize = 250
/** Rows that name each other in an odd order take several rounds; after these, they are treated as circles. */
const mostRounds = 20

/** How many rows of the file have been read and, after the last, how far those are that were put aside. */
type Cursor = { rows: number; left?: Left }
/** `after`: the last row of this round. `round`: an even one goes backwards, because exports have parents after children. */
type Left = { phase: Exclude<Phase, 'file'>; round: number; after: number | null; isAnyDone: boolean }
type Import = { tools: StepTools; target: Target; input: ImportInput; before: JobResult | null; isFromStart: boolean }

export const importStep =
  (reading: Reading): JobHandler =>
  (tools) => {
    const input = tools.job.input as ImportInput
    return importFile(tools, input, (from) => tools.kept(() => openRows(reading, tools.context, input, from)))
  }

/** `open`: keeps the rows after this one open from one step to the next. */
export async function importFile(
  tools: StepTools,
  input: ImportInput,
  open: (from: number) => Promise<OpenFile>,
): Promise<Step> {
  const { context, job } = tools
  const target = withCountry(await writableTarget(context, job.object!, input.mode), input)
  await keepFile(context, input)
  const cursor = job.cursor as Cursor | null
  const before = job.result as JobResult | null
  const importing = { tools, target, input, before, isFromStart: false }
  if (cursor?.left && !input.dry_run) return importLeft(importing, cursor.rows, cursor.left, nothingSeen())
  // A dry run remembers what it would have written, so it cannot go on where another process stopped.
  const file = await open(input.dry_run ? 0 : (cursor?.rows ?? 0))
  if (cursor?.left && file.position) return importLeft(importing, cursor.rows, cursor.left, file.seen)
  const isFromStart = input.dry_run && file.position === 0
  if (isFromStart) await removeAllWaiting(context.db, job)
  return importNext({ ...importing, isFromStart, before: isFromStart ? null : before }, file)
}

/** The next rows of the file. */
async function importNext(importing: Import, file: OpenFile): Promise<Step> {
  const { context, job } = importing.tools
  const rows = await file.next(stepSize)
  const some = await importSome(importing, rows, file.seen, 'file')
  if (!some.imported) {
    file.putBack(rows)
    return { ...some.step, cursor: { rows: file.position } satisfies Cursor }
  }
  const { waiting } = some.imported
  await putAside(context.db, job, waiting)
  const isEnd = rows.length < stepSize
  const isLast = isEnd && !(await hasWaiting(context.db, job))
  const left: Left = { phase: 'round', round: 0, after: null, isAnyDone: false }
  return {
    ...some.step,
    cursor: { rows: file.position, ...(isEnd && { left }) } satisfies Cursor,
    done: rows.length - waiting.length,
    isLast,
    ...(isEnd && { total: file.position }),
  }
}

/** The next of the rows that were put aside. */
async function importLeft(importing: Import, rows: number, left: Left, seen: Seen): Promise<Step> {
  const { tools, target, input } = importing
  const { context, job } = tools
  const { phase, round, after } = left
  const isBackwards = phase === 'round' && round % 2 === 0
  const order = { after, isBackwards, isImported: phase === 'links', limit: stepSize }
  const waiting = await nextWaiting(context.db, job, order)
  const cursorOf = (left: Left) => ({ rows, left }) satisfies Cursor
  if (phase === 'links') {
    const problems = await linkRows(tools, target, input, waiting)
    await removeWaiting(
      context.db,
      job,
      waiting.map(({ position }) => position),
    )
    return { cursor: cursorOf(left), done: 0, problems, isLast: waiting.length < stepSize }
  }
  const some = await importSome(importing, waiting, seen, phase)
  if (!some.imported) return { ...some.step, cursor: cursorOf(left) }
  const stay = new Set(some.imported.waiting.map(({ position }) => position))
  const linked = input.dry_run ? [] : some.imported.lackingLinks
  const done = waiting.filter(({ position }) => !stay.has(position))
  await noteImported(context.db, job, linked)
  const isLinked = new Set(linked.map(({ position }) => position))
  await removeWaiting(
    context.db,
    job,
    done.flatMap(({ position }) => (isLinked.has(position) ? [] : [position])),
  )
  const isAnyDone = left.isAnyDone || done.length > 0
  const isEnd = waiting.length < stepSize
  const next = isEnd ? afterRound({ ...left, isAnyDone }) : { ...left, isAnyDone, after: waiting.at(-1)!.position }
  const isLast = isEnd && !(await hasWaiting(context.db, job))
  return { ...some.step, cursor: cursorOf(next), done: done.length, isLast }
}

/** When nothing changes any more, what is left are rows that name each other. */
function afterRound({ phase, round, isAnyDone }: Left): Left {
  const start = { round: 0, after: null, isAnyDone: false }
  if (phase === 'round' && isAnyDone && round < mostRounds) return { ...start, phase, round: round + 1 }
  return { ...start, phase: phase === 'round' ? 'circles' : 'links' }
}

/** Without `imported`: options were added, and the next step imports the rows with them. */
async function importSome(importing: Import, rows: FileRow[], seen: Seen, phase: Phase) {
  const { tools, target, input, before, isFromStart } = importing
  const { open, refused, missing } = await withoutRefused(importing, rows, seen, phase)
  const options_created = missing.size
    ? Object.fromEntries([...missing].map(([key, labels]) => [key, labels.length]))
    : undefined
  if (options_created && !input.dry_run) {
    await addOptions(target, missing)
    return { imported: undefined, step: { done: 0, result: sum(before, { options_created }), isLast: false } }
  }
  seeOptions(target, seen, missing)
  const imported = await importRows(tools, target, input, open, seen, phase)
  const { counts, problems, changed, lines } = imported
  const unknown_values = input.dry_run ? unknownIn(before?.unknown_values, [...refused, ...lines]) : undefined
  const result = {
    ...sum(before, { ...counts, ...(options_created && { options_created }) }),
    ...(unknown_values && { unknown_values }),
  }
  return {
    imported,
    step: {
      changed,
      problems: [...refused.flatMap((line) => problemsOf(input, line)), ...problems].toSorted(
        (a, b) => (a.line ?? 0) - (b.line ?? 0),
      ),
      result: { file_name: input.file_name, ...(input.dry_run && { dry_run: true }), ...result },
      isFromStart,
    },
  }
}

/**
 * Options are added only for rows that will be stored. If some are missing, the rows are tried first as if they had been
 * added: those that fail for another reason are reported, and the others say which options they need.
 */
async function withoutRefused({ tools, target, input }: Import, rows: FileRow[], seen: Seen, phase: Phase) {
  const missing = missingOptions(target, input, rows, seen)
  if (!missing.size) return { open: rows, refused: [], missing }
  const trial = nothingSeen(seen)
  seeOptions(target, trial, missing)
  const { lines } = await importRows(tools, target, { ...input, dry_run: true }, rows, trial, phase)
  const open = rows.filter((_, i) => !lines[i]!.faults.length)
  const stored = rows.filter((_, i) => isOpen(lines[i]!))
  return {
    open,
    refused: lines.filter(({ faults }) => faults.length),
    missing: missingOptions(target, input, stored, seen),
  }
}

/** Phone numbers in the file are from the country that was chosen for it. */
const withCountry = (target: Target, { format: { country } }: ImportInput): Target =>
  country === undefined ? target : { ...target, schema: { ...target.schema, country: country ?? undefined } }

/** The file must not expire while it is imported, and is kept for some days afterwards. */
async function keepFile(context: Context, { file_id }: ImportInput) {
  if (!(await keepUntil(context, file_id, new Date(context.now.getTime() + keptMs))))
    throw new AppError('not_found', 'The file was deleted during the import. Rows imported so far are kept.')
}

export type OpenFile = Awaited<ReturnType<typeof openRows>>

/** The rows after the header, from this one on, and what has been seen of them. */
export async function openRows(
  reading: Reading,
  context: Context,
  { file_id, format }: ImportInput,
  from: number,
  seen: Seen = nothingSeen(),
) {
  const rows = rowsIn(await storedSource(reading, context, file_id, format), format)
  let waiting: FileRow[] = []
  let position = from
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
        some.push({ ...value, position: position + some.length })
      }
      position += some.length
      return some
    },
    putBack(some: FileRow[]) {
      waiting = some
      position -= some.length
    },
    async [Symbol.asyncDispose]() {
      await rows.return(undefined)
    },
  }
}

/** How often lines name users and options that do not exist, in the order in which they do. */
function unknownIn(before: JobResult['unknown_values'] = {}, lines: Line[]) {
  const found = new Map(
    Object.entries(before).map(([column, values]) => [column, new Map(values.map(({ value, rows }) => [value, rows]))]),
  )
  for (const { column, text } of lines.flatMap(({ unknown }) => unknown)) {
    if (isInherited(column)) continue
    const counts = found.get(column) ?? new Map<string, number>()
    found.set(column, counts)
    if (counts.has(text) || counts.size < mostUnknown) counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  const entries = [...found].map(([column, counts]) => [column, [...counts].map(([value, rows]) => ({ value, rows }))])
  return found.size ? (Object.fromEntries(entries) as JobResult['unknown_values']) : undefined
}

/** Adds up counts. */
function sum(a: JobResult | null, b: JobResult): JobResult {
  const total: Record<string, unknown> = { ...a }
  for (const [key, value] of Object.entries(b)) {
    if (typeof value === 'number') total[key] = ((total[key] as number | undefined) ?? 0) + value
    else if (Array.isArray(value))
      total[key] = [...((total[key] as unknown[] | undefined) ?? []), ...value].slice(0, mostPreviewed)
    else if (typeof value === 'object') total[key] = sum((total[key] ?? {}) as JobResult, value as JobResult)
    else total[key] = value
  }
  const kept = Object.entries(total).slice(0, mostUnknown)
  return Object.fromEntries(kept) as JobResult
}
