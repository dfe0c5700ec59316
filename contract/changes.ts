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
      record_id: id.optional().describe('Of this record'),
      actor_id: id.optional().describe('By this user'),
      api_key_id: id.optional().describe('With this key'),
      since: moment.optional().describe('From then on'),
      until: moment.optional().describe('Before then'),
      ...page,
    }),
    output: pageOf(ChangeSet).meta({ id: 'ChangeSetPage' }),
    tool: 'What was changed, field by field, by whom and through which key. Admins see all, others their own.',
  }),
}
