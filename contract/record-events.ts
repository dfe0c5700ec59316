import * as z from 'zod'
import { via } from './audit.ts'
import { Change, Principal } from './changes.ts'
import { operation } from './operation.ts'
import { pointInTime } from './shared/point-in-time.ts'
import { id, moment, page, pageOf } from './shared/shapes.ts'

/** Every type of event about a record, with when it happens. A change fires one event of each type that applies. */
export const recordEventTypes = {
  'record.created': 'A record was created',
  'record.updated': 'Fields of a record were changed',
  'record.deleted': 'A record was moved to the trash',
  'record.restored': 'A record was restored from the trash',
  'deal.stage_changed': 'A deal moved to another stage, in addition to record.updated',
  'deal.won': 'A deal entered a stage that counts as won',
  'deal.lost': 'A deal entered a stage that counts as lost',
  'lead.submitted': 'A lead source created or updated a lead, in addition to record.created or record.updated',
  'lead.assigned': 'Someone became the owner of a lead that another user or a lead source gave to them',
  'lead.converted': 'A lead was converted, in addition to record.updated',
  'lead.delivered': 'A destination accepted a lead, in addition to record.updated',
  'lead.rejected': 'No destination took a lead, in addition to record.updated',
  'lead.returned': 'A destination returned a lead and the return was accepted, in addition to record.updated',
} as const
export type RecordEventType = keyof typeof recordEventTypes

/** Events of the inbox, also sent to webhooks. Those of private mailboxes are never sent. */
export const inboxEventTypes = {
  'conversation.created': 'A conversation began',
  'conversation.assigned': 'A conversation was assigned to someone, or to nobody',
  'conversation.closed': 'A conversation was closed',
  'conversation.overdue': 'A target for the first response or for closing a conversation was missed',
  'message.received': 'A message of an outsider arrived',
  'message.sent': 'A message was sent',
  'message.failed': 'A message could not be sent or delivered, or it is unknown whether it was sent',
} as const
export type InboxEventType = keyof typeof inboxEventTypes
export const isInboxEvent = (type: string): type is InboxEventType => type in inboxEventTypes

/** Everything that webhooks can be told. */
export const webhookEventTypes = { ...recordEventTypes, ...inboxEventTypes }
export type WebhookEventType = keyof typeof webhookEventTypes
export const webhookEventType = z.enum(Object.keys(webhookEventTypes) as [WebhookEventType, ...WebhookEventType[]])

/** Larger payloads have no values, only the names of the changed fields and a link. */
export const mostPayloadBytes = 20_000

/** Who or what made a change. Others than Admins see keys and clients only of their own changes. */
const EventPrincipal = z
  .strictObject({
    kind: z.enum(['user', ...Principal.shape.kind.options]),
    id: id.nullable(),
    name: z.string().nullable(),
    via,
    api_key_id: id.nullable(),
    api_key_name: z.string().nullable(),
    client: z.string().nullable().describe('Name that the program or agent reported'),
  })
  .meta({ id: 'EventPrincipal' })

/** One change to one record: the body of a webhook, and an item of GET /events. */
export const webhookPayload = z
  .strictObject({
    id: z
      .string()
      .describe(
        'Same as the header webhook-id. Stays the same if the event is sent again, so use it to ignore repeats',
      ),
    type: webhookEventType,
    at: moment.describe('When the change was made'),
    company: z.strictObject({ id, name: z.string() }),
    principal: EventPrincipal,
    object: z.string().describe('Such as deals. conversations: an event of the inbox'),
    record_id: id.describe('Of the record, or of the conversation'),
    version: z.int().nullable().describe('Version of the record after this change; orders the events of a record'),
    record: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe(
        'The record after this change. null: permanently deleted since then, or too large. Of a conversation: subject, state, channel, assignee, and ID, direction and state of the message; never its text',
      ),
    changed_fields: z.array(z.string()),
    fields: Change.shape.fields.describe('The changed fields, with their values before and after. Empty if too large'),
    change_set_id: id.describe('All changes of one call or job share it. Use it to undo them'),
    bulk: z.boolean().describe('Whether the call or job changed several records'),
    link: z.url().describe('The record in the web app'),
    is_shortened: z.boolean().describe('The payload was larger than 20 kB, so record and fields were left out'),
    replay: z.boolean().describe('Sent again on request'),
    test: z.boolean().describe('A test event: nothing was changed'),
  })
  .meta({ id: 'WebhookPayload' })
export type WebhookPayload = z.output<typeof webhookPayload>

export const recordEvents = {
  listEvents: operation({
    summary: 'List events of the last 30 days, newest first, each as webhooks receive it',
    http: 'GET /events',
    access: 'member',
    effect: 'read',
    input: z.strictObject({
      object: z.string().max(63).optional().describe('Such as deals, or conversations for events of the inbox'),
      record_id: id.optional().describe('Of a record, or of a conversation'),
      type: webhookEventType.optional(),
      since: pointInTime.optional().describe('From then on: 2026-06-15T12:00:00Z, -2h or yesterday'),
      ...page,
    }),
    output: pageOf(webhookPayload).meta({ id: 'EventPage' }),
  }),
}
