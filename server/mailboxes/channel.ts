// Channels as callers may see and manage them.
import { sql } from 'kysely'
import type { channels } from '../../contract/channels.ts'
import type { Output } from '../../contract/operation.ts'
import type { ChannelRow } from '../inbox/channel.ts'
import { AppError } from '../kernel/app-error.ts'
import { actorOf, type Context, may } from '../kernel/context.ts'
import type { MailboxSettings } from './mailbox.ts'
import { folderStates } from './state.ts'

export type Channel = Output<typeof channels.connectMailbox>
type Details = Output<typeof channels.getChannel>

export type Row = ChannelRow & {
  is_shared: boolean
  signature: string
  unknown_senders: string
  agents: string
  hourly_limit: number
  state: string
  state_reason: string | null
  created_at: Date
  disconnected_at: Date | null
}

/** Those of the team, one's own and those that are shared. Admins get no others. */
export async function visibleChannels({ db, ...context }: Context, id?: string) {
  const { company_id, user_id } = actorOf(context as Context)
  const { rows } = await sql<Row>`
    select company_id, id, kind, name, address, owner_id, is_shared, settings, secrets, signature, unknown_senders, agents,
      hourly_limit, state, state_reason, created_at, disconnected_at
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

export const shown = (context: Context, row: Row): Channel => ({
  id: row.id,
  kind: row.kind as Channel['kind'],
  name: row.name,
  address: row.address,
  owner_id: row.owner_id,
  is_shared: row.is_shared,
  is_mine: row.owner_id === actorOf(context).user_id,
  signature: row.signature,
  unknown_senders: row.unknown_senders as Channel['unknown_senders'],
  agents: row.agents as Channel['agents'],
  hourly_limit: row.hourly_limit,
  state: row.state as Channel['state'],
  state_reason: row.state_reason,
  created_at: row.created_at.toISOString(),
})

export async function shownDetails(context: Context, row: Row): Promise<Details> {
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
    ...{ imap, smtp, username, provider, has_plus_addresses },
    ...rows[0]!,
    folders: folders.map((folder) => ({
      ...folder,
      last_success_at: folder.last_success_at?.toISOString() ?? null,
      last_error_at: folder.last_error_at?.toISOString() ?? null,
    })),
  }
}
