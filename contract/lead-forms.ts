import * as z from 'zod'
import { fileAnswer, operation, pageAnswer } from './operation.ts'
import { nothing } from './shared/shapes.ts'

// Operations for website visitors, without sign-in. No response depends on data in Kith.

/** Characters of one value, and of all values of a submission together. */
export const mostValueLength = 10_000
export const mostSubmissionLength = 50_000

const form = { form_id: z.string().max(100).describe('Public ID of the form') }
const value = z.string().max(mostValueLength)
const address = z.string().max(2000)

export const submissionInput = {
  ...form,
  values: z
    .record(z.string().max(100), z.union([value, z.array(value).max(100)]))
    .default({})
    .describe('Values by field key. In an HTML form, every name that does not start with kith_ is a field'),
  kith_token: z.string().max(500).optional().describe('Token of the form. Makes it safe to repeat a submission'),
  kith_consent: z.string().max(20).optional().describe('Version of the consent text the person agreed to'),
  kith_page: address.optional().describe('URL of the page with the form'),
  kith_referrer: address.optional().describe('Referrer URL'),
  kith_first_page: address.optional().describe('URL of the first page of the visit, including UTM parameters'),
  kith_work: z.string().max(2000).optional().describe('Solution of the challenge'),
}

const Choice = z.strictObject({ value: z.string(), label: z.string() })
export const PublicFormField = z
  .strictObject({
    name: z.string(),
    type: z.enum([
      'text',
      'textarea',
      'email',
      'tel',
      'url',
      'number',
      'date',
      'datetime-local',
      'checkbox',
      'select',
      'multiselect',
      'hidden',
    ]),
    label: z.string(),
    placeholder: z.string(),
    help: z.string(),
    is_required: z.boolean(),
    value: z.string(),
    autocomplete: z.string(),
    choices: z.array(Choice),
    step: z.int(),
  })
  .meta({ id: 'PublicFormField' })

export const PublicForm = z
  .strictObject({
    form_id: z.string(),
    language: z.string(),
    title: z.string(),
    intro: z.string(),
    fields: z.array(PublicFormField),
    step_titles: z.array(z.string()),
    consent: z.strictObject({ version: z.int(), html: z.string(), is_required: z.boolean() }).nullable(),
    honeypot: z.string().describe('Name of a hidden field that people leave empty'),
    look: z.strictObject({ accent: z.string(), corners: z.int(), font: z.string() }),
    texts: z.record(z.string(), z.string()).describe("Texts of the form in the form's language"),
    token: z.string().describe('Return it as kith_token'),
  })
  .meta({ id: 'PublicForm' })

export const Challenge = z
  .strictObject({
    algorithm: z.string(),
    salt: z.string(),
    challenge: z.string(),
    signature: z.string(),
    maxnumber: z.int(),
  })
  .meta({ id: 'WorkChallenge' })

export const SubmissionAnswer = z
  .strictObject({
    state: z.enum(['accepted', 'challenge']).describe('challenge: solve it and submit the form again with kith_work'),
    challenge: Challenge.nullable(),
    token: z.string().nullable().describe('With a challenge: replaces the token of the form'),
    thank_you: z.string(),
    redirect_url: z.string().nullable(),
  })
  .meta({ id: 'SubmissionAnswer' })

const token = z.string().min(1).max(500)

export const leadForms = {
  getFormScript: operation({
    summary: 'Get the script that shows forms on a website',
    http: 'GET /forms/script',
    mount: 'public',
    access: 'public',
    effect: 'read',
    cors: 'any',
    file: 'text/javascript',
    input: nothing,
    output: fileAnswer,
  }),
  getForm: operation({
    summary: 'Get a form for a website',
    http: 'GET /forms/:form_id/description',
    mount: 'public',
    access: 'public',
    effect: 'read',
    cors: 'listed',
    input: z.strictObject(form),
    output: PublicForm,
  }),
  getFormStyles: operation({
    summary: 'Get the stylesheet of a hosted form',
    http: 'GET /forms/:form_id/styles',
    mount: 'public',
    access: 'public',
    effect: 'read',
    file: 'text/css',
    input: z.strictObject({
      ...form,
      look: z.string().max(50).optional().describe('Version of the look, for caching'),
    }),
    output: fileAnswer,
  }),
  submitForm: operation({
    summary: 'Submit a form from a website',
    http: 'POST /forms/:form_id/submissions',
    mount: 'public',
    access: 'public',
    effect: 'add',
    cors: 'listed',
    body: 'form',
    input: z.strictObject(submissionInput),
    output: SubmissionAnswer,
  }),
  getFormPage: operation({
    summary: 'Show the hosted page of a form',
    http: 'GET /forms/:form_id',
    mount: 'public',
    access: 'public',
    effect: 'read',
    page: true,
    input: z.strictObject(form),
    output: pageAnswer,
  }),
  sendFormPage: operation({
    summary: 'Submit a plain HTML form and redirect to the thank-you page',
    http: 'POST /forms/:form_id',
    mount: 'public',
    access: 'public',
    effect: 'add',
    cors: 'listed',
    body: 'form',
    page: true,
    status: 200,
    input: z.strictObject(submissionInput),
    output: pageAnswer,
  }),
  getThankYouPage: operation({
    summary: 'Show the thank-you page of a form',
    http: 'GET /forms/:form_id/thank-you',
    mount: 'public',
    access: 'public',
    effect: 'read',
    page: true,
    input: z.strictObject(form),
    output: pageAnswer,
  }),
  getConfirmationPage: operation({
    summary: 'Show the page that asks a person to confirm their email address',
    http: 'GET /confirmations/:token',
    mount: 'public',
    access: 'public',
    effect: 'read',
    page: true,
    input: z.strictObject({ token }),
    output: pageAnswer,
  }),
  confirmSubmission: operation({
    summary: 'Confirm the email address of a submission',
    http: 'POST /confirmations/:token',
    mount: 'public',
    access: 'public',
    effect: 'change',
    body: 'form',
    page: true,
    input: z.strictObject({ token }),
    output: pageAnswer,
  }),
}
