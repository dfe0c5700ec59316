import * as z from 'zod'
import { GivenAnswer, returnReasons, SentRequest } from './lead-destinations.ts'
import { operation, pageAnswer } from './operation.ts'
import { pointInTime } from './shared/point-in-time.ts'
import { id, moment, page, pageOf } from './shared/shapes.ts'

/**
 * sending: in progress. waiting: will be retried. unknown: it may have arrived, because the connection ended after
 * it was sent.
 */
export const leadDeliveryStates = [
  'sending',
  'waiting',
  'accepted',
  'rejected',
  'duplicate',
  'failed',
  'unknown',
] as const
/** What the log can be filtered by. returned: accepted first, then returned. */
export const deliveryFilters = [...leadDeliveryStates, 'returned'] as const
/** The outcome of routing a lead: in progress, accepted, unplaced, stopped by a route, or unknown. */
export const routingStates = ['waiting', 'delivered', 'not_taken', 'stopped', 'unknown'] as const
export const returnStates = ['waiting', 'accepted', 'declined'] as const

export const LeadDelivery = z
  .strictObject({
    id: id.describe('Also sent to the destination as Idempotency-Key'),
    lead_id: id,
    lead_title: z.string().nullable().describe('null: deleted, or you do not have access'),
    source: z.string().describe("The lead's source"),
    destination_id: id,
    destination_name: z.string(),
    route_id: id.nullable(),
    route_name: z.string().nullable().describe('null: sent manually'),
    state: z.enum(leadDeliveryStates),
    reason: z.string().nullable().describe('Also null if you do not have access to the lead'),
    price: z.number(),
    attempts: z.int(),
    created_at: moment,
    decided_at: moment.nullable(),
    answer_ms: z.int().nullable().describe('Response time of the destination in milliseconds'),
    returned_at: moment.nullable(),
  })
  .meta({ id: 'LeadDelivery' })

const Attempt = z
  .strictObject({
    at: moment,
    request: SentRequest,
    answer: GivenAnswer.nullable(),
    result: z.string(),
    reason: z.string().nullable(),
  })
  .meta({ id: 'LeadAttempt' })

export const LeadReturn = z
  .strictObject({
    id,
    delivery_id: id,
    lead_id: id,
    lead_title: z.string().nullable().describe('null: deleted, or you do not have access'),
    destination_id: id,
    destination_name: z.string(),
    reason: z.enum(returnReasons),
    text: z.string().describe('Empty if you do not have access to the lead'),
    via: z.enum(['link', 'api']),
    state: z.enum(returnStates),
    price: z.number().describe('Revenue that is reversed if the return is accepted'),
    requested_at: moment,
    accepts_at: moment.nullable().describe('When it is accepted automatically'),
    decided_at: moment.nullable(),
    decided_by_name: z.string().nullable(),
  })
  .meta({ id: 'LeadReturn' })

/** One step of the trace. `text` is for people, the rest for programs. */
const TraceLine = z
  .strictObject({
    at: moment,
    text: z.string(),
    what: z.string().describe('e.g. no_match, cap_reached or sent'),
    route_id: id.nullable(),
    delivery_id: id.nullable(),
  })
  .meta({ id: 'LeadTraceLine' })

export const LeadRouting = z
  .strictObject({
    lead_id: id,
    state: z.enum(routingStates).nullable().describe('null: not routed yet'),
    started_at: moment.nullable(),
    next_at: moment.nullable().describe('When routing continues'),
    lines: z.array(TraceLine).describe('All steps in order'),
  })
  .meta({ id: 'LeadRouting' })

const reportFigures = {
  sent: z.int(),
  accepted: z.int(),
  rejected: z.int(),
  duplicate: z.int(),
  failed: z.int(),
  unknown: z.int(),
  returned: z.int(),
  revenue: z.number().describe('Revenue of accepted leads, excluding returned ones'),
  median_answer_ms: z.int().nullable(),
  median_delivery_ms: z.int().nullable().describe('Median time from receiving a lead to its acceptance'),
  reasons: z
    .array(z.strictObject({ reason: z.string(), count: z.int() }))
    .describe('Why leads were rejected, most frequent first'),
}

const token = z.string().min(1).max(500)
const returned = {
  reason: z.enum(returnReasons),
  text: z.string().trim().max(2000).default(''),
}
const lead = { id: id.describe('Lead ID') }

export const leadDeliveries = {
  sendLead: operation({
    summary: 'Send a lead to a destination, or route it again',
    http: 'POST /leads/:id/sending',
    replaces: [{ fields: { lead_id: 'id' } }],
    access: 'lead_sending.manage',
    effect: 'add',
    openWorld: true,
    input: z.strictObject({
      ...lead,
      destination_id: z.string().max(200).optional().describe('ID or name of the destination; default: use the routes'),
    }),
    output: LeadRouting,
    tool: 'Sends a lead to a destination or through the routes. A destination that already accepted the lead never gets it again.',
  }),
  explainLeadRoute: operation({
    summary: 'Explain how a lead was routed: routes, conditions, caps and responses',
    http: 'GET /leads/:id/sending',
    replaces: [{ fields: { lead_id: 'id' } }],
    access: 'lead_sending.manage',
    effect: 'read',
    input: z.strictObject(lead),
    output: LeadRouting,
    tool: 'Explains where a lead was sent and why, or why it was not sent.',
    untrusted: ['title', 'log', 'answer'],
  }),
  listLeadDeliveries: operation({
    summary: 'List lead deliveries, newest first',
    http: 'GET /lead-deliveries',
    access: 'lead_sending.manage',
    effect: 'read',
    input: z.strictObject({
      destination_id: id.optional(),
      route_id: id.optional(),
      lead_id: id.optional(),
      state: z.enum(deliveryFilters).optional().describe('returned: accepted first, then returned'),
      ...page,
    }),
    output: pageOf(LeadDelivery).meta({ id: 'LeadDeliveryPage' }),
  }),
  getLeadDelivery: operation({
    summary: 'Get a lead delivery with every request and response',
    http: 'GET /lead-deliveries/:id',
    access: 'lead_sending.manage',
    effect: 'read',
    input: z.strictObject({ id: id.describe('Delivery ID') }),
    output: LeadDelivery.extend({ log: z.array(Attempt), return_link: z.string().nullable() }).meta({
      id: 'LeadDeliveryDetails',
    }),
  }),
  settleLeadDelivery: operation({
    summary: 'Resolve a delivery whose result is unknown. If it failed, the lead moves to the next route',
    http: 'POST /lead-deliveries/:id/settlement',
    access: 'lead_sending.manage',
    effect: 'change',
    input: z.strictObject({ id: id.describe('Delivery ID'), state: z.enum(['accepted', 'failed']) }),
    output: LeadDelivery,
  }),
  getLeadSendingReport: operation({
    summary: 'Get the lead sending report by destination or source',
    http: 'GET /reports/lead-sending',
    replaces: [{ http: 'GET /lead-sending/report' }],
    access: 'lead_sending.manage',
    effect: 'read',
    input: z.strictObject({
      by: z.enum(['destination', 'source']).default('destination'),
      since: pointInTime
        .optional()
        .describe('At or after this time: 2026-06-15T12:00:00Z, -7d or yesterday. Default: the last 30 days'),
      until: pointInTime.optional(),
    }),
    output: z
      .strictObject({
        rows: z.array(z.strictObject({ destination_id: id.nullable(), name: z.string(), ...reportFigures })),
        total: z.strictObject(reportFigures),
        currency: z.string(),
      })
      .meta({ id: 'LeadSendingReport' }),
  }),
  returnLead: operation({
    summary: 'Return a lead on behalf of a destination',
    http: 'POST /lead-deliveries/:id/return',
    access: 'lead_sending.manage',
    effect: 'add',
    input: z.strictObject({ id: id.describe('Delivery ID'), ...returned }),
    output: LeadReturn,
  }),
  listLeadReturns: operation({
    summary: 'List returned leads, newest first',
    http: 'GET /lead-returns',
    access: 'lead_sending.manage',
    effect: 'read',
    input: z.strictObject({ state: z.enum(returnStates).optional(), destination_id: id.optional(), ...page }),
    output: pageOf(LeadReturn).meta({ id: 'LeadReturnPage' }),
  }),
  decideLeadReturn: operation({
    summary: 'Accept or decline a lead return. Accepting it reverses the revenue',
    http: 'POST /lead-returns/:id/decision',
    access: 'lead_sending.manage',
    effect: 'change',
    input: z.strictObject({ id: id.describe('Return ID'), state: z.enum(['accepted', 'declined']) }),
    output: LeadReturn,
  }),
  getReturnPage: operation({
    summary: 'Show the page where a partner can return a lead',
    http: 'GET /returns/:token',
    mount: 'public',
    access: 'public',
    effect: 'read',
    page: true,
    input: z.strictObject({ token }),
    output: pageAnswer,
  }),
  returnByLink: operation({
    summary: 'Return a lead using the link sent with it',
    http: 'POST /returns/:token',
    mount: 'public',
    access: 'public',
    effect: 'add',
    body: 'form',
    page: true,
    status: 200,
    input: z.strictObject({ token, reason: z.enum(returnReasons), text: z.string().trim().max(2000).default('') }),
    output: pageAnswer,
  }),
}
