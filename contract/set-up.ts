import * as z from 'zod'
import { companyName, country } from './company.ts'
import { operation } from './operation.ts'
import { SignedIn } from './session.ts'
import { currency, email, language, nothing, password, personName, timeZone } from './shared/shapes.ts'

const newCompany = {
  company_name: companyName,
  name: personName,
  email,
  password,
  country: country.optional().describe('Country code, e.g. DE; also used for phone numbers without a country code'),
  currency: currency.optional().describe('Default: the currency of the country'),
  time_zone: timeZone.optional().describe('Default: the time zone of the country, if it has only one'),
  language: language.optional().describe('Default: the language of the country'),
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
      token: z.string().max(100).optional().describe('From the one-time link printed when the server starts'),
    }),
    output: SignedIn,
  }),
  signUp: operation({
    summary: 'Create a company, if sign-up is open (OPEN_SIGNUP)',
    http: 'POST /sign-up',
    access: 'public',
    effect: 'add',
    secret: true,
    input: z.strictObject({
      ...newCompany,
      token: z.string().max(100).optional().describe('From the link sent by email, if sign-up requires one'),
    }),
    output: SignedIn,
  }),
  requestSignUp: operation({
    summary: 'Request a sign-up link by email',
    http: 'POST /sign-up-links',
    access: 'public',
    effect: 'change',
    input: z.strictObject({ email }),
    output: nothing,
  }),
  getSignUpLink: operation({
    summary: 'Get the email address of a sign-up link',
    http: 'POST /sign-up-links/lookup',
    replaces: [{ name: 'readSignUpLink' }],
    access: 'public',
    effect: 'read',
    input: z.strictObject({ token: z.string().min(1).max(100) }),
    output: z.strictObject({ email: z.string() }),
  }),
}
