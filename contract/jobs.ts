import * as z from 'zod'
import { via } from './audit.ts'
import { fileAnswer, operation } from './operation.ts'
import { id, moment, page, pageOf } from './shared/shapes.ts'

export const jobKinds = [
  'bulk_update',
  'bulk_delete',
  'merge',
  'purge',
  'undo',
  'import',
  'move',
  'export',
  'replay',
  'mailbox_sync',
] as const
export type JobKind = (typeof jobKinds)[number]
export const jobStates = ['waiting', 'running', 'done', 'cancelled', 'failed', 'undone'] as const

const Fields = z.record(z.string(), z.strictObject({ from: z.unknown(), to: z.unknown() }))
/** How many updates a dry run of an import shows. */
export const mostPreviewed = 5
/** So many unknown values of each column are shown. */
export const mostUnknown = 50
/** So many problems are shown, and so many groups of them with so many rows each. */
export const mostProblems = 100
export const mostProblemGroups = 100
export const mostProblemRows = 20

const imported = {
  created: z.int().optional(),
  updated: z.int().optional(),
  unchanged: z.int().optional(),
  skipped: z
    .int()
    .optional()
    .describe('For imports: rows whose record exists, with on_duplicate: skip, and rows that skip_row leaves out'),
  nameless: z.int().optional().describe('For imports: new records without a name'),
  nameless_lines: z
    .array(z.int())
    .optional()
    .describe('For imports: the first lines that create records without a name'),
  partly_imported: z.int().optional().describe('For imports: rows imported without some of their values'),
  unreadable: z
    .int()
    .optional()
    .describe('For imports: rows imported without values that could not be read; failed-rows contains them'),
  changes: z
    .array(z.strictObject({ line: z.int(), record_id: id, title: z.string(), fields: Fields }))
    .optional()
    .describe(
      'For dry runs: the first records that would be updated, with their values before and after; long texts are shortened',
    ),
  related_created: z.record(z.string(), z.int()).optional().describe('Number of related records created, by object'),
  unknown_values: z
    .record(z.string(), z.array(z.strictObject({ value: z.string(), rows: z.int() })))
    .optional()
    .describe(
      'For dry runs: users and options that do not exist, by column, in the order of the file, with the number of rows. Name others in `values`',
    ),
  options_created: z.record(z.string(), z.int()).optional().describe('Number of options created, by field'),
}

/** The result of a job. For an import, the counts; for a dry run, the counts it would have. */
export const JobResult = z
  .strictObject({
    file_id: id.optional().describe('For exports: the file, available for 7 days'),
    file_name: z.string().optional().describe('The exported or imported file'),
    rows: z.int().optional().describe('Number of rows in the exported file'),
    as_of: moment.optional().describe('For exports: the time of the data in the file'),
    dry_run: z.boolean().optional(),
    import_job_id: id.optional().describe('For dry runs: the import that used it'),
    ...imported,
    files: z
      .array(
        z.strictObject({
          object: z.string(),
          file_id: id,
          file_name: z.string(),
          rows: z.int(),
          failed: z.int(),
          ...imported,
        }),
      )
      .optional()
      .describe('For moves: the counts of each file'),
  })
  .meta({ id: 'JobResult' })
export type JobResult = z.output<typeof JobResult>

/** Work that takes longer than a call. It continues after the caller disconnects. */
export const Job = z
  .strictObject({
    id,
    kind: z.enum(jobKinds),
    state: z.enum(jobStates),
    object: z.string().nullable(),
    total: z.int().nullable().describe('Number of rows or records to process; null: not counted yet'),
    done: z.int().describe('Number of rows or records processed'),
    changed: z.int().describe('Number of records changed'),
    failed: z.int().describe('Number of rows or records that failed'),
    message: z.string().nullable().describe('Why the job failed'),
    result: JobResult.nullable().describe('For imports and exports. Counts are updated while the job runs'),
    change_set_id: id.describe('Undo this change set to undo the whole job'),
    created_by: id,
    created_by_name: z.string().nullable(),
    via,
    created_at: moment,
    started_at: moment.nullable(),
    finished_at: moment.nullable(),
    is_partly_undone: z
      .boolean()
      .describe('Only some of its changes were undone. Undo its change set to undo the rest')
      .meta({ forAgents: 'unless empty' }),
    can_cancel: z.boolean(),
    can_undo: z.boolean(),
  })
  .meta({ id: 'Job' })

const file_name = z.string().nullable().describe('For moves: which file').meta({ forAgents: 'unless null' })
const line = z.int().nullable().describe('Line in the file').meta({ forAgents: 'unless null' })
const record_id = id.nullable().meta({ forAgents: 'unless null' })
const is_note = z
  .boolean()
  .describe('The row was imported without some of its values')
  .meta({ forAgents: 'unless empty' })

export const JobProblem = z.strictObject({ file_name, line, record_id, message: z.string(), is_note })

/** The same problem in many rows. */
export const JobProblemGroup = z
  .strictObject({
    file_id: id.nullable().describe('For moves: which file').meta({ forAgents: 'unless null' }),
    file_name,
    message: z
      .string()
      .describe('What is wrong, with the name in the rows or the first three; “…” stands for other values in them'),
    is_note,
    count: z.int().describe('Number of rows or records with this problem'),
    first: z
      .array(
        z.strictObject({
          line,
          record_id,
          value: z.string().nullable().describe('What is in the row').meta({ forAgents: 'unless null' }),
        }),
      )
      .describe(`The first ${mostProblemRows} of them`),
  })
  .meta({ id: 'JobProblemGroup' })

export const jobs = {
  listJobs: operation({
    summary: 'List background jobs, newest first',
    http: 'GET /jobs',
    access: 'member',
    effect: 'read',
    input: z.strictObject({
      state: z.enum(jobStates).optional().describe('Only jobs in this state'),
      kind: z
        .enum(jobKinds)
        .optional()
        .describe('Only jobs of this kind')
        .meta({ forAgents: { type: 'string' } }),
      created_by: id.optional().describe('Only jobs started by this user').meta({ forAgents: 'hidden' }),
      ...page,
    }),
    output: pageOf(Job).meta({ id: 'JobPage' }),
    tool: 'Lists imports, exports and bulk changes. Non-Admins see only their own.',
  }),
  getJob: operation({
    summary: 'Get a background job and its first problems',
    http: 'GET /jobs/:id',
    access: 'member',
    effect: 'read',
    input: z.strictObject({ id: id.describe('Job ID') }),
    output: z
      .strictObject({
        ...Job.shape,
        problems: z.array(JobProblem).describe(`The first ${mostProblems} problems`).meta({ forAgents: 'hidden' }),
        problem_groups: z
          .array(JobProblemGroup)
          .describe(
            'The problems by kind, failures first and then the most frequent first. A row with several problems is in several groups',
          )
          .meta({ forAgents: 'unless empty' }),
      })
      .meta({ id: 'JobDetails' }),
    tool: 'Returns the state, progress and problems of a job; while it runs, call again after a few seconds. Download failed rows with the same API key from /api/v1/jobs/{id}/failed-rows.',
    untrusted: ['problem_groups'],
  }),
  downloadJobProblems: operation({
    summary: 'Download the failed rows or records of a job as CSV',
    http: 'GET /jobs/:id/failed-rows',
    access: 'member',
    effect: 'read',
    file: 'text/csv',
    input: z.strictObject({ id: id.describe('Job ID'), file_id: id.optional().describe('For moves: which file') }),
    output: fileAnswer,
  }),
  cancelJob: operation({
    summary: 'Cancel a background job',
    http: 'POST /jobs/:id/cancellation',
    replaces: [{ http: 'POST /jobs/:id/cancel' }],
    access: 'member',
    effect: 'change',
    input: z.strictObject({ id: id.describe('Job ID') }),
    output: Job,
    tool: 'Stops a job after its current step. Changes made so far are kept; undo its change set to revert them.',
  }),
}
