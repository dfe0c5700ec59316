import * as z from 'zod'
import { grants, RecordRights } from './access.ts'
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
    grants: z.array(z.enum(grants)).describe('What this user may do beyond records'),
    records: RecordRights.describe('What this user may do with records, by object; * stands for the others'),
    company_id: id,
    company_name: z.string(),
    theme: z.enum(themes),
    language: z.string().nullable().describe("null: the company's"),
    time_zone: z.string().nullable().describe("null: the company's"),
    shortcuts: z.boolean().describe('Single-key shortcuts in the web app'),
    picture_id: id.nullable(),
  })
  .meta({ id: 'Me', forAgents: { type: 'object' } })

export const me = {
  whoami: operation({
    summary: 'Tell who is calling',
    http: 'GET /me',
    access: 'member',
    effect: 'read',
    input: nothing,
    output: Me,
    tool: 'Call first: who you act as, in which company, with which role and rights.',
  }),
  updateMe: operation({
    summary: 'Change your own profile',
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
