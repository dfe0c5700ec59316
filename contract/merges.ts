import * as z from 'zod'
import { objectKey as object } from './objects.ts'
import { operation } from './operation.ts'
import { dry_run, mostMerged, values } from './records.ts'
import { BulkAnswer, WrittenRecord } from './shared/record-shapes.ts'
import { id, nothing } from './shared/shapes.ts'

export const mostGroups = 500

const DuplicateSettings = z
  .strictObject({
    merge_certain: z
      .array(object)
      .max(100)
      .describe('Objects of which certain duplicates are merged as they are found, e.g. people'),
  })
  .meta({ id: 'DuplicateSettings' })

export const merges = {
  mergeRecords: operation({
    summary: 'Merge duplicates into one record',
    http: 'POST /records/:object/:id/merge',
    access: 'records.edit',
    also: ['records.delete'],
    effect: 'destroy',
    input: z.strictObject({
      object,
      id: id.describe('ID of the record to keep'),
      merge: z.array(id).min(1).max(mostMerged).describe('IDs of the duplicates'),
      values: values.optional().describe('Values to set on the kept record'),
      dry_run,
    }),
    output: z
      .strictObject({
        record: WrittenRecord,
        moved: z.int().describe('Number of other records that now link to the kept one, or will when the job is done'),
        change_set_id: id.nullable(),
        job_id: id
          .nullable()
          .describe('Set if many records link to the duplicates; a job then moves them and merges')
          .meta({ forAgents: 'unless null' }),
        dry_run: z.boolean().meta({ forAgents: 'unless empty' }),
      })
      .meta({ id: 'MergedRecords' }),
    tool: 'Merges duplicates into one record, filling its empty fields and moving links, notes and conversations. undo_changes reverts it.',
    untrusted: ['title'],
  }),
  bulkMergeRecords: operation({
    summary: 'Merge many groups of duplicates in the background',
    http: 'POST /records/:object/bulk-merge',
    access: 'records.edit',
    also: ['records.delete'],
    effect: 'destroy',
    largeBody: true,
    input: z.strictObject({
      object,
      groups: z
        .array(
          z.strictObject({
            id: id.describe('ID of the record to keep'),
            merge: z.array(id).min(1).max(mostMerged).describe('IDs of its duplicates'),
          }),
        )
        .min(1)
        .max(mostGroups)
        .describe('A group that cannot be merged is reported as a problem of the job'),
      dry_run,
    }),
    output: BulkAnswer,
  }),
  getDuplicateSettings: operation({
    summary: 'Get which duplicates are merged automatically',
    http: 'GET /settings/duplicates',
    access: 'admin',
    effect: 'read',
    input: nothing,
    output: DuplicateSettings,
  }),
  updateDuplicateSettings: operation({
    summary: 'Update which duplicates are merged automatically',
    http: 'PATCH /settings/duplicates',
    access: 'admin',
    effect: 'change',
    input: DuplicateSettings.partial(),
    output: DuplicateSettings,
  }),
}
