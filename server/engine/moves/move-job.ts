// Imports the files of a move, one after the other, as one job: with one change set, and so with one undo.
import type { JobResult } from '../../../contract/jobs.ts'
import type { JobHandler } from '../../jobs/job.ts'
import { actorOf } from '../../kernel/context.ts'
import { nothingSeen } from '../csv/import-dry-run.ts'
import type { ImportInput } from '../csv/import-input.ts'
import { importFile, type OpenFile, openRows } from '../csv/import-job.ts'
import type { Reading } from '../csv/sources.ts'
import { schemaOf } from '../schema/schema.ts'
import { linkedBy } from './order.ts'

/** `rows`: how many it has, or an estimate. */
export type MoveFile = ImportInput & { object: string; rows: number }
/** `files`: in the order in which they are imported. */
export type MoveInput = { files: MoveFile[]; dry_run: boolean }
type FileResult = NonNullable<JobResult['files']>[number]
/** Where the import of which file is. */
type Cursor = { file: number; inner: unknown }

export const moveStep =
  (reading: Reading): JobHandler =>
  async (tools) => {
    const { context, job, kept } = tools
    const { files, dry_run } = job.input as MoveInput
    const schema = await schemaOf(context.db, actorOf(context))
    const open = await kept(async () => openMove(new Set(files.flatMap((file) => [...linkedBy(schema, file)]))))
    // What a dry run has seen is gone if another process began it.
    const isAnew = dry_run && open.isNew
    const cursor = isAnew ? null : (job.cursor as Cursor | null)
    const { file: n, inner } = cursor ?? { file: 0, inner: null }
    const file = files[n]!
    const results = (isAnew ? undefined : (job.result as JobResult | null)?.files) ?? notBegun(files)
    const before = results[n]!
    const ofFile = { ...job, object: file.object, cursor: inner, result: before }
    const step = await importFile({ ...tools, job: ofFile }, file, (from) =>
      open.at(n, () => openRows(reading, context, file, from, open.seen)),
    )
    const failed = step.problems?.filter(({ is_note }) => !is_note).length ?? 0
    const { dry_run: _, ...counts } = { ...before, ...(step.result as JobResult | undefined) }
    const result: FileResult = {
      ...counts,
      object: file.object,
      file_id: file.file_id,
      file_name: file.file_name,
      failed: before.failed + failed,
      rows: step.total ?? before.rows,
    }
    const all = replaced(results, n, result)
    const isLast = step.isLast && n === files.length - 1
    return {
      cursor: (step.isLast ? { file: n + 1, inner: null } : { file: n, inner: step.cursor }) satisfies Cursor,
      done: step.done,
      ...(step.changed !== undefined && { changed: step.changed }),
      total: all.reduce((sum, { rows }) => sum + rows, 0),
      problems: (step.problems ?? []).map((problem) => ({ ...problem, part: n })),
      result: { ...(dry_run && { dry_run }), ...totalsOf(all), files: all } satisfies JobResult,
      isFromStart: isAnew,
      isLast,
    }
  }

/** People see from the start which files are imported. */
export const notBegun = (files: MoveFile[]): FileResult[] =>
  files.map(({ object, file_id, file_name, rows }) => ({ object, file_id, file_name, rows, failed: 0 }))

const replaced = (results: FileResult[], n: number, result: FileResult) => [
  ...results.slice(0, n),
  result,
  ...results.slice(n + 1),
]

const totalsOf = (results: FileResult[]) => {
  const keys = ['created', 'updated', 'unchanged', 'nameless', 'partly_imported', 'unreadable'] as const
  return Object.fromEntries(keys.map((key) => [key, results.reduce((sum, one) => sum + (one[key] ?? 0), 0)]))
}

/** The file that is being read, and what a dry run has seen of all files. `named`: the objects that they link to. */
function openMove(named: ReadonlySet<string>) {
  const seen = nothingSeen(undefined, named)
  let current: { n: number; file: OpenFile } | undefined
  return {
    seen,
    get isNew() {
      return current === undefined
    },
    async at(n: number, make: () => Promise<OpenFile>) {
      if (current?.n !== n) {
        await current?.file[Symbol.asyncDispose]()
        current = { n, file: await make() }
      }
      return current.file
    },
    async [Symbol.asyncDispose]() {
      await current?.file[Symbol.asyncDispose]()
    },
  }
}
