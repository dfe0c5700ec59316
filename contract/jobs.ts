import * as z from 'zod'
import { doors } from './audit.ts'
import { operation } from './operation.ts'
import { id, moment, page, pageOf } from './shapes.ts'

export const jobKinds = ['bulk_update', 'bulk_delete', 'purge', 'undo'] as const
export type JobKind = (typeof jobKinds)[number]
export const jobStates = ['waiting', 'running', 'done', 'cancelled', 'failed', 'undone'] as const

/** Work that takes longer than a call. It goes on when the caller leaves, and every change it makes can be undone. */
export const Job = z
  .strictObject({
    id,
    kind: z.enum(jobKinds),
    state: z.enum(jobStates),
    object: z.string().nullable(),
    total: z.int().nullable().describe('How many rows or records there are; null: not counted yet'),
    done: z.int().describe('How many of them are done'),
    changed: z.int().describe('How many records were changed'),
    failed: z.int().describe('How many rows or records failed'),
    message: z.string().nullable().describe('Why it stopped'),
    change_set_id: id.describe('Undo it to undo the whole job'),
    created_by: id,
    created_by_name: z.string().nullable(),
    door: z.enum(doors),
    created_at: moment,
    started_at: moment.nullable(),
    finished_at: moment.nullable(),
    can_cancel: z.boolean(),
    can_undo: z.boolean(),
  })
  .meta({ id: 'Job' })

export const JobProblem = z.strictObject({
  line: z.int().nullable().describe('The line of the file'),
  record_id: id.nullable(),
  message: z.string(),
})

export const jobs = {
  listJobs: operation({
    summary: 'List jobs, newest first',
    http: 'GET /jobs',
    access: 'member',
    effect: 'read',
    input: z.strictObject({
      state: z.enum(jobStates).optional().describe('Only jobs in this state'),
      kind: z.enum(jobKinds).optional().describe('Only jobs of this kind'),
      created_by: id.optional().describe('Only jobs that this user started'),
      ...page,
    }),
    output: pageOf(Job).meta({ id: 'JobPage' }),
    tool: 'Lists imports, exports and other long-running work with its progress. Others than Admins see the jobs they started.',
  }),
  getJob: operation({
    summary: 'Get a job with its first problems',
    http: 'GET /jobs/:id',
    access: 'member',
    effect: 'read',
    input: z.strictObject({ id: id.describe('Job ID') }),
    output: z
      .strictObject({
        ...Job.shape,
        problems: z.array(JobProblem).describe('The first 100').meta({ forAgents: 'unless empty' }),
      })
      .meta({ id: 'JobDetails' }),
    tool: 'Returns the state, progress and problems of a job. Ask again after a few seconds while it is running.',
  }),
  cancelJob: operation({
    summary: 'Cancel a job',
    http: 'POST /jobs/:id/cancel',
    access: 'member',
    effect: 'change',
    input: z.strictObject({ id: id.describe('Job ID') }),
    output: Job,
    tool: 'Stops a job after its current step. What it has done so far stays; undo its change set to revert it.',
  }),
}
