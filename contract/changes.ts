import * as z from 'zod'
import { doors } from './audit.ts'
import { operation } from './operation.ts'
import { id, moment, page, pageOf } from './shapes.ts'

export const Change = z
  .strictObject({
    object: z.string(),
    record_id: id,
    action: z.enum(['created', 'updated', 'deleted', 'restored']),
    fields: z.record(z.string(), z.strictObject({ from: z.unknown(), to: z.unknown() })),
  })
  .meta({ id: 'Change', forAgents: { type: 'object' } })

/** All that one call changed, with who did it and through which door. */
export const ChangeSet = z
  .strictObject({
    id,
    at: moment,
    operation: z.string(),
    actor_id: id.nullable(),
    actor_name: z.string().nullable(),
    door: z.enum(doors),
    api_key_id: id.nullable(),
    api_key_name: z.string().nullable(),
    client: z.string().nullable(),
    request_id: z.string(),
    undo_of: id.nullable().describe('The change set that this one undid'),
    undone_by: id.nullable(),
    changes: z.array(Change),
  })
  .meta({ id: 'ChangeSet' })

const filter = {
  api_key_id: id.optional().describe('With this key'),
  client: z.string().max(200).optional().describe('By a client whose name begins so'),
  since: moment.optional().describe('From then on'),
  until: moment.optional().describe('Before then'),
}

export const mostUndone = 1000

export const changes = {
  listChanges: operation({
    summary: 'List change sets, newest first',
    http: 'GET /changes',
    access: 'member',
    effect: 'read',
    input: z.strictObject({
      ...filter,
      record_id: id.optional().describe('Of this record'),
      actor_id: id.optional().describe('By this user'),
      by_key: z.boolean().optional().describe('true: with any key'),
      ...page,
    }),
    output: pageOf(ChangeSet).meta({ id: 'ChangeSetPage' }),
    tool: 'What was changed, field by field, by whom and through which key. Admins see all, others their own.',
  }),
  undoChanges: operation({
    summary: 'Undo changes of records',
    http: 'POST /changes/undo',
    access: 'member',
    effect: 'change',
    input: z.strictObject({
      change_set_ids: z.array(id).min(1).max(100).optional().describe('These'),
      ...filter,
      dry_run: z.boolean().default(false).describe('Only tell what would happen'),
    }),
    output: z
      .strictObject({
        undone: z.int().describe('How many records were put back'),
        left: z
          .array(z.strictObject({ record_id: id, field: z.string().nullable(), reason: z.string() }))
          .describe('What stays, and why'),
        change_set_id: id.nullable(),
        dry_run: z.boolean(),
      })
      .meta({ id: 'Undone' }),
    tool: 'Puts records back as they were before some change sets. Without anything named: what this key did, in the window given. What others changed later stays, and is told.',
  }),
}
