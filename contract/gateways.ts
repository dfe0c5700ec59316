import * as z from 'zod'
import { Channel, ChannelDetails, unknownSenderRules } from './channels.ts'
import { operation } from './operation.ts'
import { givenMoment, id, moment, nameOf } from './shared/shapes.ts'

export const mostPosted = 500
export const mostFetched = 50
export const mostWaitSeconds = 25
/** Total size of the files in one post. */
export const mostPostedFilesMb = 10
/** Maximum clock difference of a gateway. */
export const signatureMinutes = 5
/** How long a gateway has to acknowledge a fetched message before it is offered again. */
export const fetchedSeconds = 60
/** How long the previous secret works after a rotation. */
export const oldSecretHours = 24
/** States that gateways report, in order: a message never goes back. */
export const reportedStates = ['sent', 'failed', 'delivered', 'read'] as const

const theirId = z.string().trim().min(1).max(300)
const url = z.string().trim().min(1).max(2000)
const text = z.string().max(200_000)

const Party = z.strictObject({
  address: z
    .string()
    .trim()
    .min(1)
    .max(254)
    .describe('Their address in your network: a number, a handle or an email address'),
  name: z.string().max(200).nullish(),
  email: z.string().trim().max(254).nullish().describe('Used to find the person'),
  phone: z.string().trim().max(50).nullish().describe('Used to find the person; with + and country code'),
})

const PostedFile = z.strictObject({
  name: z.string().min(1).max(255),
  type: z.string().max(255).optional(),
  content: z.base64().optional().describe('Content in base64'),
  url: url.optional().describe('URL to fetch the file from, instead of content'),
})

const at = givenMoment.optional().describe('Default: now')
const PostedMessage = z.strictObject({
  kind: z.literal('message'),
  id: theirId.describe('Your ID, unique in the channel. Posting it again does not create a second message'),
  thread: theirId.describe('Your ID for the chat. One thread is one conversation'),
  direction: z.enum(['in', 'out']).default('in').describe('out: sent by your team outside Kith, e.g. from a phone'),
  from: Party.optional().describe('Required for incoming messages'),
  to: z.array(Party).max(100).default([]),
  at,
  text: text.default(''),
  html: text.optional(),
  reply_to: theirId.optional().describe('Your ID for the message it replies to'),
  files: z.array(PostedFile).max(20).default([]),
  is_automatic: z.boolean().default(false).describe('Sent by a program: does not reopen a closed conversation'),
})
const PostedState = z.strictObject({
  kind: z.literal('state'),
  message_id: id.optional().describe("Kith's ID for the message"),
  id: theirId.optional().describe('Your ID for the message. With message_id: saved as its ID'),
  state: z.enum(reportedStates),
  reason: z.string().max(500).optional().describe('Reason for the failure'),
  thread: theirId.optional().describe('Your ID for the chat it started'),
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
      .describe('known: already stored. unchanged: older than the stored state'),
    message_id: id.nullable(),
    conversation_id: id.nullable(),
    missing_files: z
      .array(z.strictObject({ name: z.string(), reason: z.string() }))
      .optional()
      .describe('Files that could not be fetched from their url. The message is stored with a note in their place'),
  })
  .meta({ id: 'PostedResult' })

export const OutgoingMessage = z
  .strictObject({
    type: z.literal('message'),
    id: id.describe('Stays the same for every attempt. Send a message with the same webhook-id only once'),
    channel_id: id,
    conversation_id: id,
    thread: z.string().nullable().describe('Your ID for the chat; null: the recipient has not written yet'),
    to: z.array(z.strictObject({ address: z.string(), name: z.string().nullable() })),
    from: z.strictObject({ name: z.string().nullable() }),
    text: z.string(),
    reply_to: z.string().nullable().describe('Your ID for the message it replies to'),
    files: z.array(z.strictObject({ name: z.string(), type: z.string(), size: z.int(), content: z.string() })),
    at: moment,
  })
  .meta({ id: 'OutgoingMessage' })

const webhook_url = url.nullable().describe('URL to which outgoing messages are posted; null: your app fetches them')
const secret = z.string().describe('Signs requests in both directions (Standard Webhooks). It is not shown again')
const publicId = { id: z.string().max(100).describe("Public ID, as in the channel's URL") }
const one = { id: id.describe('Channel ID') }

export const gateways = {
  connectApiChannel: operation({
    summary: 'Connect your own app as an API channel',
    http: 'POST /channels/api',
    access: 'channels.manage',
    webOnly: true,
    effect: 'add',
    secret: true,
    input: z.strictObject({
      name: nameOf('Enter a name'),
      address: z.string().trim().max(254).default('').describe('The address people write to, e.g. a number'),
      webhook_url: webhook_url.default(null),
      unknown_senders: z.enum(unknownSenderRules).default('nothing'),
    }),
    output: z
      .strictObject({ channel: Channel, secret, post_address: z.string(), fetch_address: z.string() })
      .meta({ id: 'ApiChannel' }),
  }),
  updateApiChannel: operation({
    summary: 'Update the webhook URL of an API channel',
    http: 'PATCH /channels/:id/gateway',
    access: 'channels.manage',
    webOnly: true,
    effect: 'change',
    input: z.strictObject({ ...one, webhook_url }),
    output: ChannelDetails,
  }),
  renewChannelSecret: operation({
    summary: `Rotate the secret of an API channel. The old one works for another ${oldSecretHours} hours`,
    http: 'POST /channels/:id/secret',
    replaces: [{ name: 'rotateChannelSecret' }],
    access: 'channels.manage',
    webOnly: true,
    effect: 'change',
    secret: true,
    input: z.strictObject(one),
    output: z.strictObject({ secret, old_secret_expires_at: moment }).meta({ id: 'ChannelSecret' }),
  }),
  testApiChannel: operation({
    summary: 'Send a test request to the webhook URL of an API channel',
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
      .strictObject({ items: z.array(PostedResult).describe('Results in the order of the posted items') })
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
      wait_seconds: z.int().min(0).max(mostWaitSeconds).default(0).describe('Seconds to wait for the first message'),
    }),
    input: z.strictObject(publicId),
    output: z.strictObject({ items: z.array(OutgoingMessage) }).meta({ id: 'OutgoingMessages' }),
  }),
}
