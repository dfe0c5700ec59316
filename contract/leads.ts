import * as z from 'zod'
import { limits } from './filter/limits.ts'
import { mostSubmissionLength, mostValueLength } from './lead-forms.ts'
import { operation } from './operation.ts'
import { id, moment, nameOf, nothing, page, pageOf } from './shared/shapes.ts'

export { mostSubmissionLength }

/** received: waits to be processed. unconfirmed: waits for the person to confirm their address. */
export const submissionStates = ['received', 'unconfirmed', 'lead', 'failed', 'spam', 'expired'] as const
/** How long spam and addresses of visitors are kept. */
export const spamDays = 30
/** From here on a submission is kept as spam. */
export const spamPoints = 100
/** Names the lead sources that a lead has passed, from one Kith to the next. */
export const leadPathHeader = 'kith-lead-path'
export const mostRules = 50

export const LeadSubmission = z
  .strictObject({
    id,
    source_id: id,
    source_name: z.string(),
    received_at: moment,
    state: z.enum(submissionStates),
    outcome: z.enum(['created', 'updated', 'noted']).nullable().describe('What it did, if it became a lead'),
    reason: z.string().nullable().describe('Why it failed, or what was left out'),
    lead_id: id.nullable(),
    email: z.string().nullable(),
    name: z.string().nullable().describe('Name that was entered'),
    spam_score: z.int().describe(`40 and more is suspicious, ${spamPoints} and more is spam`),
    spam_reasons: z.array(z.string()),
    via: z.enum(['script', 'page', 'html', 'api']),
    page: z.string().nullable(),
    processed_at: moment.nullable(),
  })
  .meta({ id: 'LeadSubmission' })

const Utm = z.record(z.string(), z.string())

export const LeadSubmissionDetails = LeadSubmission.extend({
  values: z.record(z.string(), z.unknown()).describe('As sent'),
  referrer: z.string().nullable(),
  first_utm: Utm.describe('Of the first page of the visit'),
  last_utm: Utm.describe('Of the page with the form'),
  consent_version: z.int().nullable(),
  consent_text: z.string().nullable(),
  consent_at: moment.nullable(),
  confirmed_at: moment.nullable().describe('When the email address was confirmed'),
  replied_at: moment.nullable().describe('When the automatic reply was sent'),
  owner_name: z.string().nullable().describe('Owner of the lead'),
  network: z.string().nullable().describe('IP address; shortened after 30 days'),
  user_agent: z.string().nullable(),
}).meta({ id: 'LeadSubmissionDetails' })

export const ScoreRule = z
  .strictObject({
    name: nameOf('Enter a name'),
    filter: z.string().min(1).max(limits.characters).describe('Filter on leads, without related records'),
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
      .describe('Target for the first response, in minutes after a lead arrives; null: none'),
    score_rules: z
      .array(ScoreRule)
      .max(mostRules)
      .describe('The score of a lead is the sum of the points of all matching rules; without rules, people set it'),
  })
  .meta({ id: 'LeadSettings' })

const submission = { id: id.describe('Submission ID') }
const value = z.string().max(mostValueLength)
const sentValues = z.record(z.string().max(100), z.union([value, z.number(), z.boolean(), z.array(value).max(100)]))

const recordOf = (what: string) =>
  z.strictObject({ id, title: z.string(), is_new: z.boolean() }).nullable().describe(`null: no ${what}`)

export const leads = {
  listLeadSubmissions: operation({
    summary: 'List submissions of lead sources, newest first',
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
    summary: 'Get a submission as it was received',
    http: 'GET /lead-submissions/:id',
    access: 'leads.manage',
    effect: 'read',
    input: z.strictObject(submission),
    output: LeadSubmissionDetails,
  }),
  processLeadSubmission: operation({
    summary: 'Process a submission again, after its source or its values were corrected',
    http: 'POST /lead-submissions/:id/process',
    access: 'leads.manage',
    effect: 'change',
    input: z.strictObject({ ...submission, values: sentValues.optional().describe('Corrected values; others stay') }),
    output: LeadSubmission,
  }),
  markNotSpam: operation({
    summary: 'Turn a submission that was taken for spam into a lead, or restore the lead that it was',
    http: 'POST /lead-submissions/:id/not-spam',
    access: 'leads.manage',
    effect: 'change',
    input: z.strictObject(submission),
    output: LeadSubmission,
  }),
  markSpam: operation({
    summary: 'Mark a submission as spam. The lead that it created moves to the trash',
    http: 'POST /lead-submissions/:id/spam',
    access: 'leads.manage',
    effect: 'change',
    input: z.strictObject(submission),
    output: LeadSubmission,
  }),
  submitLead: operation({
    summary: 'Submit a lead to a lead source',
    http: 'POST /lead-sources/:source_id/submissions',
    access: 'records.create',
    on: 'leads',
    effect: 'add',
    input: z.strictObject({
      source_id: z.string().max(200).describe('ID or name of the lead source'),
      values: sentValues.describe('By key of the field of leads').meta({ forAgents: { type: 'object' } }),
      page: z
        .string()
        .max(2000)
        .optional()
        .describe('Address of the page, with its UTM parameters')
        .meta({ forAgents: 'hidden' }),
      referrer: z.string().max(2000).optional().describe('Where the visitor came from').meta({ forAgents: 'hidden' }),
      consent_version: z
        .int()
        .optional()
        .describe('Version of the consent text that the person agreed to')
        .meta({ forAgents: 'hidden' }),
    }),
    output: LeadSubmission,
    tool: 'Sends a lead through a lead source, which assigns it and finds duplicates. Otherwise use create_records.',
  }),
  convertLead: operation({
    summary: 'Convert a lead',
    http: 'POST /leads/:id/conversion',
    access: 'records.edit',
    on: 'leads',
    effect: 'change',
    input: z.strictObject({
      id: id.describe('Lead ID'),
      person_id: id.optional().describe('Default: found by email or phone, else created'),
      person: z.boolean().default(true).describe('false: none').meta({ forAgents: 'hidden' }),
      organization_id: id.optional().describe('Default: found by domain or name, else created'),
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
        moved: z.int().describe('Notes, activities and tasks that are now also about them'),
        change_set_id: id.nullable().describe('Undo the conversion with it'),
        dry_run: z.boolean(),
      })
      .meta({ id: 'LeadConversion' }),
    tool: 'Converts a lead to a person, organization and deal, reusing those that exist.',
    untrusted: ['title'],
  }),
  getLeadScore: operation({
    summary: 'Get the rules that give a lead its score',
    http: 'GET /leads/:id/score',
    access: 'records.read',
    effect: 'read',
    input: z.strictObject({ id: id.describe('Lead ID') }),
    output: z
      .strictObject({ items: z.array(z.strictObject({ name: z.string(), points: z.int() })) })
      .meta({ id: 'LeadScore' }),
  }),
  getLeadSettings: operation({
    summary: 'Get the score rules and the response target of leads',
    http: 'GET /leads/settings',
    access: 'leads.manage',
    effect: 'read',
    input: nothing,
    output: LeadSettings,
  }),
  setLeadSettings: operation({
    summary: 'Set the score rules and the response target of leads',
    http: 'PUT /leads/settings',
    access: 'leads.manage',
    effect: 'change',
    input: z.strictObject({
      response_minutes: LeadSettings.shape.response_minutes.optional(),
      score_rules: LeadSettings.shape.score_rules.optional(),
    }),
    output: LeadSettings,
  }),
}
