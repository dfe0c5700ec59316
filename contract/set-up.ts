import * as z from 'zod'
import { companyName } from './company.ts'
import { operation } from './operation.ts'
import { SignedIn } from './session.ts'
import { email, language, password, personName, timeZone } from './shapes.ts'

const newCompany = {
  company_name: companyName,
  name: personName,
  email,
  password,
  time_zone: timeZone.optional().describe('Of the browser'),
  language: language.optional().describe('Of the browser'),
}

export const setUp = {
  setUp: operation({
    summary: 'Create the company and its first Admin',
    http: 'POST /set-up',
    access: 'public',
    effect: 'add',
    secret: true,
    input: z.strictObject({
      ...newCompany,
      token: z.string().max(100).optional().describe('From the one-time link that the start of the server prints'),
    }),
    output: SignedIn,
  }),
  signUp: operation({
    summary: 'Create a further company, where strangers may (OPEN_SIGNUP)',
    http: 'POST /sign-up',
    access: 'public',
    effect: 'add',
    secret: true,
    input: z.strictObject(newCompany),
    output: SignedIn,
  }),
}
