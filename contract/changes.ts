import * as z from 'zod'
import { door, via } from './audit.ts'
import { operation } from './operation.ts'
import { pointInTime } from './shared/point-in-time.ts'
import { id, moment, page, pageOf } from './shared/shapes.ts'

const value = z.unknown().meta({ forAgents: 'unless null' })

export const Change = z
  .strictObject({
    object: z.string(),
    record_id: id,
    action: z.enum(['created', 'updated', 'deleted', 'restored']),
    fields: z.record(z.string(), z.strictObject({ from: value, to: value })),
  })
  .meta({ id: 'Change' })

/** What acted, if it was not a user: a form, a mailbox, a rule, or Kith itself. */
export const Principal = z
  .strictObject({
    kind: z.enum(['source', 'channel', 'rule', 'system']),
    id: id.nullable(),
    name: z.string(),
  })
  .meta({ id: 'Principal' })

/** Everything one call changed, with who did it and via which interface. */
export const ChangeSet = z
  .strictObject({
    id,
    at: moment,
    operation: z.string(),
    actor_id: id.nullable(),
    actor_name: z.string().nullable(),
    principal: Principal.nullable().describe('What made the change, if not a user').meta({ forAgents: 'unless null' }),
    via,
    door: door.meta({ forAgents: 'hidden' }),
    api_key_id: id.nullable(),
    api_key_name: z.string().nullable(),
    client: z.string().nullable(),
    request_id: z.string().meta({ forAgents: 'hidden' }),
    merged: z
      .strictObject({
        object: z.string(),
        record_id: id.nullable().describe('The record that was kept; null: several'),
        count: z.int().describe('Number of records merged into others'),
      })
      .nullable()
      .describe('If duplicates were merged: how many, and into which record')
      .meta({ forAgents: 'unless null' }),
    undo_of: id.nullable().describe('The change set that this one undid'),
    undone_by: id.nullable(),
    changes: z.array(Change).describe('Changes to the requested record, or the first few changes'),
    other_changes: z.int().describe('Number of further changes that you can see').meta({ forAgents: 'unless empty' }),
  })
  .meta({ id: 'ChangeSet' })

const filter = {
  api_key_id: id.optional().describe('Made with this key'),
  client: z.string().max(200).optional().describe('Start of the client name'),
  since: pointInTime.optional().describe('At or after: 2026-06-15T12:00:00Z, -2h or yesterday'),
  until: pointInTime.optional().describe('Before this time'),
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
      record_id: id.optional().describe('Only changes to this record'),
      actor_id: id.optional().describe('Made by this user'),
      by_key: z.boolean().optional().describe('true: made with an API key; false: without'),
      by_kith: z.boolean().optional().describe('true: made by Kith itself').meta({ forAgents: 'hidden' }),
      first_id: id.optional().describe('This change set and later ones').meta({ forAgents: 'hidden' }),
      last_id: id.optional().describe('This change set and earlier ones').meta({ forAgents: 'hidden' }),
      values: z.boolean().optional().describe('false: only field names'),
      max_changes: z.int().min(1).max(1000).default(5).describe('Changes per change set'),
      ...page,
    }),
    output: z
      .strictObject({
        ...pageOf(ChangeSet).shape,
        scope: z.enum(['all', 'own']).describe('own: only your own changes are listed'),
      })
      .meta({ id: 'ChangeSetPage' }),
    tool: 'Lists who changed what, when and with which key. Non-Admins see their own, and the history of records they can read.',
    untrusted: ['from', 'to'],
  }),
  undoChanges: operation({
    summary: 'Undo changes to records',
    http: 'POST /changes/undo',
    access: 'member',
    effect: 'change',
    input: z.strictObject({
      change_set_ids: z.array(id).min(1).max(100).optional().describe('From list_changes or a write'),
      last: z.int().min(1).max(20).optional().describe('Undo this many of your latest change sets'),
      record_ids: z.array(id).min(1).max(100).optional().describe('Only changes to these records'),
      ...filter,
      dry_run: z.boolean().default(false).describe('Preview only'),
    }),
    output: z
      .strictObject({
        undone: z.int().describe('Number of records restored'),
        left: z
          .array(z.strictObject({ record_id: id, field: z.string().nullable(), reason: z.string() }))
          .describe('What was not undone, and why')
          .meta({ forAgents: 'unless empty' }),
        change_set_id: id.nullable(),
        job_id: id
          .nullable()
          .describe(
            'Set for more than 1,000 changes, which a job undoes. Track it with get_job; its problems list what was not undone',
          )
          .meta({ forAgents: 'unless empty' }),
        dry_run: z.boolean().meta({ forAgents: 'unless empty' }),
      })
      .meta({ id: 'Undone' }),
    tool: 'Reverts change sets, or everything this key did since a given time. Later changes by others are kept and reported.',
  }),
}
