import * as z from 'zod'
import { id } from './shapes.ts'

/** One event for all records of a call. IDs only: listeners read the values from the history. */
const recordsChanged = z.strictObject({ object: z.string(), record_ids: z.array(id) })

const conversation = z.strictObject({ conversation_id: id })
const message = z.strictObject({ conversation_id: id, message_id: id })
/** `reader_id`: the only one who may know, because it is about a private conversation. */
const proposal = z.strictObject({ proposal_id: id, reader_id: id.nullable() })

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
  /** What decides whether they are duplicates of others. */
  'record.comparison_changed': recordsChanged,
  'record.assigned': z.strictObject({ object: z.string(), user_id: id, change_set_id: id }),
  'record.changed_by_agent': z.strictObject({ user_id: id, change_set_id: id }),
  /** `at`: by the clock of the database. */
  'record.merged': z.strictObject({
    object: z.string(),
    record_id: id,
    merged_ids: z.array(id),
    change_set_id: id,
    at: z.string(),
  }),
  /** Kith merged duplicates automatically. `count`: how many into the one that was kept. */
  'duplicates.merged': z.strictObject({ object: z.string(), count: z.int(), change_set_id: id }),
  /** `object`: null for an export of everything. */
  'records.exported': z.strictObject({ object: z.string().nullable(), count: z.int() }),
  'duplicate_settings.updated': z.strictObject({}),
  /** Also for change sets that are in effect again because their undo was undone. */
  'changes.undone': z.strictObject({ change_set_ids: z.array(id) }),
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
  'contact.addressed': z.strictObject({ record_ids: z.array(id) }),
  'contact.renamed': z.strictObject({ record_ids: z.array(id) }),
  'lead.received': z.strictObject({ submission_id: id, source_id: id }),
  'lead.unconfirmed': z.strictObject({ submission_id: id }),
  'lead.submitted': z.strictObject({ submission_id: id, source_id: id, lead_id: id }),
  'lead.failed': z.strictObject({ submission_id: id, source_id: id }),
  'lead.overdue': z.strictObject({ record_ids: z.array(id), user_id: id }),
  'lead.queued': z.strictObject({}),
  'lead.unplaced': z.strictObject({ lead_id: id }),
  'lead.not_accepted': z.strictObject({ lead_id: id, delivery_id: id, user_ids: z.array(id) }),
  'lead.return_requested': z.strictObject({ return_id: id }),
  'lead_sending.changed': z.strictObject({}),
  'lead_settings.updated': z.strictObject({}),
  /** `user_id`: the only one who may know, because it is private. */
  'dashboard.changed': z.strictObject({ dashboard_id: id, user_id: id.nullable() }),
  /** `user_id`: the only one who may know, because it is private. */
  'channel.changed': z.strictObject({ channel_id: id, user_id: id.nullable() }),
  'channel.disconnected': z.strictObject({ channel_id: id }),
  'channel.failing': z.strictObject({ channel_id: id, reason: z.string() }),
  'conversation.created': conversation,
  'conversation.assigned': z.strictObject({ ...conversation.shape, user_id: id.nullable() }),
  'conversation.closed': conversation,
  /** A target was missed. */
  'conversation.overdue': z.strictObject({ ...conversation.shape, target: z.enum(['response', 'resolution']) }),
  /** A rule notifies these users. */
  'conversation.flagged': z.strictObject({ ...conversation.shape, user_ids: z.array(id), rule: z.string() }),
  /** Anything else that open pages show. `user_id`: the only one who may know, because it is private. */
  'conversation.changed': z.strictObject({ conversation_ids: z.array(id), user_id: id.nullable() }),
  /** A draft of this user: other windows and devices show it as it is now. */
  'message_draft.changed': z.strictObject({ user_id: id }),
  'conversation.mentioned': z.strictObject({ ...message.shape, user_id: id }),
  /** The sender of a message is unknown. */
  'conversation.sender_unknown': conversation,
  'message.received': message,
  'message.sent': message,
  'message.failed': message,
  /** Also for private channels: for the author, not for webhooks. */
  'message.not_sent': message,
  'message.queued': z.strictObject({}),
  'inbox_rules.changed': z.strictObject({}),
  'working_hours.changed': z.strictObject({}),
  'proposal.made': proposal,
  'proposal.decided': z.strictObject({ ...proposal.shape, user_id: id }),
  'proposal.expired': proposal,
  'job.created': z.strictObject({ job_id: id, user_id: id }),
  'job.cancelled': z.strictObject({ job_id: id, user_id: id }),
  'schema.updated': z.strictObject({}),
  'activity.changed': z.strictObject({ record_ids: z.array(id), organization_ids: z.array(id) }),
  'object.reindexed': z.strictObject({ object: z.string() }),
  'notification.mail_queued': z.strictObject({ notification_id: id }),
  'password.reset_requested': z.strictObject({ email: z.string() }),
  'sign_up.requested': z.strictObject({ email: z.string() }),
  'user.email_change_requested': z.strictObject({ user_id: id, email: z.string() }),
  'user.email_changed': z.strictObject({ user_id: id, old_email: z.string() }),
  'user.role_changed': z.strictObject({ user_id: id, role: z.string() }),
  'api_key.created': z.strictObject({ api_key_id: id, user_id: id }),
}

export type EventName = keyof typeof events

/** Those that the last release stored under another name, and that may still wait for an update. */
const renamed: Record<string, EventName> = {
  'job.started': 'job.created',
  'lead.not_taken': 'lead.unplaced',
  'conversation.noticed': 'conversation.flagged',
  'notification.mail': 'notification.mail_queued',
}
export const currentEvent = (name: EventName): EventName => renamed[name] ?? name
export type EventPayload<Name extends EventName> = z.output<(typeof events)[Name]>
