// Where messages are on the server. A place is written in the same transaction as its message, so that neither is lost
// or doubled, whenever the process ends.
import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { asChannel } from '../../inbox/channels/act-as.ts'
import { audienceOf, type ChannelRow } from '../../inbox/channels/channel.ts'
import { foundInSent } from '../../inbox/sending/message-state.ts'
import { type Db, transaction } from '../../platform/db.ts'
import { leases, type OpenFolder, type Session } from './session.ts'

const mostFaultBytes = 1024 * 1024

type ChannelRef = Pick<ChannelRow, 'company_id' | 'id'>

export async function knownUids(db: Db, { company_id, id }: ChannelRef, { path, uidValidity }: OpenFolder) {
  const { rows } = await sql<{ uid: number }>`select uid::float8 as uid from message_places
    where company_id = ${company_id} and channel_id = ${id} and path = ${path} and uid_validity = ${uidValidity}`.execute(
    db,
  )
  return new Set(rows.map(({ uid }) => uid))
}

/** `is_unseen`: no one has read it there. */
export type MessagePlace = { uid: number; message_id: string | null; is_unseen: boolean }

export const addPlaces = (
  tx: Db,
  { company_id, id }: ChannelRef,
  { path, uidValidity }: OpenFolder,
  places: MessagePlace[],
) =>
  sql`insert into message_places (company_id, channel_id, path, uid_validity, uid, message_id, is_unseen)
    select ${company_id}::uuid, ${id}::uuid, ${path}, ${uidValidity}, p.uid, p.message_id, p.is_unseen
    from unnest(${places.map(({ uid }) => uid)}::bigint[], ${places.map(({ message_id }) => message_id)}::uuid[],
      ${places.map(({ is_unseen }) => is_unseen)}::boolean[]) p (uid, message_id, is_unseen)
    on conflict (company_id, channel_id, path, uid_validity, uid)
      do update set message_id = excluded.message_id, is_unseen = excluded.is_unseen`.execute(tx)

const isIn = ({ company_id, id }: ChannelRef, { path, uidValidity }: OpenFolder) =>
  sql`company_id = ${company_id} and channel_id = ${id} and path = ${path} and uid_validity = ${uidValidity}`

type Seen = { message_id: string | null; is_unseen: boolean }
const readIn = (rows: Seen[]) =>
  rows.flatMap(({ message_id, is_unseen }) => (message_id && !is_unseen ? [message_id] : []))

/** Returns the messages that have been read there since the last time. `uids`: all that no one has read. */
export async function noteUnseen(db: Db, channel: ChannelRef, folder: OpenFolder, uids: number[]) {
  await sql`update message_places set is_unseen = true
    where ${isIn(channel, folder)} and not is_unseen and uid = any(${uids}::bigint[])`.execute(db)
  const { rows } = await sql<Seen>`update message_places set is_unseen = false
    where ${isIn(channel, folder)} and is_unseen and uid <> all(${uids}::bigint[])
    returning message_id, is_unseen`.execute(db)
  return readIn(rows)
}

/** The same for messages that changed there. `unseen`: those among them that no one has read. */
export async function noteUnseenAmong(
  db: Db,
  channel: ChannelRef,
  folder: OpenFolder,
  uids: number[],
  unseen: number[],
) {
  const { rows } = await sql<Seen>`update message_places set is_unseen = uid = any(${unseen}::bigint[])
    where ${isIn(channel, folder)} and uid = any(${uids}::bigint[]) and is_unseen <> (uid = any(${unseen}::bigint[]))
    returning message_id, is_unseen`.execute(db)
  return readIn(rows)
}

/** Those of these UIDs that we have. */
export async function placesAmong(db: Db, channel: ChannelRef, folder: OpenFolder, uids: number[]) {
  const { rows } = await sql<{ uid: number }>`select uid::float8 as uid from message_places
    where ${isIn(channel, folder)} and uid = any(${uids}::bigint[])`.execute(db)
  return new Set(rows.map(({ uid }) => uid))
}

/** The messages have been deleted on the server or moved to another folder, where they are found. Returns what we had. */
export async function removePlaces(db: Db, channel: ChannelRef, folder: OpenFolder, uids: number[]) {
  if (!uids.length) return []
  const { rows } = await sql<{ message_id: string | null }>`delete from message_places
    where ${isIn(channel, folder)} and uid = any(${uids}::bigint[]) returning message_id`.execute(db)
  return rows
}

/** After a change of the validity, the same messages have other UIDs and are found again by what they are. */
export const removeOldPlaces = (db: Db, { company_id, id }: ChannelRef, { path, uidValidity }: OpenFolder) =>
  sql`delete from message_places where company_id = ${company_id} and channel_id = ${id} and path = ${path}
    and uid_validity <> ${uidValidity}`.execute(db)

/** Messages that we have, by Message-ID: those of other folders and mailboxes, and those that we sent (R4). */
export async function knownMessages(db: Db, channel: ChannelRow, keys: string[]) {
  if (!keys.length) return new Map<string, KnownMessage>()
  const { company_id } = channel
  const { rows } = await sql<KnownMessage & { key: string }>`
    select id, key, direction, attempts, from_address, subject, size, at from messages
    where company_id = ${company_id} and audience = ${audienceOf(channel)} and key = any(${keys})`.execute(db)
  return new Map(rows.map((row) => [row.key, row]))
}

/** `size`: null for what an older version stored, and for what Kith sent. */
export type KnownMessage = {
  id: string
  direction: string | null
  attempts: number
  from_address: string | null
  subject: string
  size: number | null
  at: Date
}

/** The server has them in Sent, so they were sent after all. */
export async function noteSent({ db, channel, clock }: Session, found: Map<string, Date>) {
  const { company_id } = channel
  const { rows } = await sql<{ id: string }>`select id from messages
    where company_id = ${company_id} and id = any(${[...found.keys()]}::uuid[]) and direction = 'out'
      and state in ('waiting', 'sending', 'unknown') order by id`.execute(db)
  if (!rows.length) return
  await asChannel(db, channel, clock(), async (context) => {
    for (const { id } of rows) await foundInSent(context, { company_id, id }, found.get(id)!)
  })
}

/** A copy of the message is in Sent, or never will be. */
export const removeCopyDue = (db: Db, { company_id, id }: ChannelRef, message_id: string) =>
  sql`delete from sent_copies where company_id = ${company_id} and channel_id = ${id} and message_id = ${message_id}`.execute(
    db,
  )

type Fault = { uid: number; reason: string; source: Buffer | null; at: Date }

/** A message that could not be read, or not all of it. */
export function addFault(
  tx: Db,
  { company_id, id }: ChannelRef,
  { path }: OpenFolder,
  { uid, reason, source, at }: Fault,
) {
  const kept = source && source.length <= mostFaultBytes ? source : null
  return sql`insert into channel_faults (company_id, id, channel_id, path, uid, reason, source, at)
    values (${company_id}, ${randomUUIDv7()}, ${id}, ${path}, ${uid}, ${reason}, ${kept}, ${at})`.execute(tx)
}

/** Keeps a message that cannot be read apart, so that the others are read (R5). */
export async function setAside(
  { db, channel, clock }: Session,
  folder: OpenFolder,
  { uid, reason, source }: { uid: number; reason: string; source: Buffer | null },
) {
  await transaction(db, async (tx) => {
    await leases.hold(tx, channel)
    await addFault(tx, channel, folder, { uid, reason, source, at: clock() })
    await addPlaces(tx, channel, folder, [{ uid, message_id: null, is_unseen: false }])
  })
}
