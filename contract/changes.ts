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
  .meta({ id: 'Change' })

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
    client: z.string().nullable(),
    request_id: z.string(),
    changes: z.array(Change),
  })
  .meta({ id: 'ChangeSet' })

export const changes = {
  listChanges: operation({
    summary: 'List change sets, newest first',
    http: 'GET /changes',
    access: 'member',
    effect: 'read',
    input: z.strictObject({
      record_id: id.optional().describe('Only change sets that touched this record'),
      actor_id: id.optional().describe('Only what this user changed'),
      api_key_id: id.optional().describe('Only what was done with this key'),
      since: moment.optional().describe('From this moment on'),
      until: moment.optional().describe('Before this moment'),
      ...page,
    }),
    output: pageOf(ChangeSet).meta({ id: 'ChangeSetPage' }),
    tool: 'What was changed, by whom and through which key or client, field by field. An Admin sees all, others what they did.',
  }),
}
