import { sql } from 'kysely'
import type { JobResult, jobs } from '../../contract/jobs.ts'
import type { Output } from '../../contract/operation.ts'
import { AppError } from '../kernel/app-error.ts'
import { actorOf, type Context } from '../kernel/context.ts'
import { newestFirst } from '../kernel/page.ts'
import type { Handlers } from '../kernel/run.ts'
import { failedRows, failedRowsName, partOf } from './failed-rows.ts'
import type { Job } from './job.ts'
import { problemsOfJob } from './problems.ts'

export const jobOperations: Handlers<typeof jobs> = {
  async listJobs(context, { state, kind, created_by, limit, cursor }) {
    let rows = visibleJobs(context)
    if (state === 'undone') rows = rows.where('j.state', 'in', over).where('s.undone_by', 'is not', null)
    else if (state) rows = rows.where('j.state', '=', state)
    if (isOver(state)) rows = rows.where('s.undone_by', 'is', null)
    if (kind) rows = rows.where('j.kind', '=', kind)
    if (created_by) rows = rows.where('j.created_by', '=', created_by)
    const page = await newestFirst(rows, 'j.id', { limit, cursor })
    return { ...page, items: page.items.map((row) => shown(row as never)) }
  },

  async getJob(context, { id }) {
    const job = await findJob(context, id)
    return { ...shown(job), ...(await problemsOfJob(context.db, job)) }
  },

  async downloadJobProblems(context, { id, file_id }) {
    const job = await findJob(context, id)
    const part = partOf(job, file_id)
    return { name: failedRowsName(job, part), type: 'text/csv; charset=utf-8', content: failedRows(context, job, part) }
  },

  async cancelJob(context, { id }) {
    const job = await findJob(context, id)
    const { company_id, user_id } = actorOf(context)
    if (!canCancel(job))
      throw new AppError(
        'conflict',
        `This job is already ${isOver(job.state) ? job.state : 'being cancelled'}.${undoHint(job)}`,
      )
    const now = context.now
    const isWaiting = job.state === 'waiting'
    await context.db
      .updateTable('jobs')
      .set({ cancelled_by: user_id, ...(isWaiting && { state: 'cancelled', finished_at: now }) })
      .where('company_id', '=', company_id)
      .where('id', '=', id)
      .where('state', 'in', isWaiting ? ['waiting'] : ['running'])
      .execute()
    // The process that syncs the mailbox checks for this anyway, and private mailboxes are not announced.
    if (job.kind !== 'mailbox_sync') context.emit('job.cancelled', { job_id: id, user_id })
    return shown(await findJob(context, id))
  },
}

type Row = Job & { created_by_name: string | null; undone_by: string | null; is_partly_undone: boolean }

/** An undo that still runs or did not get to its end, and was not undone itself. */
const isPartlyUndone = (company_id: string) => sql<boolean>`s.undone_by is null and exists (
  select from jobs undo left join change_sets back on back.company_id = ${company_id} and back.id = undo.change_set_id
  where undo.company_id = ${company_id} and undo.kind = 'undo' and undo.state <> 'waiting' and undo.changes > 0
    and undo.input->'change_set_ids' ? j.change_set_id::text and back.undone_by is null)`

/** Of someone else's private mailbox, not even Admins see how much is in it. */
const isOfPrivateMailbox = (
  company_id: string,
) => sql<boolean>`(j.kind = 'mailbox_sync' and not exists (select from channels c
  where c.company_id = ${company_id} and c.id = (j.input ->> 'channel_id')::uuid and (c.owner_id is null or c.is_shared)))`

/** Non-Admins see only the jobs they started. */
function visibleJobs(context: Context) {
  const { company_id, user_id, is_admin } = actorOf(context)
  const rows = context.db
    .selectFrom('jobs as j')
    .leftJoin('users as u', (join) =>
      join.onRef('u.company_id', '=', 'j.company_id').onRef('u.id', '=', 'j.created_by'),
    )
    .leftJoin('change_sets as s', (join) =>
      join.onRef('s.company_id', '=', 'j.company_id').onRef('s.id', '=', 'j.change_set_id'),
    )
    .selectAll('j')
    .select(['u.name as created_by_name', 's.undone_by'])
    .select(isPartlyUndone(company_id).as('is_partly_undone'))
    .where('j.company_id', '=', company_id)
  return rows.where((eb) =>
    is_admin
      ? eb.or([eb('j.created_by', '=', user_id), eb.not(isOfPrivateMailbox(company_id))])
      : eb('j.created_by', '=', user_id),
  )
}

async function findJob(context: Context, id: string): Promise<Row> {
  const row = await visibleJobs(context).where('j.id', '=', id).executeTakeFirst()
  if (!row) throw new AppError('not_found', 'Job not found. Non-Admins can only see jobs they started.')
  return row as unknown as Row
}

const undoHint = ({ state, changes, kind, change_set_id }: Job) =>
  isOver(state) && changes > 0 && kind !== 'purge'
    ? ` To revert what it did, undo its change set ${change_set_id}.`
    : ''

const over: Job['state'][] = ['done', 'cancelled', 'failed']
const isOver = (state: Job['state'] | undefined) => state !== undefined && over.includes(state)
const canCancel = ({ state, cancelled_by }: Job) => (state === 'waiting' || state === 'running') && !cancelled_by

function shown(job: Row): Output<typeof jobs.cancelJob> {
  const state = isOver(job.state) && job.undone_by ? 'undone' : job.state
  return {
    id: job.id,
    kind: job.kind,
    state,
    object: job.object,
    total: job.total,
    done: job.done,
    changed: job.changed,
    failed: job.failed,
    message: job.message,
    result: job.result as JobResult | null,
    change_set_id: job.change_set_id,
    created_by: job.created_by,
    created_by_name: job.created_by_name,
    via: job.door,
    created_at: job.created_at.toISOString(),
    started_at: job.started_at?.toISOString() ?? null,
    finished_at: job.finished_at?.toISOString() ?? null,
    is_partly_undone: job.is_partly_undone,
    can_cancel: canCancel(job),
    can_undo: isOver(state) && job.changes > 0 && job.kind !== 'purge',
  }
}
