// What only deals have. Everything else is done with the operations of records.
import * as z from 'zod'
import { Principal } from './changes.ts'
import { operation } from './operation.ts'
import { WrittenRecords } from './shared/record-shapes.ts'
import { id, moment } from './shared/shapes.ts'

const mostMoved = 100

const StageVisit = z
  .strictObject({
    stage: z.string().nullable().describe('Key of the stage; null: the deal had none'),
    stage_name: z.string().nullable(),
    pipeline: z.string().nullable(),
    entered_at: moment,
    left_at: moment.nullable().describe('null: the deal is still in this stage'),
    days: z.number().describe('Days in this stage'),
    user_id: id.nullable().describe('User who moved the deal'),
    user_name: z.string().nullable(),
    api_key_id: id.nullable(),
    principal: Principal.nullable().describe('What moved the deal, if not a user'),
    change_set_id: id.nullable(),
  })
  .meta({ id: 'StageVisit' })

export const deals = {
  moveDeal: operation({
    summary: 'Move deals to a stage',
    http: 'POST /deals/move',
    access: 'records.edit',
    on: 'deals',
    effect: 'change',
    input: z.strictObject({
      ids: z.array(id).min(1).max(mostMoved).describe('Deal IDs'),
      stage: z.string().trim().min(1).max(100).describe('Name or key'),
      pipeline: z.string().trim().min(1).max(100).optional().describe("Name or key; default: the deal's pipeline"),
      values: z
        .record(z.string().max(63), z.unknown())
        .optional()
        .describe('Other values to set, e.g. {"lost_reason": "Price"}'),
      dry_run: z.boolean().default(false).describe('Preview only'),
    }),
    output: WrittenRecords,
    tool: 'Moves deals to a stage; status and closed_at follow. If the stage requires fields, the error names them: send them in values.',
    untrusted: ['title'],
  }),
  listDealStages: operation({
    summary: 'List the stage history of a deal',
    http: 'GET /deals/:id/stages',
    access: 'records.read',
    effect: 'read',
    input: z.strictObject({ id: id.describe('Deal ID') }),
    output: z.strictObject({ items: z.array(StageVisit).describe('Oldest first') }).meta({ id: 'StageHistory' }),
  }),
}
