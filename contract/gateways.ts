import * as z from 'zod'
import { Channel, ChannelDetails, unknownSenderRules } from './channels.ts'
import { operation } from './operation.ts'
import { givenMoment, id, moment, nameOf } from './shared/shapes.ts'

export const mostPosted = 500
export const mostFetched = 50
export const mostWaitSeconds = 25
/** All files of a post together. */
export const mostPostedFilesMb = 10
/** How far the clock of a gateway may be off. */
export const signatureMinutes = 5
/** How long a gateway has to acknowledge what it fetched before it is offered again. */
export const fetchedSeconds = 60
/** How long the previous secret counts after a new one was made. */
export const oldSecretHours = 24
/** States that gateways report, in order: a message never goes back. */
export const reportedStates = ['sent', 'failed', 'delivered', 'read'] as const

const theirId = z.string().trim().min(1).max(300)
const url = z.string().trim().min(1).max(2000)
const text = z.string().max(200_000)

const Party = z.strictObject({
  address: z.string().trim().min(1).max(254).describe('What you know them by: a number, a handle or an email address'),
  name: z.string().max(200).nullish(),
  email: z.string().trim().max(254).nullish().describe('To find the person, if you know it'),
  phone: z.string().trim().max(50).nullish().describe('The same, with + and country code'),
})

const PostedFile = z.strictObject({
  name: z.string().min(1).max(255),
  type: z.string().max(255).optional(),
  content: z.base64().optional().describe('Base64'),
  url: url.optional().describe('Where it is fetched from, instead of content'),
})

const at = givenMoment.optional().describe('Default: now')
const PostedMessage = z.strictObject({
  kind: z.literal('message'),
  id: theirId.describe('Yours. The same ID in the same channel is the same message'),
  thread: theirId.describe('The chat. The same thread is the same conversation'),
  direction: z.enum(['in', 'out']).default('in').describe('out: written by one of us elsewhere, such as on the phone'),
  from: Party.optional().describe('Required for in'),
  to: z.array(Party).max(100).default([]),
  at,
  text: text.default(''),
  html: text.optional(),
  reply_to: theirId.optional().describe('ID of the message that it answers'),
  files: z.array(PostedFile).max(20).default([]),
  is_automatic: z.boolean().default(false).describe('Written by a machine: opens no closed conversation'),
})
const PostedState = z.strictObject({
  kind: z.literal('state'),
  message_id: id.optional().describe('The ID that Kith gave the message'),
  id: theirId.optional().describe('Yours. With message_id: this is what you call it from now on'),
  state: z.enum(reportedStates),
  reason: z.string().max(500).optional().describe('Why it failed'),
  thread: theirId.optional().describe('The chat that it began'),
  at,
})
const PostedEdit = z.strictObject({ kind: z.literal('edited'), id: theirId, text, at })
const PostedDeletion = z.strictObject({ kind: z.literal('deleted'), id: theirId, at })
const PostedTyping = z.strictObject({ kind: z.literal('typing'), thread: theirId })

export const PostedItem = z.discriminatedUnion('kind', [
  PostedMessage,
  PostedState,
  PostedEdit,
  PostedDeletion,
  PostedTyping,
])

const PostedResult = z
  .strictObject({
    kind: z.string(),
    result: z
      .enum(['stored', 'known', 'changed', 'unchanged', 'not_found'])
      .describe('known: it was here already. unchanged: older than what is known'),
    message_id: id.nullable(),
    conversation_id: id.nullable(),
    missing_files: z
      .array(z.strictObject({ name: z.string(), reason: z.string() }))
      .optional()
      .describe('Files that could not be loaded from their url. The message is stored with a note in their place'),
  })
  .meta({ id: 'PostedResult' })

export const OutgoingMessage = z
  .strictObject({
    type: z.literal('message'),
    id: id.describe('The same each time it is sent to you. Send a message with the same webhook-id only once'),
    channel_id: id,
    conversation_id: id,
    thread: z.string().nullable().describe('The chat; null: someone who has not written yet'),
    to: z.array(z.strictObject({ address: z.string(), name: z.string().nullable() })),
    from: z.strictObject({ name: z.string().nullable() }),
    text: z.string(),
    reply_to: z.string().nullable().describe('Your ID of the message that it answers'),
    files: z.array(z.strictObject({ name: z.string(), type: z.string(), size: z.int(), content: z.string() })),
    at: moment,
  })
  .meta({ id: 'OutgoingMessage' })

const webhook_url = url.nullable().describe('Where outgoing messages are posted; null: the gateway fetches them')
const secret = z.string().describe('Signs in both directions (Standard Webhooks). It is not shown again')
const publicId = { id: z.string().max(100).describe('As in the address of the channel') }
const one = { id: id.describe('Channel ID') }

export const gateways = {
  connectApiChannel: operation({
    summary: 'Connect a program of your own as a channel',
    http: 'POST /channels/api',
    access: 'channels.manage',
    webOnly: true,
    effect: 'add',
    secret: true,
    input: z.strictObject({
      name: nameOf('Enter a name'),
      address: z.string().trim().max(254).default('').describe('What outsiders write to, such as a number'),
      webhook_url: webhook_url.default(null),
      unknown_senders: z.enum(unknownSenderRules).default('nothing'),
    }),
    output: z
      .strictObject({ channel: Channel, secret, post_address: z.string(), fetch_address: z.string() })
      .meta({ id: 'ApiChannel' }),
  }),
  updateApiChannel: operation({
    summary: 'Change where the outgoing messages of an API channel are posted',
    http: 'PATCH /channels/:id/gateway',
    access: 'channels.manage',
    webOnly: true,
    effect: 'change',
    input: z.strictObject({ ...one, webhook_url }),
    output: ChannelDetails,
  }),
  rotateChannelSecret: operation({
    summary: `Make a new secret for an API channel. The previous one counts for ${oldSecretHours} hours`,
    http: 'POST /channels/:id/secret',
    access: 'channels.manage',
    webOnly: true,
    effect: 'change',
    secret: true,
    input: z.strictObject(one),
    output: z.strictObject({ secret, old_secret_expires_at: moment }).meta({ id: 'ChannelSecret' }),
  }),
  testApiChannel: operation({
    summary: 'Send a test to the webhook address of an API channel',
    http: 'POST /channels/:id/test',
    access: 'channels.manage',
    webOnly: true,
    effect: 'change',
    openWorld: true,
    input: z.strictObject(one),
    output: z
      .strictObject({ is_success: z.boolean(), status: z.int().nullable(), ms: z.int(), reason: z.string().nullable() })
      .meta({ id: 'ChannelTest' }),
  }),
  postToChannel: operation({
    summary: 'Post messages, states and edits to an API channel, signed with its secret',
    http: 'POST /channels/:id/messages',
    mount: 'public',
    access: 'public',
    effect: 'add',
    status: 200,
    body: 'signed',
    mostBytes: 15 * 1024 * 1024,
    signedBody: z.strictObject({ items: z.array(PostedItem).min(1).max(mostPosted) }),
    input: z.strictObject(publicId),
    output: z
      .strictObject({ items: z.array(PostedResult).describe('In the order of the items') })
      .meta({ id: 'PostedResults' }),
  }),
  fetchOutgoing: operation({
    summary: 'Fetch outgoing messages of an API channel. Acknowledge each by posting a state',
    http: 'POST /channels/:id/outgoing',
    mount: 'public',
    access: 'public',
    effect: 'change',
    waits: true,
    body: 'signed',
    mostBytes: 64 * 1024,
    signedBody: z.strictObject({
      limit: z.int().min(1).max(mostFetched).default(20),
      wait_seconds: z.int().min(0).max(mostWaitSeconds).default(0).describe('Waits so long for the first one'),
    }),
    input: z.strictObject(publicId),
    output: z.strictObject({ items: z.array(OutgoingMessage) }).meta({ id: 'OutgoingMessages' }),
  }),
}
