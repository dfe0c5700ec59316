import * as z from 'zod'
import { grants } from './access.ts'
import { operation } from './operation.ts'
import { email, id, nothing, personName } from './shapes.ts'

export const themes = ['system', 'light', 'dark'] as const

export const Me = z
  .strictObject({
    id,
    name: z.string(),
    email,
    role: z.string().describe('Admin, Member or a role that the company made'),
    grants: z.array(z.enum(grants)).describe('What this user may do beyond records'),
    company_id: id,
    company_name: z.string(),
    theme: z.enum(themes),
  })
  .meta({ id: 'Me' })

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
    input: z.strictObject({ name: personName.optional(), theme: z.enum(themes).optional() }),
    output: Me,
  }),
}
