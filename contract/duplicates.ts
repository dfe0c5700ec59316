import * as z from 'zod'
import { objectKey as object } from './objects.ts'
import { operation } from './operation.ts'
import { mostMerged, values } from './records.ts'
import { Duplicate, duplicateLikeness } from './shared/record-shapes.ts'
import { id, page, pageOf } from './shared/shapes.ts'

export const duplicates = {
  getDuplicates: operation({
    summary: 'Find records that are probably the same',
    http: 'POST /records/:object/duplicates/lookup',
    access: 'records.read',
    effect: 'read',
    input: z.strictObject({
      object,
      id: id.optional().describe('Only duplicates of this record'),
      values: values.optional().describe('Only duplicates of a record with these values'),
      likeness: duplicateLikeness
        .optional()
        .describe('certain: only these')
        .meta({ forAgents: { enum: ['certain'] } }),
      is_dismissed: z
        .boolean()
        .optional()
        .describe('Only pairs that were marked as different, newest first')
        .meta({ forAgents: 'hidden' }),
      ...page,
      limit: page.limit.meta({ forAgents: 'hidden' }),
    }),
    output: pageOf(
      z.strictObject({
        id: id.nullable().describe('The oldest record of the group, or the one you asked for; null for values'),
        title: z.string().nullable(),
        duplicates: z.array(Duplicate).describe(`At most ${mostMerged}, the likeliest first`),
        hidden: z.int().describe('Duplicates that you cannot read').meta({ forAgents: 'unless empty' }),
        dismissed_by: id.optional(),
      }),
    )
      .extend({ total: z.int().describe('Number of groups') })
      .meta({ id: 'DuplicateGroups' }),
    tool: 'Finds probable duplicates: of an object, of one record (id), or of values. Then merge_records or dismiss_duplicates.',
    untrusted: ['title', 'reasons'],
  }),
  dismissDuplicates: operation({
    summary: 'Mark records as different',
    http: 'POST /records/:object/:id/duplicates/dismissal',
    access: 'records.edit',
    effect: 'change',
    input: z.strictObject({
      object,
      id: id.describe('Record ID'),
      others: z.array(id).min(1).max(mostMerged).describe('IDs of those that are different'),
      is_dismissed: z.boolean().default(true).describe('false: they may be duplicates again'),
    }),
    output: z.strictObject({ dismissed: z.int().describe('Number of pairs that are marked as different now') }),
    tool: 'Marks records as different, not duplicates.',
  }),
}
