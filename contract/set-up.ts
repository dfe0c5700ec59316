import * as z from 'zod'
import { companyName } from './company.ts'
import { operation } from './operation.ts'
import { SignedIn } from './session.ts'
import { email, language, nothing, password, personName, timeZone } from './shapes.ts'

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
    input: z.strictObject({
      ...newCompany,
      token: z.string().max(100).optional().describe('From the mailed link, where sign-up is by mail'),
    }),
    output: SignedIn,
  }),
  requestSignUp: operation({
    summary: 'Ask for a link to create a company, by e-mail',
    http: 'POST /sign-up-links',
    access: 'public',
    effect: 'change',
    input: z.strictObject({ email }),
    output: nothing,
  }),
  readSignUpLink: operation({
    summary: 'Get the address that a sign-up link confirms',
    http: 'POST /sign-up-links/reading',
    access: 'public',
    effect: 'read',
    input: z.strictObject({ token: z.string().min(1).max(100) }),
    output: z.strictObject({ email: z.string() }),
  }),
}
