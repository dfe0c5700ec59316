import * as z from 'zod'
import { Message } from './conversations.ts'
import { fileAnswer, operation } from './operation.ts'
import { Proposal } from './proposals.ts'
import { futureTime } from './shared/point-in-time.ts'
import { fullPage, id, inOneLine, moment, nameOf, nothing, pageOf } from './shared/shapes.ts'

export const mostRecipients = 100
export const emailAddress = /^[^\s@]+@[^\s@]+$/
export const mostMessageLength = 200_000
export const mostMessageFiles = 20
/** All files of a message together. */
export const mostMessageFilesMb = 25
/** How long sending can be undone in the web app. */
export const undoSendSeconds = 10

/** Placeholder in a filled-in template for a variable without a value. */
export const templateGap = (name: string) => `[${name}]`

/** Template variables, in addition to `person.KEY` for each field of people. */
export const templateVariables = [
  'first_name',
  'last_name',
  'name',
  'email',
  'organization',
  'my_name',
  'my_email',
  'company',
  'subject',
]

/** The variables that automatic replies may use: only what the message itself contains, because the sender is unverified. */
export const automaticVariables = ['first_name', 'name', 'email', 'my_name', 'my_email', 'company', 'subject']

/** An email address, a phone number or a gateway's address, depending on the channel. */
const recipient = z
  .string()
  .trim()
  .min(1, 'Enter an address')
  .max(254)
  .transform((text) => (emailAddress.test(text) ? text.toLowerCase() : text))
const addresses = z.array(recipient).max(mostRecipients)
const text = z.string().max(mostMessageLength)

/** The content of a message. */
const content = {
  subject: inOneLine(z.string().max(500)),
  text: text.describe('Markdown'),
  file_ids: z.array(id).max(mostMessageFiles).describe('Files uploaded with the purpose message'),
}

/** The recipient: a conversation, a person or addresses. */
const target = {
  conversation_id: id.optional().describe('Conversation to reply in'),
  reply_to_id: id
    .optional()
    .describe('Message to reply to or forward; default: the newest')
    .meta({ forAgents: 'hidden' }),
  channel_id: id.optional().describe("Default: the conversation's"),
  person_id: id.optional().describe('Person to write to'),
  to: addresses.optional().describe('Default: the last sender'),
  cc: addresses.optional().describe('Cc recipients'),
  bcc: addresses.optional().describe('Bcc recipients').meta({ forAgents: 'hidden' }),
}

const withoutFiles = z.array(id).max(200)

const quote = z.enum(['reply', 'forward', 'none'])
const sending = {
  ...target,
  mode: quote.default('reply').describe('reply quotes the message, forward includes its files'),
  subject: content.subject.optional().describe("Default: the conversation's"),
  text: content.text.default('').describe('Markdown'),
  file_ids: content.file_ids.default([]).describe('IDs of uploaded files').meta({ forAgents: 'hidden' }),
  without_file_ids: withoutFiles
    .default([])
    .describe('Files of the forwarded message to leave out')
    .meta({ forAgents: 'hidden' }),
  template_id: id.optional().describe('Template for an empty subject or text').meta({ forAgents: 'hidden' }),
  provider_template: z
    .strictObject({
      name: z.string().trim().min(1).max(600),
      language: z.string().trim().min(2).max(20),
      values: z.array(z.string().min(1).max(1000)).max(20).default([]).describe('Values of {{1}}, {{2}} and so on'),
    })
    .optional()
    .describe('An approved WhatsApp template. Your team sees text in the conversation')
    .meta({ forAgents: 'hidden' }),
  send_at: futureTime
    .optional()
    .describe('Send later: a time or +2d')
    .meta({ forAgents: { type: 'string' } }),
}

const Draft = z
  .strictObject({
    id,
    conversation_id: id.nullable(),
    channel_id: id.nullable(),
    reply_to_id: id.nullable(),
    kind: z.enum(['reply', 'reply_all', 'forward', 'note', 'new']),
    to: z.array(z.string()),
    cc: z.array(z.string()),
    bcc: z.array(z.string()),
    subject: z.string(),
    text: z.string(),
    files: z.array(z.strictObject({ id, name: z.string(), size: z.int() })),
    without_file_ids: withoutFiles,
    updated_at: moment,
    version: z.int(),
  })
  .meta({ id: 'MessageDraft' })

const Template = z
  .strictObject({
    id,
    name: z.string(),
    subject: z.string(),
    text: z.string().describe('Markdown with variables, e.g. {{ first_name }}'),
    is_mine: z.boolean(),
    is_shared: z.boolean(),
  })
  .meta({ id: 'MessageTemplate' })
const template = {
  name: nameOf('Enter a name'),
  subject: inOneLine(z.string().trim().max(500)),
  text: text.min(1, 'Enter the text'),
  is_shared: z.boolean().describe('Shared with everyone'),
}

const one = { id: id.describe('Message ID') }
const sent = z
  .strictObject({
    conversation_id: id,
    message: Message.nullable().describe('null: it needs approval, see proposal'),
    proposal: Proposal.nullable().describe('Set if a person must approve the message first'),
  })
  .meta({ id: 'SentMessage' })

export const messages = {
  sendMessage: operation({
    summary: 'Send a message',
    http: 'POST /messages',
    access: 'messages.send',
    effect: 'add',
    openWorld: true,
    largeBody: true,
    input: z.strictObject({
      ...sending,
      reason: z.string().trim().max(500).default('').describe('Reason, shown to the approver'),
      undo_seconds: z
        .int()
        .min(0)
        .max(60)
        .default(0)
        .describe('Seconds before sending, during which it can be cancelled')
        .meta({ forAgents: 'hidden' }),
      draft_id: id.optional().describe('The draft it was written in').meta({ forAgents: 'hidden' }),
      close: z.boolean().default(false).describe('Also close the conversation').meta({ forAgents: 'hidden' }),
    }),
    output: sent,
    tool: 'Sends a message, or proposes it if a person must approve it: see get_proposal.',
    untrusted: ['subject', 'quoted', 'quote'],
  }),
  draftReply: operation({
    summary: 'Propose a message',
    http: 'POST /messages/proposals',
    access: 'member',
    effect: 'add',
    largeBody: true,
    input: z.strictObject({
      ...sending,
      channel_id: sending.channel_id.meta({ forAgents: 'hidden' }),
      mode: sending.mode.meta({ forAgents: 'hidden' }),
      template: z
        .string()
        .trim()
        .min(1)
        .max(100)
        .optional()
        .describe('Name or ID')
        .meta({ forAgents: { type: 'string' } }),
      reason: z.string().trim().max(500).default('').describe('Reason, shown to the approver'),
    }),
    output: sent,
    tool: 'Proposes a message for a person to approve. See get_proposal.',
    untrusted: ['subject', 'quoted'],
  }),
  createConversationNote: operation({
    summary: 'Add an internal note to a conversation',
    http: 'POST /conversations/:id/notes',
    replaces: [{ name: 'addConversationNote' }],
    access: 'member',
    effect: 'add',
    input: z.strictObject({
      id: id.describe('Conversation ID'),
      text: content.text.min(1, 'Enter a note'),
      draft_id: id.optional(),
    }),
    output: Message,
  }),
  cancelMessage: operation({
    summary: 'Cancel a message that has not been sent yet',
    http: 'POST /messages/:id/cancellation',
    access: 'member',
    effect: 'change',
    input: z.strictObject(one),
    output: Message,
  }),
  retryMessage: operation({
    summary: 'Retry a message that failed or whose delivery is unknown',
    http: 'POST /messages/:id/retry',
    access: 'messages.send',
    effect: 'change',
    openWorld: true,
    input: z.strictObject(one),
    output: Message,
  }),
  getMessageBody: operation({
    summary: 'Get the sanitized HTML of a message, for a sandboxed frame',
    http: 'GET /messages/:id/body',
    access: 'member',
    effect: 'read',
    file: 'text/html',
    input: z.strictObject({
      ...one,
      images: z.boolean().default(false).describe('Load remote images through the server and embed them'),
      theme: z.enum(['light', 'dark']).default('light'),
    }),
    output: fileAnswer,
  }),
  downloadMessageFile: operation({
    summary: 'Download a message attachment',
    http: 'GET /messages/:id/files/:file_id',
    access: 'member',
    effect: 'read',
    file: 'application/octet-stream',
    input: z.strictObject({ ...one, file_id: id }),
    output: fileAnswer,
  }),
  listMessageDrafts: operation({
    summary: 'List your drafts',
    http: 'GET /message-drafts',
    access: 'member',
    effect: 'read',
    input: z.strictObject({ conversation_id: id.optional(), ...fullPage }),
    output: pageOf(Draft).meta({ id: 'MessageDraftList' }),
  }),
  saveMessageDraft: operation({
    summary: 'Save a draft. You have one draft per conversation',
    http: 'PUT /message-drafts/:id',
    access: 'member',
    effect: 'change',
    largeBody: true,
    input: z.strictObject({
      id: id.describe('A UUID that you generate'),
      conversation_id: id.nullable().default(null),
      channel_id: id.nullable().default(null),
      reply_to_id: id.nullable().default(null),
      kind: Draft.shape.kind,
      to: z.array(z.string().max(254)).max(mostRecipients).default([]),
      cc: z.array(z.string().max(254)).max(mostRecipients).default([]),
      bcc: z.array(z.string().max(254)).max(mostRecipients).default([]),
      subject: content.subject.default(''),
      text: content.text.default(''),
      file_ids: content.file_ids.default([]),
      without_file_ids: withoutFiles.default([]),
      version: z.int().default(0).describe('Version the changes are based on; 0: a new draft'),
    }),
    output: Draft,
  }),
  deleteMessageDraft: operation({
    summary: 'Discard one of your drafts',
    http: 'DELETE /message-drafts/:id',
    replaces: [{ name: 'discardMessageDraft' }],
    access: 'member',
    effect: 'destroy',
    input: z.strictObject({ id: id.describe('Draft ID') }),
    output: nothing,
  }),
  listMessageTemplates: operation({
    summary: 'List your templates and shared ones',
    http: 'GET /message-templates',
    access: 'member',
    effect: 'read',
    input: z.strictObject(fullPage),
    output: pageOf(Template).meta({ id: 'MessageTemplateList' }),
  }),
  fillMessageTemplate: operation({
    summary: 'Get a message template filled in for a recipient',
    http: 'GET /message-templates/:id/filled',
    access: 'member',
    effect: 'read',
    input: z.strictObject({
      id: id.describe('Template ID'),
      conversation_id: id.optional(),
      person_id: id.optional(),
      to: recipient.optional().describe('Address of the recipient; default: the last sender in the conversation'),
    }),
    output: z
      .strictObject({
        subject: z.string(),
        text: z.string(),
        missing: z.array(z.string()).describe('Variables without a value, shown as [name] in the text'),
      })
      .meta({ id: 'FilledTemplate' }),
  }),
  createMessageTemplate: operation({
    summary: 'Create a message template',
    http: 'POST /message-templates',
    access: 'member',
    effect: 'add',
    input: z.strictObject({
      name: template.name,
      subject: template.subject.default(''),
      text: template.text,
      is_shared: template.is_shared.default(false),
    }),
    output: Template,
  }),
  updateMessageTemplate: operation({
    summary: 'Update a message template',
    http: 'PATCH /message-templates/:id',
    access: 'member',
    effect: 'change',
    input: z.strictObject({
      id: id.describe('Template ID'),
      name: template.name.optional(),
      subject: template.subject.optional(),
      text: template.text.optional(),
      is_shared: template.is_shared.optional(),
    }),
    output: Template,
  }),
  deleteMessageTemplate: operation({
    summary: 'Delete a message template',
    http: 'DELETE /message-templates/:id',
    access: 'member',
    effect: 'destroy',
    input: z.strictObject({ id: id.describe('Template ID') }),
    output: nothing,
  }),
}
