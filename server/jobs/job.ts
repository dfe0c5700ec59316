// A job: its task, its progress, and the user it runs for.
import { randomUUIDv7 } from 'node:crypto'
import type { JobKind, jobStates } from '../../contract/jobs.ts'
import type { AppError } from '../kernel/app-error.ts'
import { actorOf, type Context, type Door } from '../kernel/context.ts'

export type Job = {
  company_id: string
  id: string
  kind: JobKind
  state: (typeof jobStates)[number]
  object: string | null
  input: unknown
  cursor: unknown
  total: number | null
  done: number
  changed: number
  failed: number
  result: unknown
  message: string | null
  change_set_id: string
  /** How many changes the change set has so far. */
  changes: number
  created_by: string
  api_key_id: string | null
  door: Door
  client: string | null
  request_id: string
  created_at: Date
  started_at: Date | null
  finished_at: Date | null
  cancelled_by: string | null
  attempts: number
}

/**
 * `is_note`: the row was done, but something of it was left out. `part`: which file of a move it is in. `kinds`: what it has
 * in common with the problems of other rows; without them, the message.
 */
export type Problem = {
  part?: number
  line?: number
  record_id?: string
  message: string
  kinds?: ProblemKind[]
  data?: unknown
  is_note?: boolean
}

/** Stands in a problem for what is in the row. */
export const blank = '“…”'
/** `message`: without what is in the row, which is `value`. `names`: what the first “…” in it stands for. */
export type ProblemKind = { message: string; value: string | null; names?: string[] }

/** The result of one step, stored in the same transaction as its changes. */
export type Step = {
  /** Where the next step continues. */
  cursor: unknown
  done: number
  changed?: number
  total?: number
  problems?: Problem[]
  result?: unknown
  /** Work that cannot be continued after an interruption began again: what it had counted and reported is dropped. */
  isFromStart?: boolean
  isLast: boolean
}

/** What a step gets. It must write through `write`, so that one rejected row does not stop the others. */
export type StepTools = {
  context: Context
  job: Job
  /** How many rows this step should take. */
  size: number
  /**
   * What this process keeps open from one step to the next, such as a file that is half read. It is closed when the
   * process stops working on the job, and after a step that was not committed: the next step opens it again.
   */
  kept<T extends AsyncDisposable>(open: () => Promise<T>): Promise<T>
  /** Returns how many records were changed. See write-in-halves.ts. */
  write<T>(
    rows: T[],
    save: (context: Context, rows: T[]) => Promise<number>,
    refused: (row: T, error: AppError) => void,
  ): Promise<number>
}

export type JobHandler = (tools: StepTools) => Promise<Step>
/** The process that holds a mailbox reads it. */
export const otherRunners = ['mailbox_sync'] as const satisfies JobKind[]
export type JobHandlers = Record<Exclude<JobKind, (typeof otherRunners)[number]>, JobHandler>

type NewJob = { kind: JobKind; object?: string; input: object; total?: number; result?: object | undefined }

/** Starts a job in the caller's transaction, so it only runs if the call succeeds. */
export function startJob(context: Context, { kind, object, input, total, result }: NewJob) {
  const { company_id, user_id, api_key_id } = actorOf(context)
  const { door, client, request_id, now } = context
  const [id, change_set_id] = [randomUUIDv7(), randomUUIDv7()]
  const about = { company_id, id, kind, object: object ?? null, input, total: total ?? null, result: result ?? null }
  const by = { created_by: user_id, api_key_id, door, client, request_id, created_at: now.toISOString() }
  context.insert('jobs', [{ ...about, ...by, state: 'waiting', change_set_id }])
  context.emit('job.created', { job_id: id, user_id })
  return { job_id: id, change_set_id }
}
