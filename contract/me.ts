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
    records: RecordRights.describe('Rights on records by object; * covers all others'),
    company_id: id,
    company_name: z.string(),
    theme: z.enum(themes).meta({ forAgents: 'hidden' }),
    language: z.string().nullable().describe("null: the company's"),
    time_zone: z.string().nullable().describe("null: the company's"),
    shortcuts: z.boolean().describe('Single-key shortcuts in the web app').meta({ forAgents: 'hidden' }),
    picture_id: id.nullable().meta({ forAgents: 'hidden' }),
    away_from: z
      .string()
      .nullable()
      .describe('First day away; new leads go to others')
      .meta({ forAgents: 'unless null' }),
    away_until: z.string().nullable().describe('Last day away').meta({ forAgents: 'unless null' }),
  })
  .meta({ id: 'Me' })

/** What a program must know before it acts: its user, its rights, the current time and the limits. */
export const Whoami = z
  .strictObject({
    ...Me.shape,
    effective_time_zone: z
      .string()
      .describe("Yours, or the company's if you have none; times without a zone are in this one"),
    current_time: z.string().describe('In that time zone'),
    weekday: z.string().describe('In that time zone, such as Monday'),
    currency: z.string().describe("The company's currency"),
    rates: z.array(Rate).describe('Value of one unit of other currencies in it').meta({ forAgents: 'unless empty' }),
    api_key: z.strictObject({ id, name: z.string() }).nullable().describe('The API key of this request'),
    limits: z.strictObject({
      requests_per_second: z.int(),
      burst: z.int(),
      records_per_call: z.int(),
      answer_bytes: z.int().describe('Maximum size of a tool result; longer ones are truncated and say so'),
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
    tool: 'Call first: returns your user, rights, time zone, current time, weekday, currency, key and limits.',
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
      away_from: z.iso.date().nullable().optional().describe('First day away: new leads are assigned to others'),
      away_until: z.iso.date().nullable().optional().describe('Last day away'),
    }),
    output: Me,
  }),
  setMyPicture: operation({
    summary: 'Set or remove your picture',
    http: 'PUT /me/picture',
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
