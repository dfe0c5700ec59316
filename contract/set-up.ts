import * as z from 'zod'
import { companyName } from './company.ts'
import { operation } from './operation.ts'
import { SignedIn } from './session.ts'
import { email, password, personName } from './shapes.ts'

export const setUp = {
  setUp: operation({
    summary: 'Create the company and its first Admin',
    http: 'POST /set-up',
    access: 'public',
    effect: 'add',
    secret: true,
    input: z.strictObject({
      company_name: companyName,
      name: personName,
      email,
      password,
      token: z.string().max(100).optional().describe('From the one-time link that the start of the server prints'),
    }),
    output: SignedIn,
  }),
}
