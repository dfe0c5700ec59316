// Channels in the form that the API returns.
import { sql } from 'kysely'
import { channelKinds, type channels } from '../../../contract/channels.ts'
import type { Output } from '../../../contract/operation.ts'
import { actorOf, type Context } from '../../kernel/context.ts'
import { formIdOf } from '../../website/public-id.ts'
import { senderNameOf } from './channel.ts'
import type { VisibleChannel } from './find.ts'
import { folderStates } from './folders.ts'

export type Channel = Output<typeof channels.connectMailbox>
type Details = Output<typeof channels.getChannel>

const isKnownKind = (kind: string): kind is Channel['kind'] => (channelKinds as readonly string[]).includes(kind)

/** A chat is known by the sites that show it. */
const sitesOf = ({ settings }: VisibleChannel) =>
  ((settings as { allowed_origins?: string[] }).allowed_origins ?? [])
    .map((origin) => origin.replace(/^https?:\/\//, ''))
    .join(', ')

export const describeChannel = (context: Context, row: VisibleChannel): Channel => ({
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

export async function describeWithDetails(context: Context, baseUrl: URL, row: VisibleChannel): Promise<Details> {
  const { company_id, id } = row
  const settings = row.settings as Partial<Details>
  const { imap = null, smtp = null, username = null, provider = null, has_plus_addresses = false } = settings
  const folders = await folderStates(context.db, row)
  const { rows } = await sql<{ faults: number; waiting: number; job_id: string | null }>`select
      (select count(*)::int from channel_faults where company_id = ${company_id} and channel_id = ${id}) as faults,
      (select count(*)::int from messages where company_id = ${company_id} and channel_id = ${id} and send_at is not null) as waiting,
      (select id from jobs where company_id = ${company_id} and kind = 'mailbox_sync' and state in ('waiting', 'running')
        and input ->> 'channel_id' = ${id} limit 1) as job_id`.execute(context.db)
  return {
    ...describeChannel(context, row),
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

function gatewayOf(baseUrl: URL, row: VisibleChannel): Details['gateway'] {
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
