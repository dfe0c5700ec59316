import * as z from 'zod'
import { Rate } from './company.ts'
import { userKinds } from './members.ts'
import { operation } from './operation.ts'
import { RequestEntry } from './requests.ts'
import { grants, RecordRights } from './shared/access.ts'
import { id, image, language, nothing, page, pageOf, personName, timeZone } from './shared/shapes.ts'

export const themes = ['system', 'light', 'dark'] as const

export const Me = z
  .strictObject({
    id,
    name: z.string(),
    email: z.string().nullable(),
    kind: z.enum(userKinds),
    role: z.string().describe('Admin, Member or a custom role'),
    is_admin: z.boolean().describe('Has every permission'),
    grants: z.array(z.enum(grants)).describe('Permissions beyond records').meta({ forAgents: 'unless empty' }),
    records: RecordRights.describe('Record permissions by object; * covers all other objects'),
    company_id: id,
    company_name: z.string(),
    theme: z.enum(themes).meta({ forAgents: 'hidden' }),
    language: z.string().nullable().describe('null: company default'),
    time_zone: z.string().nullable().describe('null: company default'),
    shortcuts: z.boolean().describe('Single-key shortcuts in the web app').meta({ forAgents: 'hidden' }),
    picture_id: id.nullable().meta({ forAgents: 'hidden' }),
    away_from: z
      .string()
      .nullable()
      .describe('First day away; new leads are assigned to others')
      .meta({ forAgents: 'unless null' }),
    away_until: z.string().nullable().describe('Last day away').meta({ forAgents: 'unless null' }),
  })
  .meta({ id: 'Me' })

/** What a program must know before it acts: its user, its rights, the current time and the limits. */
export const Whoami = z
  .strictObject({
    ...Me.shape,
    effective_time_zone: z.string().describe("Your time zone, or the company's; used for times without a zone"),
    current_time: z.string().describe('Current time in that time zone'),
    weekday: z.string().describe('Current day in that time zone, e.g. Monday'),
    currency: z.string().describe("The company's currency"),
    rates: z
      .array(Rate)
      .describe("Exchange rates: value of one unit in the company's currency")
      .meta({ forAgents: 'unless empty' }),
    api_key: z.strictObject({ id, name: z.string() }).nullable().describe('The API key of this request'),
    limits: z.strictObject({
      requests_per_second: z.int(),
      burst: z.int(),
      records_per_call: z.int(),
      answer_bytes: z.int().describe('Maximum size of a tool result; longer results are truncated and marked'),
    }),
  })
  .meta({ id: 'Whoami' })

export const me = {
  whoami: operation({
    summary: 'Get the current user',
    http: 'GET /me',
    access: 'member',
    effect: 'read',
    input: nothing,
    output: Whoami,
    tool: 'Call first: returns your user, permissions, time zone, current time, weekday, currency, key and limits.',
  }),
  updateMe: operation({
    summary: 'Update your profile',
    http: 'PATCH /me',
    access: 'member',
    effect: 'change',
    input: z.strictObject({
      name: personName.optional(),
      theme: z.enum(themes).optional(),
      language: language.nullable().optional(),
      time_zone: timeZone.nullable().optional(),
      shortcuts: z.boolean().optional(),
      away_from: z.iso.date().nullable().optional().describe('First day away; new leads are assigned to others'),
      away_until: z.iso.date().nullable().optional().describe('Last day away'),
    }),
    output: Me,
  }),
  updateMyPicture: operation({
    summary: 'Set or remove your picture',
    http: 'PUT /me/picture',
    replaces: [{ name: 'setMyPicture' }],
    largeBody: true,
    access: 'member',
    effect: 'change',
    input: z.strictObject({ image: image.nullable() }),
    output: Me,
  }),
  listMyRequests: operation({
    summary: 'List your requests, newest first',
    http: 'GET /me/requests',
    access: 'member',
    effect: 'read',
    input: z.strictObject(page),
    output: pageOf(RequestEntry).meta({ id: 'MyRequestPage' }),
  }),
}
