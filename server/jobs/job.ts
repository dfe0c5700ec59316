// A job: what is to be done, how far it is, and on whose behalf.
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
  /** How many changes the change set has by now. */
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

export type Problem = { line?: number; record_id?: string; message: string; data?: unknown }

/** What one step did. Written together with its changes. */
export type Step = {
  /** Where the next step continues. */
  cursor: unknown
  done: number
  changed?: number
  total?: number
  problems?: Problem[]
  result?: unknown
  isLast: boolean
}

/** What a step works with. Every write goes through `write`, so that one refusal does not stop the others. */
export type StepTools = {
  context: Context
  job: Job
  /** How many rows this step should take. */
  size: number
  /** Writes these rows together. If they are refused, writes them in halves, so that only the refused ones are left out. Answers with how many records it changed. */
  write<T>(
    rows: T[],
    save: (context: Context, rows: T[]) => Promise<number>,
    refused: (row: T, error: AppError) => void,
  ): Promise<number>
}

export type JobHandler = (tools: StepTools) => Promise<Step>
export type JobHandlers = Record<JobKind, JobHandler>

type NewJob = { kind: JobKind; object?: string; input: object; total?: number }

/** Starts a job in the caller's transaction: it exists if the call succeeds. */
export function startJob(context: Context, { kind, object, input, total }: NewJob) {
  const { company_id, user_id, api_key_id } = actorOf(context)
  const { door, client, request_id, now } = context
  const [id, change_set_id] = [randomUUIDv7(), randomUUIDv7()]
  const about = { company_id, id, kind, object: object ?? null, input, total: total ?? null }
  const by = { created_by: user_id, api_key_id, door, client, request_id, created_at: now.toISOString() }
  context.insert('jobs', [{ ...about, ...by, state: 'waiting', change_set_id }])
  context.emit('job.started', { job_id: id, user_id })
  return { job_id: id, change_set_id }
}
