import * as z from 'zod'
import { limits } from './filter/limits.ts'
import { mostSubmissionLength, mostValueLength } from './lead-forms.ts'
import { operation } from './operation.ts'
import { id, moment, nameOf, nothing, page, pageOf } from './shared/shapes.ts'

export { mostSubmissionLength }

/** received: not processed yet. unconfirmed: the person has not confirmed their address yet. */
export const submissionStates = ['received', 'unconfirmed', 'lead', 'failed', 'spam', 'expired'] as const
/** How long spam and IP addresses of visitors are kept. */
export const spamDays = 30
/** Score from which a submission is treated as spam. */
export const spamPoints = 100
/** Lists the lead sources that a lead has passed through, to detect loops between installations. */
export const leadPathHeader = 'kith-lead-path'
export const mostRules = 50

export const LeadSubmission = z
  .strictObject({
    id,
    source_id: id,
    source_name: z.string(),
    received_at: moment,
    state: z.enum(submissionStates),
    outcome: z.enum(['created', 'updated', 'noted']).nullable().describe('Result, if it became a lead'),
    reason: z.string().nullable().describe('Why it failed, or which values were skipped'),
    lead_id: id.nullable(),
    email: z.string().nullable(),
    name: z.string().nullable().describe('Name entered in the form'),
    spam_score: z.int().describe(`40 or more: suspicious. ${spamPoints} or more: spam`),
    spam_reasons: z.array(z.string()),
    via: z.enum(['script', 'page', 'html', 'api']),
    page: z.string().nullable(),
    processed_at: moment.nullable(),
  })
  .meta({ id: 'LeadSubmission' })

const Utm = z.record(z.string(), z.string())

export const LeadSubmissionDetails = LeadSubmission.extend({
  values: z.record(z.string(), z.unknown()).describe('Values as submitted'),
  referrer: z.string().nullable(),
  first_utm: Utm.describe('UTM parameters of the first page of the visit'),
  last_utm: Utm.describe('UTM parameters of the page with the form'),
  consent_version: z.int().nullable(),
  consent_text: z.string().nullable(),
  consent_at: moment.nullable(),
  confirmed_at: moment.nullable().describe('When the email address was confirmed'),
  replied_at: moment.nullable().describe('When the automatic reply was sent'),
  owner_name: z.string().nullable().describe('Owner of the lead'),
  network: z.string().nullable().describe('IP address; truncated after 30 days'),
  user_agent: z.string().nullable(),
}).meta({ id: 'LeadSubmissionDetails' })

export const ScoreRule = z
  .strictObject({
    name: nameOf('Enter a name'),
    filter: z.string().min(1).max(limits.characters).describe('Lead filter, without related records'),
    points: z.int().min(-1000).max(1000),
  })
  .meta({ id: 'ScoreRule' })

export const LeadSettings = z
  .strictObject({
    response_minutes: z
      .int()
      .min(1)
      .max(525_600)
      .nullable()
      .describe('First response target, in minutes of working time after a lead arrives; null: none'),
    score_rules: z
      .array(ScoreRule)
      .max(mostRules)
      .describe(
        'The score of a lead is the sum of the points of all matching rules. Without rules, users set the score',
      ),
  })
  .meta({ id: 'LeadSettings' })

const submission = { id: id.describe('Submission ID') }
const value = z.string().max(mostValueLength)
const sentValues = z.record(z.string().max(100), z.union([value, z.number(), z.boolean(), z.array(value).max(100)]))

const recordOf = (what: string) =>
  z.strictObject({ id, title: z.string(), is_new: z.boolean() }).nullable().describe(`null: no ${what}`)

export const leads = {
  listLeadSubmissions: operation({
    summary: 'List lead submissions, newest first',
    http: 'GET /lead-submissions',
    access: 'leads.manage',
    effect: 'read',
    input: z.strictObject({
      source_id: id.optional(),
      state: z.enum(submissionStates).optional(),
      lead_id: id.optional(),
      ...page,
    }),
    output: pageOf(LeadSubmission).meta({ id: 'LeadSubmissionPage' }),
  }),
  getLeadSubmission: operation({
    summary: 'Get a lead submission',
    http: 'GET /lead-submissions/:id',
    access: 'leads.manage',
    effect: 'read',
    input: z.strictObject(submission),
    output: LeadSubmissionDetails,
  }),
  processLeadSubmission: operation({
    summary: 'Process a failed lead submission again, optionally with corrected values',
    http: 'POST /lead-submissions/:id/processing',
    replaces: [{ http: 'POST /lead-submissions/:id/process' }],
    access: 'leads.manage',
    effect: 'change',
    input: z.strictObject({
      ...submission,
      values: sentValues.optional().describe('Corrected values; the others are kept'),
    }),
    output: LeadSubmission,
  }),
  markNotSpam: operation({
    summary: 'Mark a submission as not spam and create or restore its lead',
    http: 'DELETE /lead-submissions/:id/spam',
    replaces: [{ http: 'POST /lead-submissions/:id/not-spam' }],
    access: 'leads.manage',
    effect: 'change',
    input: z.strictObject(submission),
    output: LeadSubmission,
  }),
  markSpam: operation({
    summary: 'Mark a submission as spam and move its lead to the trash',
    http: 'POST /lead-submissions/:id/spam',
    access: 'leads.manage',
    effect: 'change',
    input: z.strictObject(submission),
    output: LeadSubmission,
  }),
  submitLead: operation({
    summary: 'Submit a lead to a lead source',
    http: 'POST /lead-sources/:id/submissions',
    replaces: [{ fields: { source_id: 'id' } }],
    access: 'records.create',
    on: 'leads',
    effect: 'add',
    input: z.strictObject({
      id: z.string().max(200).describe('ID or name of the lead source'),
      values: sentValues.describe('Values by key of the lead field').meta({ forAgents: { type: 'object' } }),
      page: z
        .string()
        .max(2000)
        .optional()
        .describe('URL of the page, including UTM parameters')
        .meta({ forAgents: 'hidden' }),
      referrer: z.string().max(2000).optional().describe('Referrer URL').meta({ forAgents: 'hidden' }),
      consent_version: z
        .int()
        .optional()
        .describe('Version of the consent text that the person agreed to')
        .meta({ forAgents: 'hidden' }),
    }),
    output: LeadSubmission,
    tool: 'Submits a lead to a lead source, which assigns it. Otherwise use create_records.',
  }),
  convertLead: operation({
    summary: 'Convert a lead',
    http: 'POST /leads/:id/conversion',
    access: 'records.edit',
    on: 'leads',
    effect: 'change',
    input: z.strictObject({
      id: id.describe('Lead ID'),
      person_id: id.optional().describe('Default: found by email or phone, or created'),
      person: z.boolean().default(true).describe('false: none').meta({ forAgents: 'hidden' }),
      organization_id: id.optional().describe('Default: found by domain or name, or created'),
      organization: z.boolean().default(true).describe('false: none').meta({ forAgents: 'hidden' }),
      deal: z
        .strictObject({
          name: z.string().trim().min(1).max(200).optional(),
          values: z.record(z.string().max(100), z.unknown()).default({}),
        })
        .nullable()
        .default({ values: {} })
        .describe('{"name": "Roof", "values": {"amount": 5000}}; null: none')
        .meta({ forAgents: { type: 'object' } }),
      dry_run: z.boolean().default(false).describe('Preview only'),
    }),
    output: z
      .strictObject({
        person: recordOf('person'),
        organization: recordOf('organization'),
        deal: recordOf('deal'),
        moved: z.int().describe('Number of notes, activities and tasks linked to the new records'),
        change_set_id: id.nullable().describe('Undo it to revert the conversion'),
        dry_run: z.boolean(),
      })
      .meta({ id: 'LeadConversion' }),
    tool: 'Converts a lead to a person, organization and deal, reusing existing records.',
    untrusted: ['title'],
  }),
  getLeadScore: operation({
    summary: 'Get the rules that determine the score of a lead',
    http: 'GET /leads/:id/score',
    access: 'records.read',
    effect: 'read',
    input: z.strictObject({ id: id.describe('Lead ID') }),
    output: z
      .strictObject({ items: z.array(z.strictObject({ name: z.string(), points: z.int() })) })
      .meta({ id: 'LeadScore' }),
  }),
  getLeadSettings: operation({
    summary: 'Get the score rules and response target of leads',
    http: 'GET /settings/leads',
    replaces: [{ http: 'GET /leads/settings' }],
    access: 'leads.manage',
    effect: 'read',
    input: nothing,
    output: LeadSettings,
  }),
  updateLeadSettings: operation({
    summary: 'Update the score rules and response target of leads',
    http: 'PATCH /settings/leads',
    replaces: [{ name: 'setLeadSettings', http: 'PUT /leads/settings' }],
    access: 'leads.manage',
    effect: 'change',
    input: z.strictObject({
      response_minutes: LeadSettings.shape.response_minutes.optional(),
      score_rules: LeadSettings.shape.score_rules.optional(),
    }),
    output: LeadSettings,
  }),
}
