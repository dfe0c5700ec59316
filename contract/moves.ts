import * as z from 'zod'
import { CsvFormat, csvOperations, OldIds, onInvalid, unsure } from './csv.ts'
import { operation } from './operation.ts'
import { id } from './shared/shapes.ts'

/** The files of one move. */
export const mostFiles = 30
/** What files come from, as far as their columns say so. */
export const systems = ['Attio', 'Google Contacts', 'HubSpot', 'Outlook', 'Pipedrive', 'Salesforce', 'Twenty'] as const

const file_id = id.describe('CSV, XLSX, JSON or vCard, uploaded for import')
const { object, format, mapping, values, mode, match_by, if_missing, empty_cells, lists, on_duplicate } =
  csvOperations.importRecords.input.shape
const MoveFile = z.strictObject({
  object,
  file_id,
  format,
  mapping,
  values,
  mode,
  match_by,
  if_missing,
  empty_cells,
  on_invalid: z
    .enum(onInvalid)
    .default('leave_out')
    .describe('For values that cannot be read: import the row without them and report it, or fail the row'),
  lists,
  on_duplicate,
})

const PlannedFile = z
  .strictObject({
    file_id,
    file_name: z.string(),
    object: z.string().nullable().describe('What its rows probably are; null: none of the objects, or not readable'),
    note: z.string().nullable().describe('Why there is no object, or why it is this one'),
    rows: z.int().describe('Rows after the header; an estimate for large files'),
    is_exact: z.boolean().describe('false: rows is an estimate'),
    old_ids: OldIds,
  })
  .meta({ id: 'PlannedFile' })

export const moves = {
  planMove: operation({
    summary: 'Plan a move: what each file contains, in the order in which they should be imported',
    http: 'POST /moves/plan',
    access: 'records.create',
    effect: 'read',
    input: z.strictObject({ file_ids: z.array(id).min(1).max(mostFiles) }),
    output: z
      .strictObject({
        system: z.enum(systems).nullable().describe('The product that wrote the files; null: unknown'),
        files: z.array(PlannedFile),
        users: z
          .record(z.string(), z.string())
          .describe(
            'From a file of users: their addresses by their IDs, to send in `values` for columns with these IDs',
          ),
      })
      .meta({ id: 'MovePlan' }),
  }),
  startMove: operation({
    summary: 'Import several files in the background, as one change that can be undone as a whole',
    http: 'POST /moves',
    access: 'records.create',
    effect: 'change',
    input: z.strictObject({
      files: z
        .array(MoveFile)
        .min(1)
        .max(mostFiles)
        .optional()
        .describe('In any order: a file that is linked to by others is imported before them'),
      dry_run: z.boolean().default(false).describe('Preview only'),
      check_id: id.optional().describe('Job ID of a dry run, to import what it checked. Send nothing else with it'),
    }),
    output: z
      .strictObject({
        job_id: id.describe('The job; its result has the counts of each file'),
        dry_run: z.boolean(),
        files: z.array(
          z.strictObject({
            object: z.string(),
            file_id: id,
            format: CsvFormat,
            mapping: z.record(z.string(), z.string().nullable()).describe('Field by column; null: skipped'),
            unsure: z.array(unsure).describe('Settings that are ambiguous in the file; format contains the guess'),
          }),
        ),
      })
      .meta({ id: 'MoveStarted' }),
  }),
}
