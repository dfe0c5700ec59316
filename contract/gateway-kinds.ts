import * as z from 'zod'
import { Channel, unknownSenderRules } from './channels.ts'
import { fileAnswer, operation } from './operation.ts'
import { id, nameOf, nothing } from './shared/shapes.ts'

const one = { id: id.describe('Channel ID') }
const publicId = { id: z.string().max(100).describe("Public ID, as in the channel's URL") }
const secret = (missing: string) =>
  z.string().trim().min(1, missing).max(1000).describe('Stored encrypted and never shown')
const phone = z
  .string()
  .trim()
  .transform((text) => text.replace(/[\s()./-]/g, ''))
  .pipe(z.string().regex(/^\+\d{5,15}$/, 'Enter a phone number with its country code, such as +442079460000'))
const common = {
  name: nameOf('Enter a name').optional().describe('Default: the name at the provider'),
  unknown_senders: z
    .enum(unknownSenderRules)
    .default('nothing')
    .describe('How unknown senders are handled: nothing, add a person or add a lead'),
}
const word = (missing: string) =>
  z
    .string()
    .trim()
    .min(1, missing)
    .max(100)
    .regex(/^[\w-]+$/, missing)

const Template = z
  .strictObject({
    name: z.string(),
    language: z.string(),
    state: z.string().describe('e.g. APPROVED'),
    text: z.string().describe('Text with variables such as {{1}}'),
    variables: z.int(),
  })
  .meta({ id: 'ProviderTemplate' })

const posted = {
  mount: 'public',
  access: 'public',
  effect: 'add',
  status: 200,
  body: 'signed',
  mostBytes: 4 * 1024 * 1024,
  signedBody: z.looseObject({}),
} as const

const connecting = { access: 'channels.manage', webOnly: true, effect: 'add', openWorld: true } as const

export const gatewayKinds = {
  connectTelegramBot: operation({
    summary: 'Connect a Telegram bot. The token is verified first',
    http: 'POST /channels/telegram',
    ...connecting,
    input: z.strictObject({
      ...common,
      token: secret('Enter the bot token').regex(/^\d+:[\w-]+$/, 'Copy the whole token from BotFather'),
    }),
    output: Channel,
  }),
  connectTwilioNumber: operation({
    summary: 'Connect a Twilio phone number for SMS. Credentials are verified first',
    http: 'POST /channels/twilio',
    ...connecting,
    input: z.strictObject({
      ...common,
      account_sid: word('Copy the account SID from the Twilio console'),
      auth_token: secret('Enter the auth token'),
      number: phone,
    }),
    output: Channel,
  }),
  connectWhatsAppNumber: operation({
    summary: 'Connect a WhatsApp Business Platform number. Credentials are verified first',
    http: 'POST /channels/whatsapp',
    ...connecting,
    input: z.strictObject({
      ...common,
      phone_number_id: word('Copy the phone number ID from Meta'),
      business_account_id: word('Copy the WhatsApp Business account ID from Meta'),
      access_token: secret('Enter the access token'),
      app_secret: secret('Enter the app secret'),
    }),
    output: Channel,
  }),
  sendTestMessage: operation({
    summary: 'Send a test message through a channel',
    http: 'POST /channels/:id/test-message',
    access: 'channels.manage',
    webOnly: true,
    effect: 'change',
    openWorld: true,
    input: z.strictObject({ ...one, to: z.string().trim().min(1, 'Enter an address').max(100) }),
    output: z
      .strictObject({ is_success: z.boolean(), provider_id: z.string().nullable(), reason: z.string().nullable() })
      .meta({ id: 'TestMessage' }),
  }),
  listProviderTemplates: operation({
    summary: 'List approved WhatsApp templates of a channel',
    http: 'GET /channels/:id/templates',
    access: 'messages.send',
    effect: 'read',
    input: z.strictObject(one),
    output: z.strictObject({ items: z.array(Template) }).meta({ id: 'ProviderTemplateList' }),
  }),
  takeTelegramUpdate: operation({
    ...posted,
    summary: 'Receive updates from Telegram (called by Telegram)',
    http: 'POST /channels/:id/telegram',
    input: z.strictObject(publicId),
    output: nothing,
  }),
  takeTwilioMessage: operation({
    ...posted,
    summary: 'Receive messages and statuses from Twilio (called by Twilio)',
    http: 'POST /channels/:id/twilio',
    file: 'text/xml',
    input: z.strictObject({ ...publicId, message_id: id.optional().describe('The message that a status refers to') }),
    output: fileAnswer,
  }),
  takeWhatsAppMessage: operation({
    ...posted,
    summary: 'Receive messages and statuses from WhatsApp (called by Meta)',
    http: 'POST /channels/:id/whatsapp',
    input: z.strictObject(publicId),
    output: nothing,
  }),
  proveWhatsAppAddress: operation({
    summary: 'Verify the WhatsApp webhook (called by Meta)',
    http: 'GET /channels/:id/whatsapp',
    mount: 'public',
    access: 'public',
    effect: 'read',
    body: 'signed',
    file: 'text/plain',
    input: z.strictObject({
      ...publicId,
      hub_mode: z.string().max(100).optional(),
      hub_verify_token: z.string().max(300).optional(),
      hub_challenge: z.string().max(300).optional(),
    }),
    output: fileAnswer,
  }),
}
