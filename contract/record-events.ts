import * as z from 'zod'
import { via } from './audit.ts'
import { Change, Principal } from './changes.ts'
import { operation } from './operation.ts'
import { pointInTime } from './shared/point-in-time.ts'
import { id, moment, page, pageOf } from './shared/shapes.ts'

/** Every type of record event and what triggers it. A change fires one event of each type that applies. */
export const recordEventTypes = {
  'record.created': 'A record was created',
  'record.updated': 'Fields of a record were changed',
  'record.deleted': 'A record was moved to the trash',
  'record.restored': 'A record was restored from the trash',
  'deal.stage_changed': 'A deal moved to another stage, in addition to record.updated',
  'deal.won': 'A deal entered a won stage',
  'deal.lost': 'A deal entered a lost stage',
  'lead.submitted': 'A lead source created or updated a lead, in addition to record.created or record.updated',
  'lead.assigned': 'A lead was assigned to a user by another user or a lead source',
  'lead.converted': 'A lead was converted, in addition to record.updated',
  'lead.delivered': 'A destination accepted a lead, in addition to record.updated',
  'lead.rejected': 'No destination accepted a lead, in addition to record.updated',
  'lead.returned': 'The return of a lead was accepted, in addition to record.updated',
} as const
export type RecordEventType = keyof typeof recordEventTypes

/** Inbox events, also sent to webhooks. Events of private mailboxes are never sent. */
export const inboxEventTypes = {
  'conversation.created': 'A conversation was started',
  'conversation.assigned': 'A conversation was assigned or unassigned',
  'conversation.closed': 'A conversation was closed',
  'conversation.overdue': 'A first response or resolution target was missed',
  'message.received': 'A message from a customer was received',
  'message.sent': 'A message was sent',
  'message.failed': 'A message could not be sent or delivered, or its delivery is unknown',
} as const
export type InboxEventType = keyof typeof inboxEventTypes
export const isInboxEvent = (type: string): type is InboxEventType => type in inboxEventTypes

/** All events that webhooks can receive. */
export const webhookEventTypes = { ...recordEventTypes, ...inboxEventTypes }
export type WebhookEventType = keyof typeof webhookEventTypes
export const webhookEventType = z.enum(Object.keys(webhookEventTypes) as [WebhookEventType, ...WebhookEventType[]])

/** Larger payloads contain no values, only the names of the changed fields and a link. */
export const mostPayloadBytes = 20_000

/** Who or what made a change. Only Admins see the keys and clients of changes made by others. */
const EventPrincipal = z
  .strictObject({
    kind: z.enum(['user', ...Principal.shape.kind.options]),
    id: id.nullable(),
    name: z.string().nullable(),
    via,
    api_key_id: id.nullable(),
    api_key_name: z.string().nullable(),
    client: z.string().nullable().describe('Name reported by the client'),
  })
  .meta({ id: 'EventPrincipal' })

/** One change to one record: the body of a webhook, and an item of GET /events. */
export const webhookPayload = z
  .strictObject({
    id: z
      .string()
      .describe(
        'Same as the header webhook-id. It does not change when the event is sent again, so use it to ignore duplicates',
      ),
    type: webhookEventType,
    at: moment.describe('When the change was made'),
    company: z.strictObject({ id, name: z.string() }),
    principal: EventPrincipal,
    object: z.string().describe('e.g. deals; conversations for inbox events'),
    record_id: id.describe('ID of the record or conversation'),
    version: z
      .int()
      .nullable()
      .describe('Version of the record after this change. Use it to order the events of a record'),
    record: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe(
        'The record after this change; null if it has since been permanently deleted or is too large. For conversations: subject, state, channel, assignee, and the ID, direction and state of the message, but never its text',
      ),
    changed_fields: z.array(z.string()),
    fields: Change.shape.fields.describe('Changed fields with their values before and after. Empty if too large'),
    change_set_id: id.describe('Shared by all changes of one call or job. Use it to undo them'),
    bulk: z.boolean().describe('Whether the call or job changed several records'),
    link: z.url().describe('URL of the record in the web app'),
    is_shortened: z.boolean().describe('The payload exceeded 20 kB, so record and fields are omitted'),
    replay: z.boolean().describe('Sent again on request'),
    test: z.boolean().describe('A test event; nothing was changed'),
  })
  .meta({ id: 'WebhookPayload' })
export type WebhookPayload = z.output<typeof webhookPayload>

export const recordEvents = {
  listEvents: operation({
    summary: 'List events of the last 30 days, newest first, in the format of webhooks',
    http: 'GET /events',
    access: 'member',
    effect: 'read',
    input: z.strictObject({
      object: z.string().max(63).optional().describe('e.g. deals; conversations for inbox events'),
      record_id: id.optional().describe('ID of a record or conversation'),
      type: webhookEventType.optional(),
      since: pointInTime.optional().describe('At or after this time: 2026-06-15T12:00:00Z, -2h or yesterday'),
      ...page,
    }),
    output: pageOf(webhookPayload).meta({ id: 'EventPage' }),
  }),
}
