// Channels as callers may see and manage them.
import { sql } from 'kysely'
import { channelKinds, type channels } from '../../../contract/channels.ts'
import type { Output } from '../../../contract/operation.ts'
import { type ChannelRow, senderNameOf } from '../../inbox/channels/channel.ts'
import { AppError } from '../../kernel/app-error.ts'
import { actorOf, type Context, may } from '../../kernel/context.ts'
import { formIdOf } from '../../website/public-id.ts'
import type { MailboxSettings } from './mailbox.ts'
import { folderStates } from './state.ts'

export type Channel = Output<typeof channels.connectMailbox>
type Details = Output<typeof channels.getChannel>

export type Row = ChannelRow & {
  is_shared: boolean
  signature: string
  unknown_senders: string
  joins_subjects: boolean
  agents: string
  hourly_limit: number
  state: string
  state_reason: string | null
  created_at: Date
  disconnected_at: Date | null
  last_received_at: Date | null
  last_delivered_at: Date | null
  last_error: string | null
  last_error_at: Date | null
  recovered_at: Date | null
}

/** Those of the team, one's own and those that are shared. Admins get no others. */
export async function visibleChannels(context: Pick<Context, 'actor' | 'db'>, id?: string) {
  const { db } = context
  const { company_id, user_id } = actorOf(context)
  const { rows } = await sql<Row>`
    select company_id, id, kind, name, address, owner_id, is_shared, settings, secrets, signature, unknown_senders, joins_subjects,
      agents,      hourly_limit, state, state_reason, created_at, disconnected_at, last_received_at, last_delivered_at, last_error, last_error_at, recovered_at
    from channels where company_id = ${company_id} and deleted_at is null
      and (owner_id is null or owner_id = ${user_id} or is_shared) and (${id ?? null}::uuid is null or id = ${id ?? null})
    order by disconnected_at is not null, owner_id is not null, id`.execute(db)
  return rows
}

export async function findChannel(context: Context, id: string) {
  const [row] = await visibleChannels(context, id)
  if (row) return row
  throw new AppError('not_found', 'Channel not found. It may have been disconnected, or it is private.')
}

/** One that the caller may change: their own, or the team's with the permission for it. */
export async function ownChannel(context: Context, id: string) {
  const row = await findChannel(context, id)
  const actor = actorOf(context)
  if (row.owner_id === null ? may(actor, 'channels.manage') : row.owner_id === actor.user_id) return row
  throw new AppError(
    'forbidden',
    row.owner_id === null
      ? 'You need the permission to manage channels.'
      : 'This is the mailbox of someone else. Only they can change it.',
  )
}

const isKnownKind = (kind: string): kind is Channel['kind'] => (channelKinds as readonly string[]).includes(kind)

/** A chat is known by the sites that show it. */
const sitesOf = ({ settings }: Row) =>
  ((settings as { allowed_origins?: string[] }).allowed_origins ?? [])
    .map((origin) => origin.replace(/^https?:\/\//, ''))
    .join(', ')

export const shown = (context: Context, row: Row): Channel => ({
  id: row.id,
  kind: isKnownKind(row.kind) ? row.kind : 'email',
  name: row.name,
  address: row.kind === 'chat' ? sitesOf(row) : row.address,
  owner_id: row.owner_id,
  is_shared: row.is_shared,
  is_mine: row.owner_id === actorOf(context).user_id,
  sender_name: senderNameOf(row),
  signature: row.signature,
  unknown_senders: row.unknown_senders as Channel['unknown_senders'],
  joins_subjects: row.joins_subjects,
  agents: row.agents as Channel['agents'],
  hourly_limit: row.hourly_limit,
  state: row.state as Channel['state'],
  state_reason: row.state_reason,
  created_at: row.created_at.toISOString(),
})

export async function shownDetails(context: Context, baseUrl: URL, row: Row): Promise<Details> {
  const { company_id, id } = row
  const settings = row.settings as Partial<MailboxSettings>
  const { imap = null, smtp = null, username = null, provider = null, has_plus_addresses = false } = settings
  const folders = await folderStates(context.db, row)
  const { rows } = await sql<{ faults: number; waiting: number; job_id: string | null }>`select
      (select count(*)::int from channel_faults where company_id = ${company_id} and channel_id = ${id}) as faults,
      (select count(*)::int from messages where company_id = ${company_id} and channel_id = ${id} and send_at is not null) as waiting,
      (select id from jobs where company_id = ${company_id} and kind = 'mailbox_sync' and state in ('waiting', 'running')
        and input ->> 'channel_id' = ${id} limit 1) as job_id`.execute(context.db)
  return {
    ...shown(context, row),
    imap,
    smtp,
    username,
    provider,
    has_plus_addresses,
    ...rows[0]!,
    gateway: row.kind === 'email' || row.kind === 'chat' ? null : gatewayOf(baseUrl, row),
    folders: folders.map((folder) => ({
      ...folder,
      last_success_at: folder.last_success_at?.toISOString() ?? null,
      last_error_at: folder.last_error_at?.toISOString() ?? null,
    })),
  }
}

function gatewayOf(baseUrl: URL, row: Row): Details['gateway'] {
  const {
    webhook_url = null,
    old_secret_expires_at = null,
    verify_token = '',
  } = row.settings as {
    webhook_url?: string | null
    old_secret_expires_at?: string | null
    verify_token?: string
  }
  const addressOf = (path: string) =>
    new URL(`/public/channels/${formIdOf(row.company_id, row.id)}/${path}`, baseUrl).href
  return {
    post_address: row.kind === 'api' ? addressOf('messages') : null,
    fetch_address: row.kind === 'api' ? addressOf('outgoing') : null,
    setup: [
      ...(row.kind === 'sms' ? [{ label: 'A message comes in', value: addressOf('twilio') }] : []),
      ...(row.kind === 'whatsapp'
        ? [
            { label: 'Callback URL', value: addressOf('whatsapp') },
            { label: 'Verify token', value: verify_token },
          ]
        : []),
    ],
    webhook_url,
    old_secret_expires_at,
    last_error: row.last_error,
    last_received_at: row.last_received_at?.toISOString() ?? null,
    last_delivered_at: row.last_delivered_at?.toISOString() ?? null,
    last_error_at: row.last_error_at?.toISOString() ?? null,
    recovered_at: row.recovered_at?.toISOString() ?? null,
  }
}
