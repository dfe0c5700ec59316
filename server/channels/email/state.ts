// The true state of a mailbox: what is on the server beside what is here (R9).
import { sql } from 'kysely'
import type { channelStates } from '../../../contract/channels.ts'
import { channelChanged } from '../../inbox/access/announce.ts'
import type { ChannelRow } from '../../inbox/channels/channel.ts'
import { folderStates } from '../../inbox/channels/folders.ts'
import { announce } from '../../kernel/live-channel.ts'
import { type Db, transaction } from '../../platform/db.ts'
import type { Folder } from './folders.ts'
import { removeOldPlaces } from './places.ts'
import { type HeldChannel, leases, type Mark, type OpenFolder, type Session } from './session.ts'

export type ChannelState = (typeof channelStates)[number]
type ChannelRef = Pick<ChannelRow, 'company_id' | 'id'>

/** Folders that are new on the server, and those that are not there any more. */
export const noteFolders = ({ db, channel }: Session, folders: Folder[]) =>
  transaction(db, async (tx) => {
    await leases.hold(tx, channel)
    const { company_id, id } = channel
    const paths = folders.map(({ path }) => path)
    const roles = folders.map(({ role }) => role)
    await sql`insert into channel_folders (company_id, channel_id, path, role)
      select ${company_id}, ${id}, f.path, f.role from unnest(${paths}::text[], ${roles}::text[]) f(path, role)
      on conflict (company_id, channel_id, path) do update set role = excluded.role
      where channel_folders.role <> excluded.role`.execute(tx)
    const { rows: gone } = await sql<{ path: string }>`delete from channel_folders
      where company_id = ${company_id} and channel_id = ${id} and path <> all(${paths}::text[]) returning path`.execute(
      tx,
    )
    if (!gone.length) return
    await sql`delete from message_places where company_id = ${company_id} and channel_id = ${id}
      and path = any(${gone.map(({ path }) => path)}::text[])`.execute(tx)
  })

/** If the server has renumbered the messages of a folder, what we know of the numbers is void. */
export const noteValidity = ({ db, channel }: Session, folder: OpenFolder) =>
  transaction(db, async (tx) => {
    await leases.hold(tx, channel)
    const { company_id, id } = channel
    const { numAffectedRows } = await sql`update channel_folders
      set uid_validity = ${folder.uidValidity}, last_uid = 0, oldest_uid = null, is_complete = false, mark = null
      where company_id = ${company_id} and channel_id = ${id} and path = ${folder.path}
        and uid_validity is distinct from ${folder.uidValidity}`.execute(tx)
    if (numAffectedRows) await removeOldPlaces(tx, channel, folder)
  })

const isFolder = ({ channel }: Session, { path }: Folder) =>
  sql`f.company_id = ${channel.company_id} and f.channel_id = ${channel.id} and f.path = ${path}`

/** Undefined: the folder has to be compared as a whole. */
export async function markOf(session: Session, folder: OpenFolder) {
  const { rows } = await sql<{ mark: Mark | null }>`select f.mark from channel_folders f
    where ${isFolder(session, folder)} and f.uid_validity = ${folder.uidValidity}`.execute(session.db)
  return rows[0]?.mark ?? undefined
}

export const forgetMark = (session: Session, folder: OpenFolder) =>
  sql`update channel_folders f set mark = null where ${isFolder(session, folder)}`.execute(session.db)

/** After a comparison. `mark`: up to where it is known; null: there is more to read. */
export const noteProgress = (session: Session, folder: OpenFolder, serverCount: number, mark: Mark | null) => {
  const { db, channel, clock } = session
  // If something could not be read, it is compared again.
  return sql`update channel_folders f set server_count = ${serverCount}, our_count = p.ours, last_uid = p.last,
      oldest_uid = p.oldest, is_complete = f.is_complete or ${mark !== null}, last_success_at = ${clock()},
      last_error = null, last_error_at = null,
      mark = case when p.total = ${serverCount}::int then ${mark && JSON.stringify(mark)}::jsonb end
    from (select count(*)::int as total, count(message_id)::int as ours, coalesce(max(uid), 0) as last, min(uid) as oldest
      from message_places where company_id = ${channel.company_id} and channel_id = ${channel.id}
        and path = ${folder.path} and uid_validity = ${folder.uidValidity}) p
    where ${isFolder(session, folder)}`.execute(db)
}

type Noted = { added: number[]; removed: { message_id: string | null }[]; mark: Mark }

/** The figures follow what was added, by UID, and removed. */
export const noteChanges = (session: Session, folder: OpenFolder, { added, removed, mark }: Noted) => {
  const { db, channel, clock } = session
  const ours = removed.filter(({ message_id }) => message_id).length
  return sql`update channel_folders f set server_count = f.server_count + ${added.length - removed.length}::int,
      our_count = f.our_count + p.ours - ${ours}::int, last_uid = greatest(f.last_uid, p.last), last_success_at = ${clock()},
      last_error = null, last_error_at = null,
      mark = case when p.total = ${added.length}::int then ${JSON.stringify(mark)}::jsonb end
    from (select count(*)::int as total, count(message_id)::int as ours, coalesce(max(uid), 0) as last
      from message_places where company_id = ${channel.company_id} and channel_id = ${channel.id}
        and path = ${folder.path} and uid_validity = ${folder.uidValidity} and uid = any(${added}::bigint[])) p
    where ${isFolder(session, folder)}`.execute(db)
}

export const noteFolderError = ({ db, channel, clock }: Session, { path }: Folder, error: string) =>
  sql`update channel_folders set last_error = ${error}, last_error_at = ${clock()}
    where company_id = ${channel.company_id} and channel_id = ${channel.id} and path = ${path}`.execute(db)

/** Never "synced" while the figures differ. */
export async function stateNow(db: Db, channel: ChannelRef): Promise<{ state: ChannelState; reason: string | null }> {
  const folders = await folderStates(db, channel)
  const failed = folders.find(({ last_error }) => last_error)
  if (failed) return { state: 'failing', reason: `The folder ${failed.path} could not be read. ${failed.last_error}` }
  const isSynced = folders.every(({ server_count, our_count, faults }) => server_count === our_count + faults)
  return { state: isSynced && folders.length ? 'synced' : 'syncing', reason: null }
}

/** True if it has changed. Only the process that holds the mailbox writes it. */
export async function noteState(db: Db, channel: HeldChannel, state: ChannelState, reason: string | null, now: Date) {
  const { company_id, id, leased_by } = channel
  const { numAffectedRows } =
    await sql`update channels set state = ${state}, state_reason = ${reason}, state_at = ${now}
    where company_id = ${company_id} and id = ${id} and leased_by = ${leased_by} and state not in ('paused', 'disconnected')
      and (state <> ${state} or state_reason is distinct from ${reason})`.execute(db)
  if (!numAffectedRows) return false
  await announceChannel(db, channel)
  return true
}

/** The first sync was cancelled. */
export async function pause(db: Db, { company_id, id }: ChannelRef, now: Date) {
  await sql`update channels set state = 'paused', state_at = ${now},
      state_reason = 'The first sync was cancelled. Resume the channel to sync the rest.'
    where company_id = ${company_id} and id = ${id} and state <> 'disconnected'`.execute(db)
  await announceChannel(db, { company_id, id })
}

/** Open pages reload what they show of it. */
export async function announceChannel(db: Db, { company_id, id }: ChannelRef) {
  const { rows } = await sql<Parameters<typeof channelChanged>[0]>`
    select company_id, id, owner_id, is_shared from channels where company_id = ${company_id} and id = ${id}`.execute(
    db,
  )
  await announce(db, rows.map(channelChanged))
}
