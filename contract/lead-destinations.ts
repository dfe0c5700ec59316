import * as z from 'zod'
import { operation } from './operation.ts'
import { email, fullPage, id, moment, nameOf, nothing, pageOf } from './shared/shapes.ts'
import { headersOf, headerValue } from './webhooks.ts'

export const destinationKinds = ['http', 'email', 'members', 'kith'] as const
export const contentTypes = ['json', 'form', 'xml', 'text'] as const
/** Meaning of a destination's response. again: temporary failure; the route's retry plan applies. */
export const answerResults = ['accepted', 'rejected', 'duplicate', 'again'] as const
export const mostDestinations = 200
/** Maximum response time of a destination, in seconds. */
export const mostAnswerSeconds = 15
export const returnReasons = ['bad_contact', 'duplicate', 'wrong_area', 'wrong_kind', 'no_consent', 'other'] as const

const template = (most: number) => z.string().max(most)
const path = z
  .string()
  .max(200)
  .regex(/^[\w-]+(\.[\w-]+)*$/, 'Use names separated by dots, such as result.status')

/** The first matching rule decides. A rule matches a status, a value at a path, or both. */
const AnswerRule = z
  .strictObject({
    status: z
      .string()
      .regex(/^[1-5](\d\d|xx)$/, 'Use a status such as 200, or 2xx')
      .nullable()
      .default(null)
      .describe('HTTP status such as 200, or a class such as 2xx; null: any'),
    path: path.nullable().default(null).describe('Path in a JSON response, e.g. result.status'),
    equals: z
      .union([z.string().max(500), z.number(), z.boolean()])
      .nullable()
      .default(null)
      .describe('Expected value at the path, compared as case-insensitive text; null: any value'),
    result: z.enum(answerResults),
  })
  .refine(({ status, path }) => status !== null || path !== null, 'Enter a status or a path')
  .meta({ id: 'AnswerRule' })
export type AnswerRule = z.output<typeof AnswerRule>

const Authentication = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('none') }),
    z.strictObject({ type: z.literal('bearer'), token: headerValue.min(1, 'Enter the token') }),
    z.strictObject({ type: z.literal('basic'), user: headerValue, password: headerValue }),
  ])
  .describe('Stored encrypted and never shown')

const url = z.url({ protocol: /^https?$/, error: 'Enter a URL that starts with https://' }).max(2000)

const http = {
  method: z.enum(['POST', 'PUT', 'GET']),
  url: template(2000)
    .min(1, 'Enter a URL that starts with https://')
    .describe('URL to send to. Values in {{ }} are allowed after the host'),
  content_type: z.enum(contentTypes),
  body: template(20_000).describe(
    'Template with values of the lead, e.g. {{ email }}. Empty: all values, as JSON or a form',
  ),
  rules: z
    .array(AnswerRule)
    .max(20)
    .describe(
      'Rules for the response. Without a match: 2xx is accepted, 409 duplicate, 408, 425, 429 and 5xx again, others rejected',
    ),
  reason_path: path.nullable().describe('Path of the rejection reason in a JSON response'),
  price_path: path.nullable().describe("Path of the price in a JSON response, which replaces the route's price"),
  timeout_seconds: z.int().min(1).max(mostAnswerSeconds),
  is_idempotent: z
    .boolean()
    .describe('Whether the destination supports Idempotency-Key, so that a request without a response can be retried'),
}

const HttpSettings = z.strictObject({
  method: http.method.default('POST'),
  url: http.url,
  content_type: http.content_type.default('json'),
  body: http.body.default(''),
  rules: http.rules.default([]),
  reason_path: http.reason_path.default(null),
  price_path: http.price_path.default(null),
  timeout_seconds: http.timeout_seconds.default(10),
  is_idempotent: http.is_idempotent.default(false),
})

const emailSettings = {
  to: z.array(email).min(1, 'Enter an email address').max(10),
  subject: template(200).default('New lead: {{ title }}'),
  body: template(20_000).default('').describe('Empty: one line per value of the lead, as set in values'),
  attach_csv: z.boolean().default(false),
}
const emailValues = z
  .enum(['contact', 'all'])
  .describe(
    'Values in the CSV file and in an email without a body. contact: name, email, phone, organization, message, page and time; all: every field, such as score and tags. Default: contact',
  )
const EmailSettings = z.strictObject({ ...emailSettings, values: emailValues.optional() })
const ShownEmailSettings = z.strictObject({ ...emailSettings, values: emailValues })

const MembersSettings = z.strictObject({
  user_ids: z
    .array(id)
    .min(1, 'Choose at least one user')
    .max(50)
    .describe('Users who become owners of leads, round robin; users who are away are skipped'),
})

const KithSettings = z.strictObject({
  url: url.describe('URL of the other Kith, e.g. https://kith.example.com'),
  source_id: id.describe('ID of the lead source in the other Kith'),
  values: z
    .record(z.string().max(100), template(2000))
    .default({})
    .describe('Templates by field key in the other Kith, e.g. {{ email }}. Empty: the built-in fields'),
})

/** Settings by kind; exactly the one of the destination's kind is set. */
const settings = {
  http: HttpSettings.optional(),
  email: EmailSettings.optional(),
  members: MembersSettings.optional(),
  kith: KithSettings.optional(),
}

const Returns = z
  .strictObject({
    days: z.int().min(0).max(365).default(7).describe('Days during which a lead can be returned; 0: never'),
    most_percent: z
      .int()
      .min(0)
      .max(100)
      .default(20)
      .describe('Maximum share of leads returned within 30 days, in percent; one return is always allowed'),
    accept_after_hours: z
      .int()
      .min(0)
      .max(720)
      .nullable()
      .default(null)
      .describe('Hours after which a return is accepted automatically; 0: immediately; null: manual decision'),
  })
  .meta({ id: 'ReturnPolicy' })

const fields = { name: nameOf('Enter a name'), returns: Returns }

const secrets = {
  headers: headersOf(headerValue.nullable())
    .optional()
    .describe('For http: headers to add or replace; null removes one. Values are never shown'),
  authentication: Authentication.optional().describe('For http'),
  api_key: headerValue.min(1).optional().describe('For kith: an API key of the other Kith that can create leads'),
}

export const LeadDestination = z
  .strictObject({
    id,
    kind: z.enum(destinationKinds),
    ...fields,
    http: HttpSettings.nullable(),
    email: ShownEmailSettings.nullable(),
    members: MembersSettings.nullable(),
    kith: KithSettings.nullable(),
    header_names: z.array(z.string()).describe('Names of custom headers. Their values are never shown'),
    authentication: z.enum(['none', 'bearer', 'basic', 'api_key']),
    owner_id: id.describe('Only leads that this user can read are sent'),
    owner_name: z.string().nullable(),
    problem: z.string().nullable().describe('Why nothing can be sent right now'),
    created_at: moment,
    routes: z.int().describe('Number of routes that use it'),
    accepted_30d: z.int(),
    rejected_30d: z.int(),
    waiting: z.int().describe('Leads waiting to be sent or retried'),
    unknown: z.int().describe('Deliveries whose result is unknown and must be resolved'),
    last_sent_at: moment.nullable(),
  })
  .meta({ id: 'LeadDestination' })

const headers = z.record(z.string(), z.string())
export const SentRequest = z
  .strictObject({
    method: z.string(),
    url: z.string().describe('For emails: the recipients'),
    headers: headers.describe('Headers with secrets hidden'),
    body: z.string(),
  })
  .meta({ id: 'LeadRequest' })
export const GivenAnswer = z
  .strictObject({
    status: z.int().nullable().describe('null: no response'),
    headers,
    body: z.string().describe('The first 16 kB'),
    ms: z.int(),
  })
  .meta({ id: 'LeadAnswer' })

const destination = { id: id.describe('Destination ID') }

export const leadDestinations = {
  listLeadDestinations: operation({
    summary: 'List lead destinations',
    http: 'GET /lead-destinations',
    access: 'lead_sending.manage',
    effect: 'read',
    input: z.strictObject(fullPage),
    output: pageOf(LeadDestination).meta({ id: 'LeadDestinationList' }),
  }),
  createLeadDestination: operation({
    summary: 'Create a lead destination: a URL, email addresses, users or another Kith',
    http: 'POST /lead-destinations',
    access: 'lead_sending.manage',
    effect: 'add',
    input: z.strictObject({ name: fields.name, returns: Returns.prefault({}), ...settings, ...secrets }),
    output: LeadDestination,
  }),
  getLeadDestination: operation({
    summary: 'Get a lead destination',
    http: 'GET /lead-destinations/:id',
    access: 'lead_sending.manage',
    effect: 'read',
    input: z.strictObject(destination),
    output: LeadDestination,
  }),
  updateLeadDestination: operation({
    summary: 'Update a lead destination. Its kind cannot be changed',
    http: 'PATCH /lead-destinations/:id',
    access: 'lead_sending.manage',
    effect: 'change',
    input: z.strictObject({
      ...destination,
      name: fields.name.optional(),
      returns: Returns.optional(),
      ...settings,
      ...secrets,
    }),
    output: LeadDestination,
  }),
  deleteLeadDestination: operation({
    summary: 'Delete a lead destination that no route uses. Its deliveries are kept',
    http: 'DELETE /lead-destinations/:id',
    access: 'lead_sending.manage',
    effect: 'destroy',
    input: z.strictObject(destination),
    output: nothing,
  }),
  testLeadDestination: operation({
    summary: 'Send a test to a lead destination and get the exact request and response. It does not count toward caps',
    http: 'POST /lead-destinations/:id/test',
    access: 'lead_sending.manage',
    effect: 'change',
    openWorld: true,
    input: z.strictObject({
      ...destination,
      lead_id: id.optional().describe('Lead whose values are sent; default: sample values'),
      dry_run: z.boolean().default(false).describe('Preview the request without sending it'),
    }),
    output: z
      .strictObject({
        request: SentRequest,
        answer: GivenAnswer.nullable(),
        result: z
          .enum([...answerResults, 'failed', 'unknown'])
          .nullable()
          .describe('Meaning of the response; null: not sent'),
        reason: z.string().nullable(),
        price: z.number().nullable(),
      })
      .meta({ id: 'LeadTest' }),
  }),
}
