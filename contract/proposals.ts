import * as z from 'zod'
import { fileAnswer, operation } from './operation.ts'
import { id, inOneLine, moment, page, pageOf } from './shared/shapes.ts'

/** outdated: the conversation changed in the meantime. */
export const proposalStates = ['waiting', 'approved', 'edited', 'rejected', 'outdated', 'expired'] as const
export const proposalDays = 7

/** An action that an agent proposes and a person approves or rejects, once. */
export const Proposal = z
  .strictObject({
    id,
    kind: z.enum(['message']),
    state: z.enum(proposalStates),
    user_id: id.describe('User who proposes it'),
    user_name: z.string(),
    client: z.string().nullable().describe('Name of the client that created it'),
    reason: z.string().describe("The agent's reason"),
    rule: z.string().describe('The rule that requires approval'),
    conversation_id: id.nullable(),
    subject: z.string(),
    text: z.string().describe('The proposed text'),
    to: z.array(z.string()),
    cc: z.array(z.string()),
    bcc: z.array(z.string()).describe('Bcc recipients'),
    outside: z.array(z.string()).describe('Recipients who are not in the conversation yet'),
    files: z.array(z.strictObject({ id, name: z.string(), type: z.string(), size: z.int() })).describe('Attachments'),
    mode: z.enum(['reply', 'forward', 'none']).describe('Whether it quotes (reply) or forwards a message'),
    quoted: z
      .strictObject({ message_id: id, from: z.string(), at: moment, text: z.string() })
      .nullable()
      .describe('The quoted or forwarded message, with the start of its text'),
    channel: z.strictObject({ id, name: z.string() }).describe('Channel that sends it'),
    send_at: moment.nullable().describe('null: immediately after approval'),
    template: z.string().nullable().describe('Name of the template used'),
    provider_template: z
      .strictObject({ name: z.string(), language: z.string(), values: z.array(z.string()) })
      .nullable()
      .describe('WhatsApp template that is sent instead of the text'),
    changed: z.string().nullable().describe('What changed in the conversation since it was proposed'),
    created_at: moment,
    expires_at: moment,
    decided_at: moment.nullable(),
    decided_by: z.string().nullable(),
    note: z.string().describe('Feedback from the reviewer'),
    sent_text: z.string().nullable().describe('The sent text, if it was edited'),
    message_id: id.nullable(),
    url: z.string().describe('URL where a person can approve or reject it'),
  })
  .meta({ id: 'Proposal' })

const one = { id: id.describe('Proposal ID') }

export const proposals = {
  listProposals: operation({
    summary: 'List proposals made by agents, newest first',
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
    tool: "Returns a proposal's state and the reviewer's feedback.",
    untrusted: ['subject', 'text', 'quoted', 'changed', 'files'],
  }),
  downloadProposalFile: operation({
    summary: 'Download an attachment of a proposed message',
    http: 'GET /proposals/:id/files/:file_id',
    access: 'member',
    effect: 'read',
    file: 'application/octet-stream',
    input: z.strictObject({ ...one, file_id: id }),
    output: fileAnswer,
  }),
  decideProposal: operation({
    summary: 'Approve a proposal, optionally edited, or reject it with feedback',
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
      note: z.string().trim().max(2000).default('').describe('Feedback for the agent'),
      anyway: z.boolean().default(false).describe('Approve even if the conversation changed'),
    }),
    output: Proposal,
  }),
}
