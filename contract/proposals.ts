import * as z from 'zod'
import { fileAnswer, operation } from './operation.ts'
import { id, inOneLine, moment, page, pageOf } from './shared/shapes.ts'

/** outdated: what it was made for changed in the meantime. */
export const proposalStates = ['waiting', 'approved', 'edited', 'rejected', 'outdated', 'expired'] as const
export const proposalDays = 7

/** What an agent wants to do. A person decides; nothing is applied twice. */
export const Proposal = z
  .strictObject({
    id,
    kind: z.enum(['message']),
    state: z.enum(proposalStates),
    user_id: id.describe('Who proposes it'),
    user_name: z.string(),
    client: z.string().nullable().describe('Program that it came from'),
    reason: z.string().describe('Why, in the words of the agent'),
    rule: z.string().describe('Why a person decides'),
    conversation_id: id.nullable(),
    subject: z.string(),
    text: z.string().describe('What would be sent'),
    to: z.array(z.string()),
    cc: z.array(z.string()),
    bcc: z.array(z.string()).describe('Hidden copies'),
    outside: z.array(z.string()).describe('Recipients who are not in the conversation yet'),
    files: z.array(z.strictObject({ id, name: z.string(), type: z.string(), size: z.int() })).describe('Attachments'),
    mode: z.enum(['reply', 'forward', 'none']).describe('Whether it quotes or forwards a message'),
    quoted: z
      .strictObject({ message_id: id, from: z.string(), at: moment, text: z.string() })
      .nullable()
      .describe('The message that is quoted or forwarded, with the beginning of its text'),
    channel: z.strictObject({ id, name: z.string() }).describe('Sends it'),
    send_at: moment.nullable().describe('null: once it is approved'),
    template: z.string().nullable().describe('Name of the template it was written with'),
    provider_template: z
      .strictObject({ name: z.string(), language: z.string(), values: z.array(z.string()) })
      .nullable()
      .describe('The template that WhatsApp sends instead of the text'),
    changed: z.string().nullable().describe('What happened since it was made'),
    created_at: moment,
    expires_at: moment,
    decided_at: moment.nullable(),
    decided_by: z.string().nullable(),
    note: z.string().describe('Words of the person who decided'),
    sent_text: z.string().nullable().describe('What was sent, if it was edited'),
    message_id: id.nullable(),
    url: z.string().describe('Where a person decides'),
  })
  .meta({ id: 'Proposal' })

const one = { id: id.describe('Proposal ID') }

export const proposals = {
  listProposals: operation({
    summary: 'List proposals of agents, newest first',
    http: 'GET /proposals',
    access: 'member',
    effect: 'read',
    input: z.strictObject({
      state: z.enum(proposalStates).optional(),
      conversation_id: id.optional(),
      ...page,
    }),
    output: pageOf(Proposal).meta({ id: 'ProposalPage' }),
  }),
  getProposal: operation({
    summary: 'Get a proposal and its outcome',
    http: 'GET /proposals/:id',
    access: 'member',
    effect: 'read',
    input: z.strictObject(one),
    output: Proposal,
    tool: 'Gets a proposal, its outcome and the feedback.',
    untrusted: ['subject', 'text', 'quoted', 'changed', 'files'],
  }),
  downloadProposalFile: operation({
    summary: 'Download a file of a proposed message',
    http: 'GET /proposals/:id/files/:file_id',
    access: 'member',
    effect: 'read',
    file: 'application/octet-stream',
    input: z.strictObject({ ...one, file_id: id }),
    output: fileAnswer,
  }),
  decideProposal: operation({
    summary: 'Approve a proposal, as it is or edited, or reject it with words for the agent',
    http: 'POST /proposals/:id/decision',
    access: 'messages.send',
    webOnly: true,
    effect: 'change',
    openWorld: true,
    largeBody: true,
    input: z.strictObject({
      ...one,
      decision: z.enum(['approve', 'reject']),
      text: z.string().max(200_000).optional().describe('Sent instead of the proposed text'),
      subject: inOneLine(z.string().max(500)).optional(),
      note: z.string().trim().max(2000).default('').describe('For the agent'),
      anyway: z.boolean().default(false).describe('Although something happened since it was made'),
    }),
    output: Proposal,
  }),
}
