import * as z from 'zod'
import { channelKinds } from './built-in/channel-kinds.ts'
import { mailSecurities } from './mail.ts'
import { operation, pageAnswer } from './operation.ts'
import { email, id, moment, nameOf, nothing, page, pageOf } from './shared/shapes.ts'

export * from './built-in/channel-kinds.ts'

/** synced: Kith has everything that is on the server. sign_in: someone must sign in again. */
export const channelStates = [
  'connecting',
  'syncing',
  'synced',
  'failing',
  'sign_in',
  'paused',
  'disconnected',
] as const
/** How unknown senders are handled. */
export const unknownSenderRules = ['nothing', 'person', 'lead'] as const
/** Whether agents may send through a channel, or only propose messages that a person approves. */
export const agentRules = ['draft', 'send'] as const
export const mailboxProviders = ['google', 'microsoft'] as const
/** How far back the first sync of a mailbox reads. */
export const firstSyncDays = 90
export const mostChannels = 100

const host = z
  .string()
  .trim()
  .toLowerCase()
  .min(1, 'Enter a server name such as imap.example.com')
  .max(253)
  .regex(/^[a-z0-9.:-]+$/, 'Use a server name such as imap.example.com')

const Server = z.strictObject({
  host,
  port: z.int().min(1).max(65_535),
  security: z.enum(mailSecurities).describe('tls (implicit TLS), starttls or none'),
})

const mailbox = {
  imap: Server.describe('Incoming mail server'),
  smtp: Server.describe('Outgoing mail server'),
  username: z.string().trim().min(1, 'Enter the user name').max(254),
}

const Folder = z
  .strictObject({
    path: z.string(),
    role: z.enum(['inbox', 'sent', 'archive', 'other']),
    server_count: z.int().nullable().describe('Messages on the server in the synced period; null: not known yet'),
    our_count: z.int().describe('Of these, messages in Kith'),
    faults: z.int().describe('Of these, messages that could not be read'),
    last_uid: z.int(),
    last_success_at: moment.nullable(),
    last_error: z.string().nullable(),
    last_error_at: moment.nullable(),
  })
  .meta({ id: 'ChannelFolder' })

const joinsSubjects =
  'Adds a message without references to a conversation from the last 7 days with the same sender and subject. If off, the conversation is only suggested'

export const senderNames = ['channel', 'person'] as const
const senderName = z
  .enum(senderNames)
  .describe('For team mailboxes: the name that recipients see, "Sales" (channel) or "Ada Lovelace (Sales)" (person)')

export const Channel = z
  .strictObject({
    id,
    kind: z.enum(channelKinds),
    name: z.string(),
    address: z
      .string()
      .describe('The address people write to; for a chat, the sites that show it. Empty for some gateways'),
    owner_id: id.nullable().describe('Only this user can read it; null: a team channel'),
    is_shared: z.boolean().describe('Everyone can read it'),
    is_mine: z.boolean(),
    sender_name: senderName,
    signature: z.string().describe('In Markdown, added to messages'),
    unknown_senders: z.enum(unknownSenderRules),
    joins_subjects: z.boolean().describe(joinsSubjects),
    agents: z.enum(agentRules),
    hourly_limit: z.int(),
    state: z.enum(channelStates),
    state_reason: z.string().nullable().describe('The problem and how to fix it'),
    created_at: moment,
  })
  .meta({ id: 'Channel' })

const Gateway = z
  .strictObject({
    post_address: z.string().nullable().describe('URL to which your app posts messages, states and edits'),
    fetch_address: z.string().nullable().describe('URL from which your app fetches outgoing messages'),
    webhook_url: z
      .string()
      .nullable()
      .describe('URL to which outgoing messages are posted; null: your app fetches them'),
    last_received_at: moment.nullable(),
    last_delivered_at: moment.nullable(),
    last_error: z.string().nullable().describe('The last error and how to fix it'),
    last_error_at: moment.nullable(),
    recovered_at: moment.nullable().describe('When it started working again; null: still failing, or never failed'),
    setup: z
      .array(z.strictObject({ label: z.string(), value: z.string() }))
      .describe("Values to enter in the provider's console"),
    old_secret_expires_at: moment.nullable().describe('Until then, the previous secret also works'),
  })
  .meta({ id: 'ChannelGateway' })

export const ChannelDetails = Channel.extend({
  imap: Server.nullable(),
  smtp: Server.nullable(),
  username: z.string().nullable(),
  provider: z
    .enum(mailboxProviders)
    .nullable()
    .describe('Connected by signing in with this provider instead of a password'),
  has_plus_addresses: z
    .boolean()
    .describe('Replies go to an address that identifies their conversation: name+…@domain'),
  folders: z.array(Folder),
  faults: z.int().describe('Messages that could not be read'),
  waiting: z.int().describe('Messages waiting to be sent'),
  job_id: id.nullable().describe('The job of the first sync, while it runs'),
  gateway: Gateway.nullable().describe('For channels served by a gateway'),
}).meta({ id: 'ChannelDetails' })

const rules = {
  signature: z.string().max(10_000),
  unknown_senders: z
    .enum(unknownSenderRules)
    .describe('How unknown senders are handled: nothing, add a person or add a lead'),
  agents: z.enum(agentRules).describe('send: agents may send. draft: they propose messages that a person approves'),
  hourly_limit: z.int().min(1).max(10_000).describe('Maximum messages per hour; the rest are queued'),
}

const one = { id: id.describe('Channel ID') }
const secret = z.string().min(1, 'Enter the password').max(500).describe('Stored encrypted and never shown')

/** Everyone manages their own personal channels; team channels require the grant channels.manage. */
export const channels = {
  listChannels: operation({
    summary: 'List team channels, your own channels and those shared with you',
    http: 'GET /channels',
    access: 'member',
    effect: 'read',
    input: nothing,
    output: z.strictObject({ items: z.array(Channel) }).meta({ id: 'ChannelList' }),
  }),
  getChannel: operation({
    summary: 'Get a channel with the sync status of its folders',
    http: 'GET /channels/:id',
    access: 'member',
    effect: 'read',
    input: z.strictObject(one),
    output: ChannelDetails,
  }),
  connectMailbox: operation({
    summary: 'Connect a mailbox via IMAP and SMTP. The connection is tested first',
    http: 'POST /channels/mailboxes',
    access: 'member',
    webOnly: true,
    effect: 'add',
    openWorld: true,
    input: z.strictObject({
      name: nameOf('Enter a name'),
      address: email,
      is_personal: z.boolean().describe('true: only you can read it. false: a team mailbox'),
      ...mailbox,
      password: secret,
      signature: rules.signature.default(''),
      unknown_senders: rules.unknown_senders.default('nothing'),
    }),
    output: Channel,
  }),
  getMailServers: operation({
    summary: 'Suggest mail servers for an email address',
    http: 'GET /mail-servers',
    replaces: [{ name: 'findMailServers' }],
    access: 'member',
    webOnly: true,
    effect: 'read',
    input: z.strictObject({ address: email }),
    output: z
      .strictObject({
        imap: Server,
        smtp: Server,
        note: z.string().nullable().describe('What this provider requires, such as an app password'),
        provider: z.enum(mailboxProviders).nullable().describe('Supports connecting by signing in with this provider'),
      })
      .meta({ id: 'MailServers' }),
  }),
  listMailboxProviders: operation({
    summary: 'List sign-in providers for mailboxes',
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
            is_set_up: z.boolean().describe('Whether a client ID for this provider is configured'),
            redirect_address: z.string().describe('Redirect URI to register with the provider'),
            scopes: z.array(z.string()),
          }),
        ),
      })
      .meta({ id: 'MailboxProviders' }),
  }),
  startMailboxSignIn: operation({
    summary: 'Start connecting a mailbox with Google or Microsoft',
    http: 'POST /channels/sign-in',
    replaces: [{ name: 'beginMailboxSignIn' }],
    access: 'member',
    webOnly: true,
    effect: 'add',
    status: 200,
    input: z.strictObject({
      provider: z.enum(mailboxProviders),
      name: nameOf('Enter a name').optional(),
      is_personal: z.boolean().default(true),
      channel_id: id.optional().describe('The channel to sign in to again'),
    }),
    output: z.strictObject({ address: z.string().describe('URL to open in the browser') }),
    secret: true,
  }),
  getMailboxSignInPage: operation({
    summary: 'Handle the OAuth redirect from Google or Microsoft',
    http: 'GET /mailboxes/signed-in',
    replaces: [{ name: 'endMailboxSignIn' }],
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
  completeMailboxSignIn: operation({
    summary: 'Connect a mailbox after signing in with its provider',
    http: 'POST /channels/signed-in',
    replaces: [{ name: 'finishMailboxSignIn' }],
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
        .describe(
          'Replies go to name+…@domain. Turning it on sends a test message to such an address, which must arrive',
        ),
      imap: Server.optional(),
      smtp: Server.optional(),
      username: mailbox.username.optional(),
      password: secret.optional(),
    }),
    output: ChannelDetails,
  }),
  disconnectChannel: operation({
    summary: 'Disconnect a channel. Its messages are kept unless you delete them',
    http: 'DELETE /channels/:id',
    access: 'member',
    webOnly: true,
    effect: 'destroy',
    input: z.strictObject({ ...one, messages: z.enum(['keep', 'delete']).default('keep') }),
    output: nothing,
  }),
  syncChannel: operation({
    summary: 'Sync a channel now',
    http: 'POST /channels/:id/sync',
    access: 'member',
    effect: 'change',
    input: z.strictObject(one),
    output: Channel,
  }),
  listChannelErrors: operation({
    summary: 'List messages of a channel that could not be read, newest first',
    http: 'GET /channels/:id/errors',
    replaces: [{ name: 'listChannelFaults', http: 'GET /channels/:id/faults' }],
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
