// Starts a move: every file and its mapping are checked now, the rows are written by one job.
import type { JobResult } from '../../../contract/jobs.ts'
import { moves } from '../../../contract/moves.ts'
import type { Output } from '../../../contract/operation.ts'
import { keepUntil } from '../../files/queries.ts'
import { startJob } from '../../jobs/job.ts'
import { AppError, refused } from '../../kernel/app-error.ts'
import { actorOf, type Context } from '../../kernel/context.ts'
import { prepared } from '../../kernel/run.ts'
import { checkOf, noteRun } from '../csv/import-checked.ts'
import { answerOf, keptMs, writableTarget } from '../csv/import-input.ts'
import { checkedFile } from '../csv/import-settings.ts'
import { rememberShape } from '../csv/import-shapes.ts'
import type { Reading } from '../csv/sources.ts'
import { schemaOf } from '../schema/schema.ts'
import { type MoveFile, type MoveInput, notBegun } from './move-job.ts'
import { inOrder } from './order.ts'

type Started = Output<typeof moves.startMove>

export const startMove = (reading: Reading) =>
  prepared(
    moves.startMove,
    async (context, { files: asked, check_id, dry_run }) => {
      if (check_id !== undefined) {
        if (asked || dry_run) throw refused('check_id', 'With check_id, send nothing else')
        return undefined
      }
      if (!asked) throw refused('files', 'Send the files, or the check_id of a dry run')
      const files: (MoveFile & Pick<Started['files'][number], 'unsure'>)[] = []
      // One after the other: a workbook is unpacked in memory.
      for (const [i, file] of asked.entries()) {
        const { input, rows, unsure } = await inFile(i, () => checkedFile(reading, context, file))
        files.push({ ...input, object: file.object, file_id: file.file_id, rows, unsure, dry_run })
      }
      return inOrder(await schemaOf(context.db, actorOf(context)), files)
    },
    async (context, { check_id, dry_run }, made) => {
      if (!made) return runChecked(context, check_id!)
      const files = made.map(({ unsure: _, ...file }) => file)
      const job_id = await begin(context, { files, dry_run })
      return answer(job_id, { files, dry_run }, (i) => made[i]!.unsure)
    },
  )

/** Says which of the files is refused. */
async function inFile<T>(index: number, work: () => Promise<T>) {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof AppError) || !error.more.errors) throw error
    throw new AppError(error.code, error.message, {
      errors: error.more.errors.map(({ path, message }) => ({ path: `files.${index}.${path}`, message })),
    })
  }
}

async function begin(context: Context, input: MoveInput) {
  const { files, dry_run } = input
  const expires_at = new Date(context.now.getTime() + keptMs)
  for (const { file_id } of files) await keepUntil(context, file_id, expires_at)
  const total = files.reduce((sum, { rows }) => sum + rows, 0)
  const result: JobResult = { ...(dry_run && { dry_run }), files: notBegun(files) }
  const { job_id } = startJob(context, { kind: 'move', input, total, result })
  if (dry_run) return job_id
  for (const file of files) {
    const { object } = await writableTarget(context, file.object, file.mode)
    await rememberShape(context, object.id, file)
    const data = { object: file.object, file: file.file_name, mode: file.mode }
    context.audit('records.imported', { target_id: job_id, data })
  }
  return job_id
}

const answer = (
  job_id: string,
  { files, dry_run }: MoveInput,
  unsure: (i: number) => Started['files'][number]['unsure'],
): Started => ({
  job_id,
  dry_run,
  files: files.map((file, i) => {
    const { file_id, format, mapping } = answerOf(file)
    return { object: file.object, file_id, format, mapping, unsure: unsure(i) }
  }),
})

/** Imports exactly what a dry run checked. The second time, the answer is the first move. */
async function runChecked(context: Context, check_id: string) {
  const { input, result } = await checkOf<MoveInput>(context, check_id, { kind: 'move' })
  const checked = { dry_run: false, files: input.files.map((file) => ({ ...file, dry_run: false })) }
  if (result.import_job_id) return answer(result.import_job_id, checked, () => [])
  const job_id = await begin(context, checked)
  await noteRun(context, check_id, result, job_id)
  return answer(job_id, checked, () => [])
}
