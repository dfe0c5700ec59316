import * as z from 'zod'
import { channelKinds } from './built-in/channel-kinds.ts'
import { mailSecurities } from './mail.ts'
import { operation, pageAnswer } from './operation.ts'
import { email, id, moment, nameOf, nothing, page, pageOf } from './shared/shapes.ts'

export * from './built-in/channel-kinds.ts'

/** synced: everything on the server is here. sign_in: it needs to be signed in again. */
export const channelStates = [
  'connecting',
  'syncing',
  'synced',
  'failing',
  'sign_in',
  'paused',
  'disconnected',
] as const
/** What becomes of senders who are unknown. */
export const unknownSenderRules = ['nothing', 'person', 'lead'] as const
/** Whether agents may send by a channel, or only propose messages that a person approves. */
export const agentRules = ['draft', 'send'] as const
export const mailboxProviders = ['google', 'microsoft'] as const
/** How much of a mailbox is read at first. */
export const firstSyncDays = 90
export const mostChannels = 100

const host = z
  .string()
  .trim()
  .toLowerCase()
  .min(1, 'Enter the name of the server, such as imap.example.com')
  .max(253)
  .regex(/^[a-z0-9.:-]+$/, 'Use a server name such as imap.example.com')

const Server = z.strictObject({
  host,
  port: z.int().min(1).max(65_535),
  security: z.enum(mailSecurities).describe('tls (implicit), starttls or none'),
})

const mailbox = {
  imap: Server.describe('Where messages are read'),
  smtp: Server.describe('Where messages are sent'),
  username: z.string().trim().min(1, 'Enter the user name').max(254),
}

const Folder = z
  .strictObject({
    path: z.string(),
    role: z.enum(['inbox', 'sent', 'archive', 'other']),
    server_count: z.int().nullable().describe('Messages on the server in the period that is read; null: not known yet'),
    our_count: z.int().describe('Of those, here'),
    faults: z.int().describe('Of those, set aside because they could not be read'),
    last_uid: z.int(),
    last_success_at: moment.nullable(),
    last_error: z.string().nullable(),
    last_error_at: moment.nullable(),
  })
  .meta({ id: 'ChannelFolder' })

const joinsSubjects =
  'A message without references joins a conversation of the last 7 days with the same sender and subject. Otherwise, the conversation is only suggested'

export const senderNames = ['channel', 'person'] as const
const senderName = z
  .enum(senderNames)
  .describe('Of mailboxes of the team, whose name recipients see: "Sales", or "Ada Lovelace (Sales)"')

export const Channel = z
  .strictObject({
    id,
    kind: z.enum(channelKinds),
    name: z.string(),
    address: z.string().describe('What outsiders write to; of a chat, the sites that show it. Empty for some gateways'),
    owner_id: id.nullable().describe('Only this user reads it; null: for the team'),
    is_shared: z.boolean().describe('The owner lets everyone read it'),
    is_mine: z.boolean(),
    sender_name: senderName,
    signature: z.string().describe('Markdown, added to messages'),
    unknown_senders: z.enum(unknownSenderRules),
    joins_subjects: z.boolean().describe(joinsSubjects),
    agents: z.enum(agentRules),
    hourly_limit: z.int(),
    state: z.enum(channelStates),
    state_reason: z.string().nullable().describe('What is wrong and what to do'),
    created_at: moment,
  })
  .meta({ id: 'Channel' })

const Gateway = z
  .strictObject({
    post_address: z.string().nullable().describe('Where a program of yours posts messages, states and edits'),
    fetch_address: z.string().nullable().describe('Where it fetches outgoing messages'),
    webhook_url: z.string().nullable().describe('Where outgoing messages are posted; null: the gateway fetches them'),
    last_received_at: moment.nullable(),
    last_delivered_at: moment.nullable(),
    last_error: z.string().nullable().describe('What went wrong last, and what to do'),
    last_error_at: moment.nullable(),
    recovered_at: moment.nullable().describe('Since then, it works again; null: not yet, or nothing went wrong'),
    setup: z.array(z.strictObject({ label: z.string(), value: z.string() })).describe('What to copy to the provider'),
    old_secret_expires_at: moment.nullable().describe('Until then, the secret before this one counts, too'),
  })
  .meta({ id: 'ChannelGateway' })

export const ChannelDetails = Channel.extend({
  imap: Server.nullable(),
  smtp: Server.nullable(),
  username: z.string().nullable(),
  provider: z.enum(mailboxProviders).nullable().describe('Signed in there instead of with a password'),
  has_plus_addresses: z.boolean().describe('Replies go to an address that names their conversation: name+…@domain'),
  folders: z.array(Folder),
  faults: z.int().describe('Messages that could not be read and were set aside'),
  waiting: z.int().describe('Messages that wait to be sent'),
  job_id: id.nullable().describe('The job that reads the mailbox for the first time, while it runs'),
  gateway: Gateway.nullable().describe('Of channels that a gateway serves'),
}).meta({ id: 'ChannelDetails' })

const rules = {
  signature: z.string().max(10_000),
  unknown_senders: z.enum(unknownSenderRules).describe('What becomes of senders who are unknown'),
  agents: z.enum(agentRules).describe('Agents may send, or only propose messages that a person approves'),
  hourly_limit: z.int().min(1).max(10_000).describe('Most messages in an hour; others wait'),
}

const one = { id: id.describe('Channel ID') }
const secret = z.string().min(1, 'Enter the password').max(500).describe('Stored encrypted and never shown')

/** Everyone manages personal channels of their own; those of the team need the grant channels.manage. */
export const channels = {
  listChannels: operation({
    summary: 'List the channels of the team, your own and those shared with you',
    http: 'GET /channels',
    access: 'member',
    effect: 'read',
    input: nothing,
    output: z.strictObject({ items: z.array(Channel) }).meta({ id: 'ChannelList' }),
  }),
  getChannel: operation({
    summary: 'Get a channel with the true state of its folders',
    http: 'GET /channels/:id',
    access: 'member',
    effect: 'read',
    input: z.strictObject(one),
    output: ChannelDetails,
  }),
  connectMailbox: operation({
    summary: 'Connect a mailbox by IMAP and SMTP. It is tried before it is saved',
    http: 'POST /channels/mailboxes',
    access: 'member',
    webOnly: true,
    effect: 'add',
    openWorld: true,
    input: z.strictObject({
      name: nameOf('Enter a name'),
      address: email,
      is_personal: z.boolean().describe('Only you read it; otherwise it is for the team'),
      ...mailbox,
      password: secret,
      signature: rules.signature.default(''),
      unknown_senders: rules.unknown_senders.default('nothing'),
    }),
    output: Channel,
  }),
  findMailServers: operation({
    summary: 'Suggest the servers of a mailbox by its address',
    http: 'GET /mail-servers',
    access: 'member',
    webOnly: true,
    effect: 'read',
    input: z.strictObject({ address: email }),
    output: z
      .strictObject({
        imap: Server,
        smtp: Server,
        note: z.string().nullable().describe('What this provider needs, such as an app password'),
        provider: z.enum(mailboxProviders).nullable().describe('Can be connected by signing in there'),
      })
      .meta({ id: 'MailServers' }),
  }),
  listMailboxProviders: operation({
    summary: 'List where people can sign in to connect a mailbox',
    http: 'GET /mailbox-providers',
    access: 'member',
    webOnly: true,
    effect: 'read',
    input: nothing,
    output: z
      .strictObject({
        items: z.array(
          z.strictObject({
            provider: z.enum(mailboxProviders),
            is_set_up: z.boolean().describe('The installation has a client ID there'),
            redirect_address: z.string().describe('To be registered there'),
            scopes: z.array(z.string()),
          }),
        ),
      })
      .meta({ id: 'MailboxProviders' }),
  }),
  beginMailboxSignIn: operation({
    summary: 'Begin to connect a mailbox by signing in at Google or Microsoft',
    http: 'POST /channels/sign-in',
    access: 'member',
    webOnly: true,
    effect: 'add',
    status: 200,
    input: z.strictObject({
      provider: z.enum(mailboxProviders),
      name: nameOf('Enter a name').optional(),
      is_personal: z.boolean().default(true),
      channel_id: id.optional().describe('Signs in again for this channel'),
    }),
    output: z.strictObject({ address: z.string().describe('Where to go') }),
    secret: true,
  }),
  endMailboxSignIn: operation({
    summary: 'Where the browser returns after signing in at Google or Microsoft',
    http: 'GET /mailboxes/signed-in',
    mount: 'public',
    access: 'public',
    effect: 'read',
    page: true,
    input: z.strictObject({
      state: z.string().max(2000).optional(),
      code: z.string().max(4000).optional(),
      error: z.string().max(500).optional(),
      error_description: z.string().max(2000).optional(),
      scope: z.string().max(2000).optional(),
      session_state: z.string().max(500).optional(),
      iss: z.string().max(500).optional(),
      authuser: z.string().max(100).optional(),
      prompt: z.string().max(100).optional(),
      hd: z.string().max(255).optional(),
    }),
    output: pageAnswer,
  }),
  finishMailboxSignIn: operation({
    summary: 'Connect the mailbox that was signed in to',
    http: 'POST /channels/signed-in',
    access: 'member',
    webOnly: true,
    effect: 'add',
    openWorld: true,
    input: z.strictObject({ state: z.string().min(1).max(2000), code: z.string().min(1).max(4000) }),
    output: Channel,
  }),
  updateChannel: operation({
    summary: 'Update a channel',
    http: 'PATCH /channels/:id',
    access: 'member',
    webOnly: true,
    effect: 'change',
    openWorld: true,
    input: z.strictObject({
      ...one,
      name: nameOf('Enter a name').optional(),
      is_shared: z.boolean().optional().describe('Only its owner can share a personal channel'),
      is_paused: z.boolean().optional(),
      sender_name: senderName.optional(),
      signature: rules.signature.optional(),
      unknown_senders: rules.unknown_senders.optional(),
      joins_subjects: z.boolean().optional().describe(joinsSubjects),
      agents: rules.agents.optional(),
      hourly_limit: rules.hourly_limit.optional(),
      has_plus_addresses: z
        .boolean()
        .optional()
        .describe('Replies go to name+…@domain. Before it is turned on, a message is sent there and must arrive'),
      imap: Server.optional(),
      smtp: Server.optional(),
      username: mailbox.username.optional(),
      password: secret.optional(),
    }),
    output: ChannelDetails,
  }),
  disconnectChannel: operation({
    summary: 'Disconnect a channel. Its messages stay unless you delete them, too',
    http: 'DELETE /channels/:id',
    access: 'member',
    webOnly: true,
    effect: 'destroy',
    input: z.strictObject({ ...one, messages: z.enum(['keep', 'delete']).default('keep') }),
    output: nothing,
  }),
  syncChannel: operation({
    summary: 'Read a channel now instead of waiting',
    http: 'POST /channels/:id/sync',
    access: 'member',
    effect: 'change',
    input: z.strictObject(one),
    output: Channel,
  }),
  listChannelFaults: operation({
    summary: 'List messages that could not be read and were set aside, newest first',
    http: 'GET /channels/:id/faults',
    access: 'member',
    effect: 'read',
    input: z.strictObject({ ...one, ...page }),
    output: pageOf(
      z.strictObject({
        id,
        folder: z.string().nullable(),
        uid: z.int().nullable(),
        reason: z.string(),
        at: moment,
        has_source: z.boolean(),
      }),
    ).meta({ id: 'ChannelFaultPage' }),
  }),
}
