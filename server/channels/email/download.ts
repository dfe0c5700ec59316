// Takes messages from an open folder into the inbox: those we have get another place, the others are downloaded.
import type { FetchMessageObject } from 'imapflow'
import type { Incoming } from '../../inbox/channels/channel.ts'
import { type ReadMessage, readMessages } from '../../inbox/receiving/read-messages.ts'
import { hasSameHead } from '../../inbox/thread/same-message.ts'
import { AppError } from '../../kernel/app-error.ts'
import { LostLease } from '../../kernel/leases.ts'
import { transaction } from '../../platform/db.ts'
import { inHalves } from '../../platform/in-halves.ts'
import { dayMs } from '../../platform/times.ts'
import { mostSourceBytes } from './connect.ts'
import type { FolderRole } from './folders.ts'
import { type Header, readHeader } from './mime/read-mail.ts'
import { noConversation } from './mime/reply-address.ts'
import { addFault, addPlaces, type KnownMessage, knownMessages, noteSent, setAside } from './places.ts'
import { incomingOf } from './read.ts'
import { noteMoved } from './read-elsewhere.ts'
import { readLarge } from './read-large.ts'
import { readSource } from './read-source.ts'
import { leases, type OpenFolder, type Session } from './session.ts'

const mostAtOnce = 25
const mostBytesAtOnce = 4 * 1024 * 1024

export async function takeMessages(session: Session, folder: OpenFolder, uids: number[]) {
  const heads: FetchMessageObject[] = []
  const isSuspect = (uid: number) => session.suspects.isSuspect(keyOf(folder, uid))
  const usual = uids.filter((uid) => !isSuspect(uid))
  for (const some of [...(usual.length ? [usual] : []), ...uids.filter(isSuspect).map((uid) => [uid])])
    await askServer(session, folder, some, async (part) => {
      const query = {
        uid: true,
        size: true,
        flags: true,
        internalDate: true,
        headers: ['message-id', 'from', 'subject'],
      }
      heads.push(...(await session.client.fetchAll(part.join(','), query, { uid: true })))
    })
  const unknown = await placeKnown(session, folder, heads)
  for (const batch of batchesOf(unknown, ({ uid }) => isSuspect(uid)))
    if (!session.signal.aborted) await download(session, folder, batch)
}

/** Returns those that we do not have, and those that may be others with the same ID. */
async function placeKnown(session: Session, folder: OpenFolder, heads: FetchMessageObject[]) {
  const { db, channel } = session
  const ids = await headsOf(heads)
  const known = await knownMessages(db, channel, [...ids.values()].map(({ key }) => key).filter(Boolean))
  const messageOf = (head: FetchMessageObject) => {
    const header = ids.get(head.uid)!
    const stored = known.get(header.key)
    return stored && isSurelySame(stored, header, head, folder.role) ? stored.id : undefined
  }
  const places = heads.flatMap((head) => {
    const message_id = messageOf(head)
    const at = new Date(head.internalDate ?? session.clock())
    return message_id ? [{ uid: head.uid, message_id, is_unseen: !head.flags?.has('\\Seen'), at }] : []
  })
  if (places.length) {
    // First, so that it is made up for if the process ends in between.
    if (folder.role === 'sent') await noteSent(session, new Map(places.map(({ message_id, at }) => [message_id, at])))
    else await noteMoved(session, places)
    await transaction(db, async (tx) => {
      await leases.hold(tx, channel)
      await addPlaces(tx, channel, folder, places)
    })
  }
  return heads.filter((head) => !messageOf(head)).toSorted((a, b) => b.uid - a.uid)
}

const headsOf = async (heads: FetchMessageObject[]) =>
  new Map(await Promise.all(heads.map(async ({ uid, headers }) => [uid, await readHeader(headers)] as const)))

/** A message that is moved keeps its size and its time of arrival, in seconds. */
const sameMs = 1000
/** Older versions kept no sizes. The same message reaches other mailboxes soon. */
const soonMs = 10 * 60 * 1000

/** Without downloading it. Some servers write another sender into what Kith sent. */
function isSurelySame(stored: KnownMessage, { from, subject }: Header, head: FetchMessageObject, role: FolderRole) {
  const isKithsOwn = stored.direction === 'out' && stored.attempts > 0
  if (isKithsOwn && role === 'sent') return true
  if (!hasSameHead(stored, from, subject)) return false
  if (isKithsOwn) return true
  const apartMs = Math.abs(new Date(head.internalDate ?? 0).getTime() - stored.at.getTime())
  return stored.size === null ? apartMs <= soonMs : stored.size === head.size && apartMs < sameMs
}

function batchesOf(heads: FetchMessageObject[], isAlone: (head: FetchMessageObject) => boolean) {
  const batches: FetchMessageObject[][] = []
  let bytes = Number.POSITIVE_INFINITY
  for (const head of heads) {
    const size = isAlone(head) ? mostBytesAtOnce : (head.size ?? 0)
    bytes += size
    const last = batches.at(-1)
    if (last && bytes <= mostBytesAtOnce && last.length < mostAtOnce) last.push(head)
    else {
      batches.push([head])
      bytes = size
    }
  }
  return batches
}

async function download(session: Session, folder: OpenFolder, heads: FetchMessageObject[]) {
  const [first] = heads
  if ((first!.size ?? 0) > mostSourceBytes)
    return askServer(session, folder, [first!.uid], async () => {
      const { source, files } = await readLarge(session, first!)
      const mail = await readFetched(session, folder, first!, source)
      await store(session, folder, await readAll(session, [{ ...mail, incoming: { ...mail.incoming, files } }]))
    })
  const byUid = new Map(heads.map((head) => [head.uid, head]))
  await askServer(session, folder, [...byUid.keys()], async (part) => {
    const found = await session.client.fetchAll(part.join(','), { uid: true, source: true }, { uid: true })
    const mails: FetchedMail[] = []
    for (const { uid, source } of found) {
      const head = byUid.get(uid)
      if (head && source) mails.push(await readFetched(session, folder, head, source))
    }
    const read = await readAll(session, mails)
    for (const isHistory of [true, false])
      await store(
        session,
        folder,
        read.filter((mail) => mail.isHistory === isHistory),
      )
  })
}

/** `isHistory`: no news, because it arrived before the mailbox was connected, or because Kith sent it to itself. */
type FetchedMail = { uid: number; source: Buffer; incoming: Incoming; isHistory: boolean; fault: string | null }
type ReadMail = Omit<FetchedMail, 'incoming'> & { message: ReadMessage }

async function readFetched(
  { clock, channel, services, reading }: Session,
  { role }: OpenFolder,
  { uid, size, flags = new Set(), internalDate }: FetchMessageObject,
  source: Buffer,
): Promise<FetchedMail> {
  const arrivedAt = new Date(internalDate ?? clock())
  const mail = await readSource(reading.offload, channel.company_id, source, clock())
  const incoming = incomingOf(mail, channel, { role, flags, arrivedAt, size, ownKey: services.ownKey })
  const isHistory = arrivedAt < channel.created_at || incoming.conversationId === noConversation
  const isLate = clock().getTime() - arrivedAt.getTime() > dayMs
  return { uid, source, incoming: isLate ? { ...incoming, noReply: 'late' } : incoming, isHistory, fault: mail.fault }
}

/** Before the transaction that stores them, which others wait for. */
async function readAll({ db, channel, clock, reading }: Session, mails: FetchedMail[]): Promise<ReadMail[]> {
  const incoming = mails.map((mail) => mail.incoming)
  const messages = await readMessages(reading, db, channel, incoming, clock())
  return mails.map(({ incoming: _, ...mail }, i) => ({ ...mail, message: messages[i]! }))
}

async function store(session: Session, folder: OpenFolder, mails: ReadMail[]) {
  const { channel, log } = session
  await inHalves(mails, (some) => storeTogether(session, folder, some), {
    isOfOne: (error) => !(error instanceof LostLease) && isOfMessage(error),
    async leave({ uid, source }, error) {
      const about = { company_id: channel.company_id, channel_id: channel.id, uid }
      log.warn({ err: error, ...about }, 'a message was skipped')
      const reason = error instanceof AppError ? error.message : 'This message could not be read.'
      await setAside(session, folder, { uid, source, reason })
    },
  })
}

/** With their places, so that neither is lost or doubled whenever the process ends. */
async function storeTogether(
  { db, channel, clock, receive, suspects }: Session,
  folder: OpenFolder,
  mails: ReadMail[],
) {
  await transaction(db, async (tx) => {
    await leases.hold(tx, channel)
    const messages = mails.map(({ message }) => message)
    const received = await receive(tx, channel, messages, clock(), { isHistory: mails[0]!.isHistory })
    const places = mails.map(({ uid, message: { isRead } }, i) => ({
      uid,
      message_id: received[i]!.messageId,
      is_unseen: !isRead,
    }))
    await addPlaces(tx, channel, folder, places)
    for (const [i, { uid, source, fault: reason }] of mails.entries())
      if (reason && received[i]!.isNew) await addFault(tx, channel, folder, { uid, reason, source, at: clock() })
  })
  for (const { uid } of mails) suspects.clear(keyOf(folder, uid))
}

/** Not of the database, which may be away, overloaded or full, and not of the disk: those are no fault of the message. */
function isOfMessage(error: unknown) {
  const { code } = error as { code?: unknown }
  if (typeof code !== 'string' || error instanceof AppError) return true
  if (/^E[A-Z]+$/.test(code)) return false
  return /^[0-9A-Z]{5}$/.test(code) ? /^2[23]|^54/.test(code) : true
}

/** One message can make the server or its connection fail. */
async function askServer(
  session: Session,
  folder: OpenFolder,
  uids: number[],
  work: (uids: number[]) => Promise<void>,
) {
  const { suspects, client } = session
  const leave = (uid: number) =>
    setAside(session, folder, { uid, reason: 'The mail server could not return this message.', source: null })
  if (uids.length === 1 && suspects.isGuilty(keyOf(folder, uids[0]!))) return leave(uids[0]!)
  await inHalves(uids, work, {
    isOfOne(error, some) {
      if (error instanceof LostLease) return false
      if (!client.usable) suspects.note(some.map((uid) => keyOf(folder, uid)))
      return client.usable && isImapError(error)
    },
    leave,
  })
}

/** The server refused a command, or the library did not understand its answer. */
const isImapError = (error: unknown) => {
  const { responseStatus, code } = error as { responseStatus?: string; code?: string }
  return Boolean(responseStatus || code?.startsWith('ParserError')) || code === 'ResponseProcessingFailed'
}

const keyOf = ({ path, uidValidity }: OpenFolder, uid: number) => `${path} ${uidValidity} ${uid}`
