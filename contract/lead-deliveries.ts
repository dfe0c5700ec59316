import * as z from 'zod'
import { GivenAnswer, returnReasons, SentRequest } from './lead-destinations.ts'
import { operation, pageAnswer } from './operation.ts'
import { pointInTime } from './shared/point-in-time.ts'
import { id, moment, page, pageOf } from './shared/shapes.ts'

/**
 * sending: on its way. waiting: another attempt follows. unknown: it may have arrived, because the connection ended after
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
/** What a log can be limited to. returned: accepted first, then returned. */
export const deliveryFilters = [...leadDeliveryStates, 'returned'] as const
/** What became of a lead: on its way, taken, taken by no one, stopped by a route, or unknown. */
export const routingStates = ['waiting', 'delivered', 'not_taken', 'stopped', 'unknown'] as const
export const returnStates = ['waiting', 'accepted', 'declined'] as const

export const LeadDelivery = z
  .strictObject({
    id: id.describe('Also sent as Idempotency-Key'),
    lead_id: id,
    lead_title: z.string().nullable().describe('null: deleted, or you may not read it'),
    source: z.string().describe('Source of the lead'),
    destination_id: id,
    destination_name: z.string(),
    route_id: id.nullable(),
    route_name: z.string().nullable().describe('null: sent by someone'),
    state: z.enum(leadDeliveryStates),
    reason: z.string().nullable().describe('null also if you may not read the lead'),
    price: z.number(),
    attempts: z.int(),
    created_at: moment,
    decided_at: moment.nullable(),
    answer_ms: z.int().nullable().describe('How long the destination took to answer'),
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
    lead_title: z.string().nullable().describe('null: deleted, or you may not read it'),
    destination_id: id,
    destination_name: z.string(),
    reason: z.enum(returnReasons),
    text: z.string().describe('Empty if you may not read the lead'),
    via: z.enum(['link', 'api']),
    state: z.enum(returnStates),
    price: z.number().describe('Revenue that an accepted return reverses'),
    requested_at: moment,
    accepts_at: moment.nullable().describe('When it is accepted by itself'),
    decided_at: moment.nullable(),
    decided_by_name: z.string().nullable(),
  })
  .meta({ id: 'LeadReturn' })

/** One line of the trace. The text says everything; the rest is for programs. */
const TraceLine = z
  .strictObject({
    at: moment,
    text: z.string(),
    what: z.string().describe('Such as no_match, cap_reached or sent'),
    route_id: id.nullable(),
    delivery_id: id.nullable(),
  })
  .meta({ id: 'LeadTraceLine' })

export const LeadRouting = z
  .strictObject({
    lead_id: id,
    state: z.enum(routingStates).nullable().describe('null: no route was tried'),
    started_at: moment.nullable(),
    next_at: moment.nullable().describe('When it goes on'),
    lines: z.array(TraceLine).describe('In order; of each time that the lead was sent'),
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
  revenue: z.number().describe('Of accepted leads without returned ones'),
  median_answer_ms: z.int().nullable(),
  median_delivery_ms: z.int().nullable().describe('From the lead to its acceptance'),
  reasons: z
    .array(z.strictObject({ reason: z.string(), count: z.int() }))
    .describe('Why leads were rejected, most frequent first'),
}

const token = z.string().min(1).max(500)
const returned = {
  reason: z.enum(returnReasons),
  text: z.string().trim().max(2000).default(''),
}
const lead = { lead_id: id.describe('Lead ID') }

export const leadDeliveries = {
  sendLead: operation({
    summary: 'Send a lead to a destination, or through the routes again',
    http: 'POST /leads/:lead_id/sending',
    access: 'lead_sending.manage',
    effect: 'add',
    openWorld: true,
    input: z.strictObject({
      ...lead,
      destination_id: z.string().max(200).optional().describe('ID or name; default: the routes decide'),
    }),
    output: LeadRouting,
    tool: 'Sends a lead to a destination or through the routes. Never twice to one that accepted it.',
  }),
  explainLeadRoute: operation({
    summary: 'Explain where a lead was sent and why: routes, conditions, caps, answers',
    http: 'GET /leads/:lead_id/sending',
    access: 'lead_sending.manage',
    effect: 'read',
    input: z.strictObject(lead),
    output: LeadRouting,
    tool: 'Explains where a lead was sent, and why or why not.',
    untrusted: ['title', 'log', 'answer'],
  }),
  listLeadDeliveries: operation({
    summary: 'List leads that were sent to destinations, newest first',
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
    summary: 'Get a delivery with every request and answer',
    http: 'GET /lead-deliveries/:id',
    access: 'lead_sending.manage',
    effect: 'read',
    input: z.strictObject({ id: id.describe('Delivery ID') }),
    output: LeadDelivery.extend({ log: z.array(Attempt), return_link: z.string().nullable() }).meta({
      id: 'LeadDeliveryDetails',
    }),
  }),
  settleLeadDelivery: operation({
    summary: 'Say what became of a delivery that is unknown. If it did not arrive, the lead goes on to the next route',
    http: 'POST /lead-deliveries/:id/settlement',
    access: 'lead_sending.manage',
    effect: 'change',
    input: z.strictObject({ id: id.describe('Delivery ID'), state: z.enum(['accepted', 'failed']) }),
    output: LeadDelivery,
  }),
  getLeadSendingReport: operation({
    summary: 'Report what became of sent leads, by destination or by source',
    http: 'GET /lead-sending/report',
    access: 'lead_sending.manage',
    effect: 'read',
    input: z.strictObject({
      by: z.enum(['destination', 'source']).default('destination'),
      since: pointInTime
        .optional()
        .describe('From then on: 2026-06-15T12:00:00Z, -7d or yesterday. Default: the last 30 days'),
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
    summary: 'Record that a destination returns a lead',
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
    summary: 'Accept or decline a return. Accepting it reverses the revenue',
    http: 'POST /lead-returns/:id/decision',
    access: 'lead_sending.manage',
    effect: 'change',
    input: z.strictObject({ id: id.describe('Return ID'), state: z.enum(['accepted', 'declined']) }),
    output: LeadReturn,
  }),
  getReturnPage: operation({
    summary: 'Show the page on which a partner returns a lead',
    http: 'GET /returns/:token',
    mount: 'public',
    access: 'public',
    effect: 'read',
    page: true,
    input: z.strictObject({ token }),
    output: pageAnswer,
  }),
  returnByLink: operation({
    summary: 'Return a lead by the link that came with it',
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
