// Copies of sent messages that are still to be put into Sent: the process that sent them died, or the server was away.
import { sql } from 'kysely'
import { type Claimed, claimedMessage } from '../../inbox/sending/claim.ts'
import { MissingFile, outgoingOf } from '../../inbox/sending/outgoing-message.ts'
import { dayMs } from '../../platform/times.ts'
import type { Folder } from './folders.ts'
import { mailboxOf } from './mailbox.ts'
import { removeCopyDue } from './places.ts'
import { sourceOf } from './send.ts'
import { leases, type Session } from './session.ts'

const mostAtOnce = 20
const retryMs = 10 * 60 * 1000
const mostMs = 7 * dayMs

type Due = Claimed['message'] & { due_at: Date }

export async function putCopies(session: Session, folders: Folder[]) {
  const { db, channel, clock } = session
  const { company_id, id } = channel
  const { rows } = await sql<Due>`select ${claimedMessage}, s.due_at from sent_copies s
    join messages m on m.company_id = ${company_id} and m.id = s.message_id
    where s.company_id = ${company_id} and s.channel_id = ${id} and s.due_at <= ${clock()}
    order by s.due_at limit ${mostAtOnce}`.execute(db)
  if (!rows.length) return
  await leases.hold(db, channel)
  const sent = folders.find(({ role }) => role === 'sent')
  for (const message of rows) {
    if (session.signal.aborted) return
    if (await isPut(session, sent, message)) await removeCopyDue(db, channel, message.id)
    else
      await sql`update sent_copies set due_at = ${new Date(clock().getTime() + retryMs)}
        where company_id = ${company_id} and channel_id = ${id} and message_id = ${message.id}`.execute(db)
  }
}

/** False: it is tried again later. A copy that is there already, for example because its process died then, is enough. */
async function isPut(session: Session, sent: Folder | undefined, message: Due) {
  const { db, client, channel, services, reading, log, clock } = session
  const { key } = message
  if (!sent || !key || clock().getTime() - message.at.getTime() > mostMs) return true
  try {
    if (await isThere(session, sent, key)) return true
    const outgoing = await outgoingOf(db, { files: reading.files }, { message, channel })
    const source = await sourceOf({ services }, mailboxOf(channel), outgoing, key, message.at)
    await client.append(sent.path, source, ['\\Seen'], message.at)
    return true
  } catch (error) {
    if (!client.usable) throw error
    const about = { company_id: channel.company_id, channel_id: channel.id, message_id: message.id }
    log.warn({ err: error, ...about }, 'a message could not be kept in Sent')
    return error instanceof MissingFile
  }
}

async function isThere({ client }: Session, { path }: Folder, key: string) {
  const lock = await client.getMailboxLock(path, { readOnly: true })
  try {
    const found = await client.search({ header: { 'message-id': `<${key}>` } }, { uid: true })
    return Boolean(found && found.length > 0)
  } finally {
    lock.release()
  }
}
