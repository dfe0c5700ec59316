// Imports what a dry run has checked: the same file with the same settings, once.
import type { JobResult } from '../../../contract/jobs.ts'
import { startJob } from '../../jobs/job.ts'
import { AppError, refused } from '../../kernel/app-error.ts'
import { actorOf, type Context } from '../../kernel/context.ts'
import { answerOf, type ImportInput, type ImportRequest, writableTarget } from './import-input.ts'
import { rememberShape } from './import-shapes.ts'

/** The settings are those of the check. */
export async function refuseSettings(asked: ImportRequest) {
  const { file_id, csv, format, mapping, match_by, lists, values, on_duplicate, dry_run } = asked
  if (
    ![file_id, csv, format, mapping, match_by, lists, values, on_duplicate, dry_run || undefined].some(
      (one) => one !== undefined,
    )
  )
    return undefined
  const message = 'With check_id, send only object. The other settings are taken from the check'
  throw new AppError('invalid_input', `${message}.`, { errors: [{ path: 'check_id', message }] })
}

/** Imports exactly what a dry run checked. The second time, the answer is the first import. */
export async function runChecked(context: Context, object: string, check_id: string) {
  const check = await checkOf<ImportInput>(context, check_id, { kind: 'import', object })
  const { result, total } = check
  const input: ImportInput = { ...check.input, dry_run: false }
  const answer = (job_id: string) => ({ job_id, ...answerOf(input), unsure: [], advice: null })
  if (result.import_job_id) return answer(result.import_job_id)
  const target = await writableTarget(context, object, input.mode)
  await rememberShape(context, target.object.id, input)
  const file = { file_name: input.file_name }
  const { job_id } = startJob(context, {
    kind: 'import',
    object,
    input,
    result: file,
    ...(total !== null && { total }),
  })
  context.audit('records.imported', { target_id: job_id, data: { object, file: input.file_name, mode: input.mode } })
  await noteRun(context, check_id, result, job_id)
  return answer(job_id)
}

/** A dry run of the caller that has ended. Locks it: its import starts once. */
export async function checkOf<Input extends { dry_run: boolean }>(
  context: Context,
  check_id: string,
  { kind, object }: { kind: 'import' | 'move'; object?: string },
) {
  const { company_id, user_id } = actorOf(context)
  const check = await context.db
    .selectFrom('jobs')
    .select(['state', 'input', 'total', 'result'])
    .where('company_id', '=', company_id)
    .where('id', '=', check_id)
    .where('created_by', '=', user_id)
    .where('kind', '=', kind)
    .where('object', 'is not distinct from', object ?? null)
    .forUpdate()
    .executeTakeFirst()
  const input = check?.input as Input | undefined
  if (!check || !input?.dry_run)
    throw refused('check_id', `You have no dry run with this ID for ${object ? `an import of ${object}` : 'a move'}`)
  if (check.state !== 'done')
    throw new AppError('conflict', 'This check has not finished. Wait for it, or check again.')
  return { input, total: check.total, result: check.result as JobResult }
}

/** The job that imports what was checked. */
export const noteRun = (context: Context, check_id: string, result: JobResult, job_id: string) =>
  context.db
    .updateTable('jobs')
    .set({ result: JSON.stringify({ ...result, import_job_id: job_id }) })
    .where('company_id', '=', actorOf(context).company_id)
    .where('id', '=', check_id)
    .execute()
