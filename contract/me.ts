import * as z from 'zod'
import { grants, RecordRights } from './access.ts'
import { Rate } from './company.ts'
import { userKinds } from './members.ts'
import { operation } from './operation.ts'
import { RequestEntry } from './requests.ts'
import { id, image, language, nothing, page, pageOf, personName, timeZone } from './shapes.ts'

export const themes = ['system', 'light', 'dark'] as const

export const Me = z
  .strictObject({
    id,
    name: z.string(),
    email: z.string().nullable(),
    kind: z.enum(userKinds),
    role: z.string().describe('Admin, Member or a role that the company made'),
    is_admin: z.boolean().describe('May do everything'),
    grants: z
      .array(z.enum(grants))
      .describe('What this user may do beyond records')
      .meta({ forAgents: 'unless empty' }),
    records: RecordRights.describe('What this user may do with records, by object; * stands for the others'),
    company_id: id,
    company_name: z.string(),
    theme: z.enum(themes).meta({ forAgents: 'hidden' }),
    language: z.string().nullable().describe("null: the company's"),
    time_zone: z.string().nullable().describe("null: the company's"),
    shortcuts: z.boolean().describe('Single-key shortcuts in the web app').meta({ forAgents: 'hidden' }),
    picture_id: id.nullable().meta({ forAgents: 'hidden' }),
  })
  .meta({ id: 'Me' })

/** What a program must know before it acts: as whom, where and when it does, and within which limits. */
export const Whoami = z
  .strictObject({
    ...Me.shape,
    effective_time_zone: z.string().describe("Yours, or else the company's; times without a zone are read in it"),
    current_time: z.string().describe('Now, in that time zone'),
    currency: z.string().describe("The company's currency"),
    rates: z
      .array(Rate)
      .describe('What one unit of other currencies is worth in it')
      .meta({ forAgents: 'unless empty' }),
    api_key: z.strictObject({ id, name: z.string() }).nullable().describe('The key of this call'),
    limits: z.strictObject({
      requests_per_second: z.int(),
      burst: z.int(),
      records_per_call: z.int(),
      answer_bytes: z.int().describe('Of a tool result; longer ones are cut and say so'),
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
    tool: 'Call first: who you act as, your rights, time zone, current time, currency, key and limits.',
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
    summary: 'List your own requests, newest first',
    http: 'GET /me/requests',
    access: 'member',
    effect: 'read',
    input: z.strictObject(page),
    output: pageOf(RequestEntry).meta({ id: 'MyRequestPage' }),
  }),
}
