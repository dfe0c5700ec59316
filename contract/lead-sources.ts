import * as z from 'zod'
import { limits } from './filter/limits.ts'
import { PublicForm } from './lead-forms.ts'
import { operation } from './operation.ts'
import { id, inOneLine, language, moment, nameOf, nothing } from './shared/shapes.ts'

export const duplicatePolicies = ['create', 'update', 'note'] as const
export const fontChoices = ['site', 'system', 'serif'] as const
export const mostSources = 100
export const mostFormFields = 60
export const mostSteps = 10

const key = z.string().regex(/^[a-z][a-z0-9_]{0,62}$/, 'Use the key of a lead field')
const text = (most: number) => z.string().trim().max(most)

/** One field of the form. A relation or a user is typed as plain text, so that a form reveals no name in Kith. */
export const FormField = z
  .strictObject({
    field: key.describe('Key of a lead field, e.g. email'),
    label: text(200).default('').describe("Empty: the field's label"),
    placeholder: text(200).default(''),
    help: text(500).default('').describe('Help text shown below the field'),
    is_required: z.boolean().default(false),
    is_hidden: z.boolean().default(false).describe('Hidden field with a preset value, which the page can replace'),
    value: text(2000).default('').describe('Value of a hidden field, or initial value of a visible one'),
    options: z.array(key).max(200).nullable().default(null).describe('Options to offer; null: all'),
    step: z.int().min(1).max(mostSteps).default(1).describe('Form step that shows the field'),
  })
  .meta({ id: 'FormField' })
export type FormField = z.output<typeof FormField>

const Consent = z
  .strictObject({
    text: text(2000).min(1, 'Enter the consent text').describe('Consent text. Write links as [text](https://...)'),
    is_required: z.boolean().default(true),
  })
  .meta({ id: 'FormConsent' })

const Look = z
  .strictObject({
    accent: z
      .string()
      .regex(/^#[0-9a-f]{6}$/i, 'Use a color such as #2563eb')
      .default('#2563eb'),
    corners: z.int().min(0).max(24).default(8).describe('Corner radius in pixels'),
    font: z
      .enum(fontChoices)
      .default('site')
      .describe('site: the font of the page that embeds the form; on the hosted page, the system font'),
  })
  .meta({ id: 'FormLook' })

/** The first rule whose filter matches decides. Several users are assigned round robin; users who are away are skipped. */
const AssignmentRule = z
  .strictObject({
    filter: z.string().max(limits.characters).nullable().default(null).describe('Lead filter; null: all leads'),
    user_ids: z.array(id).min(1, 'Choose at least one user').max(50),
  })
  .meta({ id: 'AssignmentRule' })

const Autoresponse = z
  .strictObject({
    subject: inOneLine(text(200).min(1, 'Enter a subject')),
    text: text(5000).min(1, 'Enter the text'),
    is_on: z.boolean().default(true).describe('false: saved but not sent'),
  })
  .meta({ id: 'Autoresponse' })

export const origin = z
  .string()
  .trim()
  .max(300)
  .transform((given, context) => {
    const url = URL.parse(given)
    const isSite = url && /^https?:$/.test(url.protocol) && !url.username
    // People copy the address of a page.
    if (isSite && !url.host.includes('*')) return url.origin
    const message = isSite
      ? 'Wildcards are not supported. Enter each site, e.g. https://www.example.com'
      : 'Enter the URL of a website, e.g. https://www.example.com'
    context.addIssue({ code: 'custom', message })
    return z.NEVER
  })
const redirect = z.url({ protocol: /^https?$/, error: 'Enter a URL that starts with https://' }).max(2000)

/** The settings of a lead source. */
const settings = {
  name: nameOf('Enter a name'),
  language: language.describe('Language of the texts that Kith adds to the form'),
  title: text(200).describe('Heading of the form and its hosted page'),
  intro: text(2000).describe('Text above the fields'),
  submit_label: text(60).describe("Button text; empty: Send, in the form's language"),
  fields: z.array(FormField).min(1, 'Add at least one field').max(mostFormFields),
  step_titles: z.array(text(100)).max(mostSteps).describe('Step titles, first to last'),
  consent: Consent.nullable().describe('Consent checkbox. Changing the text creates a new version'),
  thank_you: text(2000).describe("Shown after submitting; empty: a default text in the form's language"),
  redirect_url: redirect
    .nullable()
    .describe('Opened after submitting, instead of the thank-you text. Must be one of redirect_urls'),
  redirect_urls: z.array(redirect).max(20).describe('URLs that may be opened after submitting'),
  look: Look,
  allowed_origins: z.array(origin).max(50).describe('Sites that may show the form, e.g. https://www.example.com'),
  owner_id: id.describe('Leads are created with the permissions of this user'),
  assignment: z
    .array(AssignmentRule)
    .max(50)
    .describe('Rules that assign leads to users; without a match, the lead goes to the owner of the source'),
  duplicates: z
    .enum(duplicatePolicies)
    .describe(
      'What to do if an open lead has the same email address or phone number. create: create another lead. update: fill empty fields and add a note. note: only add a note',
    ),
  tags: z.array(z.string().trim().min(1).max(100)).max(20).describe('Tags added to leads'),
  source_label: text(100).describe('Value of the Source field; empty: the name of the lead source'),
  notify_user_ids: z.array(id).max(50).describe('Users to notify of each lead, in addition to its owner'),
  autoresponse: Autoresponse.nullable().describe('Automatic email to the person, at most once a day per address'),
  double_opt_in: z.boolean().describe('Create leads only after the person confirms their email address'),
}

const defaults = {
  language: settings.language.optional().describe("Default: the company's language"),
  title: settings.title.default(''),
  intro: settings.intro.default(''),
  submit_label: settings.submit_label.default(''),
  fields: settings.fields
    .optional()
    .describe("Default: name, email, phone, company and message, labeled in the form's language"),
  step_titles: settings.step_titles.default([]),
  consent: settings.consent.default(null),
  thank_you: settings.thank_you.default(''),
  redirect_url: settings.redirect_url.default(null),
  redirect_urls: settings.redirect_urls.default([]),
  look: Look.prefault({}),
  allowed_origins: settings.allowed_origins.default([]),
  owner_id: settings.owner_id.optional().describe('Default: you'),
  assignment: settings.assignment.default([]),
  duplicates: settings.duplicates.default('update'),
  tags: settings.tags.default([]),
  source_label: settings.source_label.default(''),
  notify_user_ids: settings.notify_user_ids.default([]),
  autoresponse: settings.autoresponse.default(null),
  double_opt_in: settings.double_opt_in.default(false),
}

export const LeadSource = z
  .strictObject({
    id,
    form_id: z.string().describe('Public ID, used in the URLs of the form. It only allows adding submissions'),
    ...settings,
    allowed_origins: z.array(z.string()),
    consent_version: z.int().nullable().describe('Current version of the consent text'),
    is_active: z.boolean().describe('false: the form shows that it is closed'),
    owner_name: z.string().nullable(),
    problem: z.string().nullable().describe('Why submissions currently cannot become leads'),
    created_at: moment,
    leads_30d: z.int().describe('Leads created in the last 30 days'),
    waiting: z.int().describe('Submissions not processed yet'),
    failed: z.int().describe('Submissions that could not become leads. Fix the cause and process them again'),
    spam: z.int(),
    last_submission_at: moment.nullable(),
    embed: z
      .strictObject({
        script: z.string(),
        page: z.string().describe('URL of the hosted page'),
        iframe: z.string(),
        html: z.string().describe('A plain HTML form'),
        curl: z.string().describe('curl command for servers, with an API key'),
      })
      .describe('Embed codes'),
  })
  .meta({ id: 'LeadSource' })

export const ConsentText = z
  .strictObject({ version: z.int(), text: z.string(), created_at: moment, created_by_name: z.string().nullable() })
  .meta({ id: 'ConsentText' })

const source = { id: id.describe('Lead source ID') }
const optional = Object.fromEntries(
  Object.entries(settings).map(([name, schema]) => [name, schema.optional()]),
) as unknown as { [Name in keyof typeof settings]: z.ZodOptional<(typeof settings)[Name]> }

export const leadSources = {
  listLeadSources: operation({
    summary: 'List lead sources',
    http: 'GET /lead-sources',
    access: 'leads.manage',
    effect: 'read',
    input: nothing,
    output: z.strictObject({ items: z.array(LeadSource) }).meta({ id: 'LeadSourceList' }),
  }),
  createLeadSource: operation({
    summary: 'Create a lead source for website forms and servers',
    http: 'POST /lead-sources',
    access: 'leads.manage',
    effect: 'add',
    input: z.strictObject({ name: settings.name, ...defaults }),
    output: LeadSource,
  }),
  getLeadSource: operation({
    summary: 'Get a lead source with its embed code',
    http: 'GET /lead-sources/:id',
    access: 'leads.manage',
    effect: 'read',
    input: z.strictObject(source),
    output: LeadSource,
  }),
  previewLeadForm: operation({
    summary: 'Preview the form of a lead source with unsaved settings',
    http: 'POST /lead-sources/:id/preview',
    access: 'leads.manage',
    effect: 'read',
    input: z.strictObject({ ...source, ...optional }),
    output: PublicForm,
  }),
  updateLeadSource: operation({
    summary: 'Update a lead source',
    http: 'PATCH /lead-sources/:id',
    access: 'leads.manage',
    effect: 'change',
    input: z.strictObject({ ...source, ...optional, is_active: z.boolean().optional() }),
    output: LeadSource,
  }),
  deleteLeadSource: operation({
    summary: 'Delete a lead source. Its leads are kept; its submissions are deleted after 30 days',
    http: 'DELETE /lead-sources/:id',
    access: 'leads.manage',
    effect: 'destroy',
    input: z.strictObject(source),
    output: nothing,
  }),
  listConsentTexts: operation({
    summary: 'List consent text versions of a lead source, newest first',
    http: 'GET /lead-sources/:id/consent-texts',
    access: 'leads.manage',
    effect: 'read',
    input: z.strictObject(source),
    output: z.strictObject({ items: z.array(ConsentText) }).meta({ id: 'ConsentTextList' }),
  }),
}
