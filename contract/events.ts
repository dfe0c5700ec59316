import * as z from 'zod'
import { id } from './shapes.ts'

/** One event for all records of a call. IDs only: listeners read the values from the history. */
const recordsChanged = z.strictObject({ object: z.string(), record_ids: z.array(id) })

/** Every event by name, with its payload. Events are stored in the transaction that caused them. */
export const events = {
  'company.created': z.strictObject({ name: z.string() }),
  'company.updated': z.strictObject({ name: z.string() }),
  'company.rates_changed': z.strictObject({}),
  'user.created': z.strictObject({ user_id: id }),
  'user.updated': z.strictObject({ user_id: id }),
  'user.invited': z.strictObject({ user_id: id, send: z.boolean() }),
  'user.joined': z.strictObject({ user_id: id, invited_by: id.nullable() }),
  'user.deactivated': z.strictObject({ user_id: id, reassign_to: id }),
  'user.removed': z.strictObject({ user_id: id, reassign_to: id }),
  'user.account_changed': z.strictObject({ user_id: id, what: z.string() }),
  'user.access_changed': z.strictObject({ user_id: id }),
  'mail.changed': z.strictObject({ host: z.string().nullable().describe('null: removed') }),
  'role.updated': z.strictObject({ role_id: id }),
  'record.created': recordsChanged,
  'record.updated': recordsChanged,
  'record.deleted': recordsChanged,
  'record.restored': recordsChanged,
  'record.assigned': z.strictObject({ object: z.string(), user_id: id, change_set_id: id }),
  'record.changed_by_agent': z.strictObject({ user_id: id, change_set_id: id }),
  'record.placed': z.strictObject({ object: z.string() }),
  'record.mentioned': z.strictObject({ object: z.string(), record_id: id, user_id: id }),
  'note.replied': z.strictObject({ object: z.string(), record_id: id }),
  'deal.stage_changed': z.strictObject({
    ...recordsChanged.shape,
    from: z.string().nullable().describe('Key of the stage'),
    to: z.string().nullable(),
    change_set_id: id,
  }),
  'deal.won': z.strictObject({ ...recordsChanged.shape, change_set_id: id }),
  'deal.lost': z.strictObject({ ...recordsChanged.shape, change_set_id: id }),
  'deliveries.queued': z.strictObject({}),
  'webhook.changed': z.strictObject({ webhook_id: id }),
  'webhook.disabled': z.strictObject({ webhook_id: id, reason: z.string() }),
  'webhook.queued': z.strictObject({ webhook_id: id }),
  'lead.received': z.strictObject({ submission_id: id, source_id: id }),
  'lead.unconfirmed': z.strictObject({ submission_id: id }),
  'lead.submitted': z.strictObject({ submission_id: id, source_id: id, lead_id: id }),
  'lead.overdue': z.strictObject({ record_ids: z.array(id), user_id: id }),
  'lead_settings.updated': z.strictObject({}),
  'job.started': z.strictObject({ job_id: id, user_id: id }),
  'schema.updated': z.strictObject({}),
  'activity.changed': z.strictObject({ record_ids: z.array(id), organization_ids: z.array(id) }),
  'object.reindexed': z.strictObject({ object: z.string() }),
  'notification.mail': z.strictObject({ notification_id: id }),
  'password.reset_requested': z.strictObject({ email: z.string() }),
  'sign_up.requested': z.strictObject({ email: z.string() }),
  'user.email_change_requested': z.strictObject({ user_id: id, email: z.string() }),
  'user.email_changed': z.strictObject({ user_id: id, old_email: z.string() }),
  'user.role_changed': z.strictObject({ user_id: id, role: z.string() }),
  'api_key.created': z.strictObject({ api_key_id: id, user_id: id }),
}

export type EventName = keyof typeof events
export type EventPayload<Name extends EventName> = z.output<(typeof events)[Name]>
