import * as z from 'zod'
import { operation } from './operation.ts'
import { email, id, moment, nameOf, nothing } from './shared/shapes.ts'
import { headersOf, headerValue } from './webhooks.ts'

export const destinationKinds = ['http', 'email', 'members', 'kith'] as const
export const contentTypes = ['json', 'form', 'xml', 'text'] as const
/** What the answer of a destination means. again: it could not decide; the route's retry plan applies. */
export const answerResults = ['accepted', 'rejected', 'duplicate', 'again'] as const
export const mostDestinations = 200
/** How long a destination may take to answer, in seconds. */
export const mostAnswerSeconds = 15
export const returnReasons = ['bad_contact', 'duplicate', 'wrong_area', 'wrong_kind', 'no_consent', 'other'] as const

const template = (most: number) => z.string().max(most)
const path = z
  .string()
  .max(200)
  .regex(/^[\w-]+(\.[\w-]+)*$/, 'Use names separated by dots, such as result.status')

/** The first rule that applies decides. A rule has a status, or a path with what must be there. */
const AnswerRule = z
  .strictObject({
    status: z
      .string()
      .regex(/^[1-5](\d\d|xx)$/, 'Use a status such as 200, or 2xx')
      .nullable()
      .default(null)
      .describe('HTTP status such as 200, or 2xx for all of them; null: any'),
    path: path.nullable().default(null).describe('Where to look in a JSON answer, such as result.status'),
    equals: z
      .union([z.string().max(500), z.number(), z.boolean()])
      .nullable()
      .default(null)
      .describe('What must be at the path, compared as text without regard to case; null: anything'),
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

const url = z.url({ protocol: /^https?$/, error: 'Enter an address that starts with https://' }).max(2000)

const http = {
  method: z.enum(['POST', 'PUT', 'GET']),
  url: template(2000)
    .min(1, 'Enter an address that starts with https://')
    .describe('Where to send. Values in {{ }} are allowed after the host'),
  content_type: z.enum(contentTypes),
  body: template(20_000).describe('Values of the lead are written as {{ email }}. Empty: all of them, as JSON or form'),
  rules: z
    .array(AnswerRule)
    .max(20)
    .describe(
      'What the answer means. Without a match: 2xx accepted, 409 duplicate, 408, 425, 429 and 5xx again, others rejected',
    ),
  reason_path: path.nullable().describe('Where a JSON answer says why it was rejected'),
  price_path: path.nullable().describe('Where a JSON answer has the price, which replaces that of the route'),
  timeout_seconds: z.int().min(1).max(mostAnswerSeconds),
  is_idempotent: z
    .boolean()
    .describe('The destination ignores a repeated Idempotency-Key, so a request without an answer may be sent again'),
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

const EmailSettings = z.strictObject({
  to: z.array(email).min(1, 'Enter an address').max(10),
  subject: template(200).default('New lead: {{ title }}'),
  body: template(20_000).default('').describe('Empty: every value of the lead on its own line'),
  attach_csv: z.boolean().default(false),
})

const MembersSettings = z.strictObject({
  user_ids: z
    .array(id)
    .min(1, 'Choose at least one user')
    .max(50)
    .describe('Become the owner of the lead in turn; who is away is skipped'),
})

const KithSettings = z.strictObject({
  url: url.describe('Address of the other Kith, such as https://kith.example.com'),
  source_id: id.describe('ID of the lead source there'),
  values: z
    .record(z.string().max(100), template(2000))
    .default({})
    .describe('Values by key of the field there, such as {{ email }}. Empty: the fields that every Kith has'),
})

/** What a destination of each kind needs; exactly the one of its kind is given. */
const settings = {
  http: HttpSettings.optional(),
  email: EmailSettings.optional(),
  members: MembersSettings.optional(),
  kith: KithSettings.optional(),
}

const Returns = z
  .strictObject({
    days: z.int().min(0).max(365).default(7).describe('How long a lead may be returned; 0: never'),
    most_percent: z
      .int()
      .min(0)
      .max(100)
      .default(20)
      .describe('Most leads of the last 30 days that may be returned; one is always allowed'),
    accept_after_hours: z
      .int()
      .min(0)
      .max(720)
      .nullable()
      .default(null)
      .describe('Accepts a return by itself after this time; 0: at once; null: someone decides'),
  })
  .meta({ id: 'ReturnPolicy' })

const fields = { name: nameOf('Enter a name'), returns: Returns }

const secrets = {
  headers: headersOf(headerValue.nullable())
    .optional()
    .describe('For http: adds or replaces these headers; null removes one. Their values are never shown'),
  authentication: Authentication.optional().describe('For http'),
  api_key: headerValue.min(1).optional().describe('For kith: an API key of the other Kith that may create leads'),
}

export const LeadDestination = z
  .strictObject({
    id,
    kind: z.enum(destinationKinds),
    ...fields,
    http: HttpSettings.nullable(),
    email: EmailSettings.nullable(),
    members: MembersSettings.nullable(),
    kith: KithSettings.nullable(),
    header_names: z.array(z.string()).describe('Their values are never shown'),
    authentication: z.enum(['none', 'bearer', 'basic', 'api_key']),
    owner_id: id.describe('Only leads that this user may read are sent'),
    owner_name: z.string().nullable(),
    problem: z.string().nullable().describe('Why nothing can be sent at the moment'),
    created_at: moment,
    routes: z.int().describe('Routes that use it'),
    accepted_30d: z.int(),
    rejected_30d: z.int(),
    waiting: z.int().describe('Leads on their way to it'),
    unknown: z.int().describe('Leads that may have arrived. Settle them when you know'),
    last_sent_at: moment.nullable(),
  })
  .meta({ id: 'LeadDestination' })

const headers = z.record(z.string(), z.string())
export const SentRequest = z
  .strictObject({
    method: z.string(),
    url: z.string().describe('Of an email: its recipients'),
    headers: headers.describe('Secrets are hidden'),
    body: z.string(),
  })
  .meta({ id: 'LeadRequest' })
export const GivenAnswer = z
  .strictObject({
    status: z.int().nullable().describe('null: no answer'),
    headers,
    body: z.string().describe('The first 16 kB'),
    ms: z.int(),
  })
  .meta({ id: 'LeadAnswer' })

const destination = { id: id.describe('Destination ID') }

export const leadDestinations = {
  listLeadDestinations: operation({
    summary: 'List the destinations that leads are sent to',
    http: 'GET /lead-destinations',
    access: 'lead_sending.manage',
    effect: 'read',
    input: nothing,
    output: z.strictObject({ items: z.array(LeadDestination) }).meta({ id: 'LeadDestinationList' }),
  }),
  createLeadDestination: operation({
    summary: 'Create a destination for leads: an HTTP address, email, users in turn, or another Kith',
    http: 'POST /lead-destinations',
    access: 'lead_sending.manage',
    effect: 'add',
    input: z.strictObject({ name: fields.name, returns: Returns.prefault({}), ...settings, ...secrets }),
    output: LeadDestination,
  }),
  getLeadDestination: operation({
    summary: 'Get a destination',
    http: 'GET /lead-destinations/:id',
    access: 'lead_sending.manage',
    effect: 'read',
    input: z.strictObject(destination),
    output: LeadDestination,
  }),
  updateLeadDestination: operation({
    summary: 'Update a destination. It stays of the same kind',
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
    summary: 'Delete a destination. Its deliveries stay; no route may use it',
    http: 'DELETE /lead-destinations/:id',
    access: 'lead_sending.manage',
    effect: 'destroy',
    input: z.strictObject(destination),
    output: nothing,
  }),
  testLeadDestination: operation({
    summary: 'Send a test to a destination and get the exact request and answer. No cap counts it',
    http: 'POST /lead-destinations/:id/test',
    access: 'lead_sending.manage',
    effect: 'change',
    openWorld: true,
    input: z.strictObject({
      ...destination,
      lead_id: id.optional().describe('Sends the values of this lead; default: made-up ones'),
      dry_run: z.boolean().default(false).describe('Only show the request'),
    }),
    output: z
      .strictObject({
        request: SentRequest,
        answer: GivenAnswer.nullable(),
        result: z
          .enum([...answerResults, 'failed', 'unknown'])
          .nullable()
          .describe('What the answer means; null: not sent'),
        reason: z.string().nullable(),
        price: z.number().nullable(),
      })
      .meta({ id: 'LeadTest' }),
  }),
}
