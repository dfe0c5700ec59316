import { sql } from 'kysely'
import { channelKinds, channels } from '../../../contract/channels.ts'
import type { Parsed } from '../../../contract/operation.ts'
import { own } from '../../../contract/shared/own.ts'
import { onlyReaderOf } from '../../inbox/access/announce.ts'
import type { ChannelKinds } from '../../inbox/channels/channel.ts'
import { describeChannel, describeWithDetails } from '../../inbox/channels/describe.ts'
import { findChannel, ownChannel, type VisibleChannel, visibleChannels } from '../../inbox/channels/find.ts'
import { AppError } from '../../kernel/app-error.ts'
import { actorOf, type Context } from '../../kernel/context.ts'
import { newestFirst } from '../../kernel/page.ts'
import { type Handlers, prepared } from '../../kernel/run.ts'
import type { Log } from '../../platform/log.ts'
import type { Vault } from '../../platform/vault.ts'
import { addMailbox, canConnectAgain, connectAgain, refuseDouble, refuseTeam, requestSync } from './add.ts'
import type { Credentials } from './connect.ts'
import { credentialsOf } from './credentials.ts'
import { serversFor } from './find-servers.ts'
import { type MailboxServices, type MailboxSettings, mailboxOf, sealSecrets } from './mailbox.ts'
import { tryPlusAddresses } from './plus-addresses.ts'
import { signInOperations } from './sign-in-operations.ts'
import { tryMailbox } from './try-connection.ts'

type Services = { mailboxes: MailboxServices; baseUrl: URL; channelKinds: ChannelKinds; log: Log }

export const mailboxOperations = ({
  mailboxes,
  baseUrl,
  channelKinds: kinds,
  log,
}: Services): Handlers<typeof channels> => ({
  ...signInOperations(mailboxes),

  async listChannels(context) {
    return { items: (await visibleChannels(context)).map((row) => describeChannel(context, row)) }
  },

  getChannel: async (context, { id }) => describeWithDetails(context, baseUrl, await findChannel(context, id)),

  getMailServers: async (_context, { address }) => serversFor(address),

  connectMailbox: prepared(
    channels.connectMailbox,
    async (context, input) => {
      refuseTeam(context, input.is_personal)
      const { imap, smtp, username, password } = input
      await tryMailbox(context, mailboxes, { imap, smtp, credentials: { username, password } })
    },
    async (context, { password, imap, smtp, username, ...values }) => {
      const settings = { imap, smtp, username, provider: null }
      return describeChannel(
        context,
        await addMailbox(context, mailboxes, { ...values, settings, secrets: { password } }),
      )
    },
  ),

  updateChannel: prepared(
    channels.updateChannel,
    async (context, input) => {
      const row = await ownChannel(context, input.id)
      if (isGateway(row.kind) && changesSettings(input))
        throw new AppError('conflict', 'This channel is not a mailbox.')
      if (row.disconnected_at && !input.password) throw stillDisconnected()
      if (changesServers(input)) await tryChanged(context, mailboxes, row, input)
      if (turnsOnPlusAddresses(row, input)) await tryPlusAddresses(context, mailboxes, mailboxOf(row))
    },
    async (context, input) => {
      const row = await ownChannel(context, input.id)
      await change(context, mailboxes, row, input)
      return describeWithDetails(context, baseUrl, await findChannel(context, input.id))
    },
  ),

  async syncChannel(context, { id }) {
    const row = await findChannel(context, id)
    if (row.disconnected_at) throw stillDisconnected()
    await requestSync(context, row)
    return describeChannel(context, row)
  },

  disconnectChannel: prepared(
    channels.disconnectChannel,
    async (context, { id }) => {
      const row = await ownChannel(context, id)
      // A provider that cannot be reached must not keep someone from disconnecting.
      if (!row.disconnected_at)
        await own(kinds, row.kind)
          ?.disconnect?.(row)
          .catch((err) =>
            log.warn({ err, channel_id: id }, 'a provider was not notified that a channel was disconnected'),
          )
    },
    async (context, { id, messages }) => {
      const row = await ownChannel(context, id)
      const { company_id } = row
      const isDeleted = messages === 'delete'
      await sql`update channels set state = 'disconnected', state_reason = null, state_at = ${context.now},
          disconnected_at = coalesce(disconnected_at, ${context.now}), secrets = null,
          settings = case when ${isDeleted} then '{"is_deleted": true}'::jsonb else settings end
        where company_id = ${company_id} and id = ${id}`.execute(context.db)
      context.emit('channel.changed', { channel_id: id, user_id: onlyReaderOf(row) })
      context.emit('channel.disconnected', { channel_id: id })
      context.audit('channel.disconnected', { target_id: id, data: { address: row.address, messages } })
      return {}
    },
  ),

  async listChannelErrors(context, { id, limit, cursor }) {
    await ownChannel(context, id)
    const query = context.db
      .selectFrom('channel_faults')
      .select(['id', 'path as folder', 'reason', 'at'])
      .select([sql<number | null>`uid::float8`.as('uid'), sql<boolean>`source is not null`.as('has_source')])
      .where('company_id', '=', actorOf(context).company_id)
      .where('channel_id', '=', id)
    const { items, next_cursor } = await newestFirst(query, 'id', { limit, cursor })
    return { items: items.map((fault) => ({ ...fault, at: fault.at.toISOString() })), next_cursor }
  },
})

const isGateway = (kind: string) => kind !== 'email' && (channelKinds as readonly string[]).includes(kind)

type Changes = Parsed<typeof channels.updateChannel>

const changesServers = ({ imap, smtp, username, password }: Changes) => Boolean(imap || smtp || username || password)

const changesSettings = (changes: Changes) =>
  changesServers(changes) || changes.has_plus_addresses !== undefined || changes.sender_name !== undefined

const turnsOnPlusAddresses = ({ settings, disconnected_at }: VisibleChannel, { has_plus_addresses }: Changes) =>
  has_plus_addresses && !(settings as MailboxSettings).has_plus_addresses && !disconnected_at

// A saved password cannot be read, but sending it to an attacker's server would reveal it.
async function tryChanged(context: Context, services: MailboxServices, row: VisibleChannel, changes: Changes) {
  const { imap, smtp, username, provider } = settingsAfter(row, changes)
  const before = row.settings as MailboxSettings
  const isElsewhere = [imap.host !== before.imap?.host, smtp.host !== before.smtp?.host, username !== before.username]
  if (!changes.password && isElsewhere.includes(true)) {
    const message = 'Enter the password again, because a server or the user name has changed'
    throw new AppError('invalid_input', message, { errors: [{ path: 'password', message }] })
  }
  if (provider && changes.password)
    throw new AppError('conflict', 'This mailbox is connected by signing in. Sign in again instead.')
  const credentials: Credentials = changes.password
    ? { username, password: changes.password }
    : await credentialsOf(context.db, services, mailboxOf(row))
  await tryMailbox(context, services, { imap, smtp, credentials })
}

const settingsAfter = ({ settings }: VisibleChannel, changes: Changes): MailboxSettings => {
  const { imap, smtp, username, has_plus_addresses, sender_name } = changes
  return {
    ...(settings as MailboxSettings),
    ...(imap && { imap }),
    ...(smtp && { smtp }),
    ...(username && { username }),
    ...(has_plus_addresses !== undefined && { has_plus_addresses }),
    ...(sender_name && { sender_name }),
  }
}

const stillDisconnected = () => new AppError('conflict', 'This channel is disconnected. Connect it again first.')

async function reconnect(context: Context, vault: Vault, row: VisibleChannel, changes: Changes) {
  const { password } = changes
  if (!password || !canConnectAgain(row)) throw stillDisconnected()
  const settings = settingsAfter(row, changes)
  await refuseDouble(context, row.address, settings)
  const secrets = sealSecrets(vault, row, { password })
  await connectAgain(context, row, { settings, secrets })
}

async function change(context: Context, { vault }: MailboxServices, row: VisibleChannel, changes: Changes) {
  const { company_id, id } = row
  const { name, is_shared, is_paused, signature, unknown_senders, joins_subjects, agents, hourly_limit, password } =
    changes
  if (row.disconnected_at) await reconnect(context, vault, row, changes)
  if (is_shared !== undefined && row.owner_id === null)
    throw new AppError('conflict', 'Team channels are already shared.')
  const state = row.disconnected_at
    ? 'connecting'
    : is_paused === undefined
      ? row.state
      : is_paused
        ? 'paused'
        : row.state === 'paused'
          ? 'connecting'
          : row.state
  await context.db
    .updateTable('channels')
    .set({
      ...(name !== undefined && { name }),
      ...(is_shared !== undefined && { is_shared }),
      ...(signature !== undefined && { signature }),
      ...(unknown_senders !== undefined && { unknown_senders }),
      ...(joins_subjects !== undefined && { joins_subjects }),
      ...(agents !== undefined && { agents }),
      ...(hourly_limit !== undefined && { hourly_limit }),
      ...(state !== row.state && { state, state_reason: null, state_at: context.now }),
      ...(password && { secrets: sealSecrets(vault, row, { password }) }),
      ...(changesSettings(changes) && { settings: JSON.stringify(settingsAfter(row, changes)) }),
    })
    .where('company_id', '=', company_id)
    .where('id', '=', id)
    .execute()
  if (changesServers(changes) || state !== row.state) await requestSync(context, row)
  // Also for pages of those who could read it until now.
  const isKnown = row.is_shared || is_shared === true
  context.emit('channel.changed', { channel_id: id, user_id: isKnown ? null : row.owner_id })
  const { password: _, id: __, ...data } = changes
  context.audit('channel.updated', { target_id: id, data: { ...data, ...(password && { password: 'changed' }) } })
}
