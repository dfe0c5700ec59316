import * as z from 'zod'
import { limits } from './filter/limits.ts'
import { objectKey } from './objects.ts'
import { operation } from './operation.ts'
import { webhookEventType } from './record-events.ts'
import { pointInTime } from './shared/point-in-time.ts'
import { fullPage, id, moment, nothing, page, pageOf } from './shared/shapes.ts'

export { recordEventTypes, webhookEventTypes, webhookPayload } from './record-events.ts'

export const webhookStates = ['active', 'paused', 'disabled'] as const
export const deliveryStates = ['waiting', 'delivered', 'failed', 'cancelled'] as const
/** Seconds before each attempt, each up to 20 % earlier or later. */
export const attemptDelays = [0, 5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400] as const
/** How long deliveries are kept, and how far back events can be replayed. */
export const keptDays = 30
export const mostHeaders = 20

const wantedEvent = z.enum(['*', ...webhookEventType.options])

export const Webhook = z
  .strictObject({
    id,
    target_url: z.string(),
    description: z.string(),
    events: z.array(wantedEvent),
    object: z.string().nullable().describe('null: all objects'),
    filter: z.string().nullable().describe('As text, with field and option keys and the IDs of users and records'),
    filter_error: z
      .string()
      .nullable()
      .describe('Why the filter no longer works. Nothing is delivered until it is fixed'),
    filter_on: z.enum(['after', 'before']),
    fields: z.array(z.string()).nullable(),
    header_names: z.array(z.string()).describe('Custom headers. Their values are never shown'),
    skip_bulk: z.boolean(),
    is_ordered: z.boolean(),
    state: z.enum(webhookStates).describe('disabled: turned off by Kith, see disabled_reason'),
    disabled_at: moment.nullable(),
    disabled_reason: z.string().nullable(),
    failing_since: moment
      .nullable()
      .describe('Start of the current failures. The webhook is disabled after 5 days of failures'),
    retry_at: moment
      .nullable()
      .describe('Time of the next attempt. After 5 consecutive failures, events are sent one at a time'),
    old_secret_expires_at: moment.nullable().describe('Until then, requests are also signed with the previous secret'),
    owner_id: id.describe('The webhook delivers only what this user can read'),
    owner_name: z.string().nullable(),
    created_at: moment,
    waiting: z.int().describe('Deliveries waiting for their next attempt'),
    delivered_24h: z.int(),
    failed_24h: z.int().describe('Failed attempts in the last 24 hours'),
    last_attempt_at: moment.nullable(),
    last_status: z.int().nullable().describe('HTTP status of the last attempt; null: no response'),
  })
  .meta({ id: 'Webhook' })

/** A webhook with its signing secret, which is shown only here. */
const WebhookWithSecret = Webhook.extend({
  secret: z.string().describe('Secret to verify signatures (Standard Webhooks). It is not shown again'),
}).meta({ id: 'WebhookWithSecret' })

export const WebhookDelivery = z
  .strictObject({
    id,
    webhook_id: id,
    event_id: z.string().describe('Same as the header webhook-id'),
    type: webhookEventType,
    object: z.string(),
    record_id: id,
    record_title: z.string().nullable(),
    state: z.enum(deliveryStates),
    replay: z.boolean(),
    test: z.boolean(),
    attempts: z.int(),
    created_at: moment,
    last_attempt_at: moment.nullable(),
    next_attempt_at: moment.nullable(),
    last_status: z.int().nullable(),
    last_ms: z.int().nullable().describe('Duration of the last attempt in milliseconds'),
    reason: z.string().nullable().describe('Why the last attempt failed'),
  })
  .meta({ id: 'WebhookDelivery' })

const sentHeaders = z.record(z.string(), z.string())

export const WebhookAttempt = z
  .strictObject({
    number: z.int(),
    at: moment,
    ms: z.int(),
    status: z.int().nullable().describe('null: no response'),
    is_success: z.boolean(),
    reason: z.string().nullable().describe('Why the attempt failed'),
    request_headers: sentHeaders.describe('Request headers as sent, with the values of custom headers hidden'),
    response_headers: sentHeaders,
    response_body: z.string().describe('The first 16 kB'),
    next_attempt_at: moment.nullable(),
  })
  .meta({ id: 'WebhookAttempt' })

const WebhookDeliveryDetails = WebhookDelivery.extend({
  target_url: z.string(),
  body: z.string().describe('The exact request body that was signed'),
  log: z.array(WebhookAttempt).describe('Every attempt, oldest first'),
}).meta({ id: 'WebhookDeliveryDetails' })

const reserved =
  /^(host|connection|content-.*|transfer-encoding|expect|upgrade|te|trailer|keep-alive|proxy-.*|webhook-.*)$/i
const headerPattern = /^[a-zA-Z0-9!#$%&'*+.^_`|~-]{1,100}$/
export const headerValue = z
  .string()
  .max(2000)
  .regex(/^[\t\x20-\x7e]*$/, 'Use ASCII characters without line breaks')
export const headersOf = <Value extends z.ZodType>(value: Value) =>
  z.record(z.string(), value).superRefine((headers, { addIssue }) => {
    for (const name of Object.keys(headers)) {
      if (!headerPattern.test(name))
        addIssue({ code: 'custom', path: [name], message: 'Use letters, digits and hyphens' })
      if (reserved.test(name))
        addIssue({ code: 'custom', path: [name], message: 'Kith sets this header. Use another name' })
    }
  })

const target_url = z
  .url({ protocol: /^https?$/, error: 'Enter a URL that starts with https://' })
  .max(2000)
  .describe('URL that receives a POST request for each event. Must be https and publicly reachable')
const description = z.string().trim().max(200)
const events = z
  .array(wantedEvent)
  .min(1, 'Choose at least one event type')
  .max(20)
  .describe('Event types; * means all, including types added later')
const filter = z.string().max(limits.characters).nullable().describe('Only records that match. Requires object')
const filter_on = z
  .enum(['after', 'before'])
  .describe(
    'Apply the filter to the record after or before the change. With before, the filter must not use related records',
  )
const fields = z
  .array(z.string().max(200))
  .min(1)
  .max(200)
  .nullable()
  .describe('Record fields to send; null: all that the owner can read. Requires object')
const skip_bulk = z.boolean().describe('Ignore imports, bulk changes and calls that change several records')
const is_ordered = z
  .boolean()
  .describe(
    'Send the events of a record in order: later events wait until earlier ones are delivered or fail permanently',
  )

const webhook = { id: id.describe('Webhook ID') }
const delivery = { ...webhook, delivery_id: id }

export const webhooks = {
  listWebhooks: operation({
    summary: 'List webhooks',
    http: 'GET /webhooks',
    access: 'webhooks.manage',
    effect: 'read',
    input: z.strictObject(fullPage),
    output: pageOf(Webhook).meta({ id: 'WebhookList' }),
  }),
  createWebhook: operation({
    summary: 'Create a webhook; its signing secret is shown once',
    http: 'POST /webhooks',
    access: 'webhooks.manage',
    effect: 'add',
    secret: true,
    input: z.strictObject({
      target_url,
      description: description.default(''),
      events: events.default(['*']),
      object: objectKey.nullable().default(null).describe('Only records of this object; null: all objects'),
      filter: filter.default(null),
      filter_on: filter_on.default('after'),
      fields: fields.default(null),
      headers: headersOf(headerValue)
        .default({})
        .describe('Custom headers, e.g. authorization. Their values are stored encrypted and never shown'),
      skip_bulk: skip_bulk.default(false),
      is_ordered: is_ordered.default(false),
    }),
    output: WebhookWithSecret,
  }),
  getWebhook: operation({
    summary: 'Get a webhook',
    http: 'GET /webhooks/:id',
    access: 'webhooks.manage',
    effect: 'read',
    input: z.strictObject(webhook),
    output: Webhook,
  }),
  updateWebhook: operation({
    summary: 'Update a webhook',
    http: 'PATCH /webhooks/:id',
    access: 'webhooks.manage',
    effect: 'change',
    input: z.strictObject({
      ...webhook,
      target_url: target_url.optional(),
      description: description.optional(),
      events: events.optional(),
      object: objectKey.nullable().optional(),
      filter: filter.optional(),
      filter_on: filter_on.optional(),
      fields: fields.optional(),
      headers: headersOf(headerValue.nullable())
        .optional()
        .describe('Custom headers to add or replace; null removes one. The others are kept'),
      skip_bulk: skip_bulk.optional(),
      is_ordered: is_ordered.optional(),
    }),
    output: Webhook,
  }),
  deleteWebhook: operation({
    summary: 'Delete a webhook and its deliveries',
    http: 'DELETE /webhooks/:id',
    access: 'webhooks.manage',
    effect: 'destroy',
    input: z.strictObject(webhook),
    output: nothing,
  }),
  pauseWebhook: operation({
    summary: 'Pause a webhook. Events are not queued while it is paused, but can be replayed',
    http: 'POST /webhooks/:id/pause',
    access: 'webhooks.manage',
    effect: 'change',
    input: z.strictObject(webhook),
    output: Webhook,
  }),
  resumeWebhook: operation({
    summary: 'Resume a paused or disabled webhook',
    http: 'DELETE /webhooks/:id/pause',
    replaces: [{ http: 'POST /webhooks/:id/resume' }],
    access: 'webhooks.manage',
    effect: 'change',
    input: z.strictObject(webhook),
    output: Webhook,
  }),
  renewWebhookSecret: operation({
    summary: 'Rotate the signing secret of a webhook; the new one is shown once',
    http: 'POST /webhooks/:id/secret',
    replaces: [{ name: 'rotateWebhookSecret' }],
    access: 'webhooks.manage',
    effect: 'change',
    secret: true,
    input: z.strictObject({
      ...webhook,
      overlap_hours: z
        .int()
        .min(0)
        .max(168)
        .default(24)
        .describe(
          'Hours during which requests are signed with both secrets. 0: the old secret stops working immediately',
        ),
    }),
    output: WebhookWithSecret,
  }),
  testWebhook: operation({
    summary: 'Send a test event from a real record, ignoring the filter',
    http: 'POST /webhooks/:id/test',
    access: 'webhooks.manage',
    effect: 'add',
    openWorld: true,
    input: z.strictObject({
      ...webhook,
      type: webhookEventType.optional().describe("Default: the webhook's first event type"),
      record_id: id.optional().describe('Default: the last changed record'),
    }),
    output: WebhookDelivery,
  }),
  listWebhookDeliveries: operation({
    summary: 'List deliveries of a webhook in the last 30 days, newest first',
    http: 'GET /webhooks/:id/deliveries',
    access: 'webhooks.manage',
    effect: 'read',
    input: z.strictObject({
      ...webhook,
      state: z.enum(deliveryStates).optional(),
      type: webhookEventType.optional(),
      record_id: id.optional(),
      event_id: z.string().max(100).optional().describe('The webhook-id logged by the receiver'),
      since: pointInTime.optional().describe('At or after this time: 2026-06-15T12:00:00Z, -2h or yesterday'),
      ...page,
    }),
    output: pageOf(WebhookDelivery).meta({ id: 'WebhookDeliveryPage' }),
  }),
  getWebhookDelivery: operation({
    summary: 'Get a webhook delivery with its request and attempts',
    http: 'GET /webhooks/:id/deliveries/:delivery_id',
    access: 'webhooks.manage',
    effect: 'read',
    input: z.strictObject(delivery),
    output: WebhookDeliveryDetails,
  }),
  retryWebhookDelivery: operation({
    summary: 'Resend a webhook delivery with the same event ID',
    http: 'POST /webhooks/:id/deliveries/:delivery_id/retry',
    replaces: [{ name: 'resendWebhookDelivery', http: 'POST /webhooks/:id/deliveries/:delivery_id/resend' }],
    access: 'webhooks.manage',
    effect: 'add',
    openWorld: true,
    input: z.strictObject(delivery),
    output: WebhookDelivery,
  }),
  retryFailedWebhookDeliveries: operation({
    summary: 'Resend all events whose last delivery failed, oldest first',
    http: 'POST /webhooks/:id/deliveries/retry',
    replaces: [{ name: 'resendFailedDeliveries', http: 'POST /webhooks/:id/resend-failed' }],
    access: 'webhooks.manage',
    effect: 'add',
    openWorld: true,
    input: z.strictObject({
      ...webhook,
      since: pointInTime.describe('Deliveries at or after this time: 2026-06-15T12:00:00Z, -2h or yesterday'),
    }),
    output: z.strictObject({ queued: z.int() }),
  }),
  replayWebhookEvents: operation({
    summary: 'Replay matching events from the last 30 days to a webhook, oldest first',
    http: 'POST /webhooks/:id/replay',
    access: 'webhooks.manage',
    effect: 'add',
    openWorld: true,
    input: z.strictObject({
      ...webhook,
      since: pointInTime.optional().describe('At or after this time. Default: the last 30 days'),
    }),
    output: z.strictObject({ job_id: id.describe('Job ID; track it with GET /jobs/{id}') }),
  }),
}
