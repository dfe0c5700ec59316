// Stores messages that a channel found and `read-messages.ts` read. Everything about a batch is one transaction, that of
// the caller.
import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { previewOf } from '../../../contract/shared/message-preview.ts'
import { type Schema, schemaOfCompany } from '../../engine/schema/schema.ts'
import { contextFor } from '../../kernel/act-as.ts'
import type { Principal } from '../../kernel/context.ts'
import type { Db } from '../../platform/db.ts'
import { announce, announceChanged } from '../access/announce.ts'
import { audienceOf, type ChannelRow } from '../channels/channel.ts'
import { ourAddresses } from '../channels/our-addresses.ts'
import { advance, bounced, foundInSent } from '../sending/message-state.ts'
import { asPerson } from '../thread/conversation.ts'
import { knownThreads, type Thread } from '../thread/known-threads.ts'
import { aroundPeople, keyOf, type Link, noteMessages, recordsWithAddress, titlesById } from '../thread/links.ts'
import { peopleByHandle } from '../thread/participants.ts'
import { isSameMessage, storedByKey } from '../thread/same-message.ts'
import { chooseThread } from '../thread/thread-choice.ts'
import { followOpenings } from '../thread/waiting-time.ts'
import { beginThread, followThread } from './apply-message.ts'
import type { Batch } from './batch.ts'
import type { Read, ReadMessage } from './read-messages.ts'
import { doubtsAbout, falseName } from './warnings.ts'
import { writeBatch } from './write-batch.ts'

/** `isNew`: false if the same message was here already, for example from another mailbox. */
export type Received = { key: string; messageId: string; conversationId: string; isNew: boolean }

/** `isHistory`: what is read for the first time from an existing mailbox. It is no news for anyone. */
export type ReceiveOptions = { isHistory?: boolean }

const mostReferences = 50

/** In the order of `mails`. */
export async function receive(
  tx: Db,
  channel: ChannelRow,
  mails: ReadMessage[],
  now: Date,
  { isHistory = false }: ReceiveOptions = {},
): Promise<Received[]> {
  if (!mails.length) return []
  const { company_id } = channel
  const place = { company_id, audience: audienceOf(channel) }
  // Two mailboxes that receive the same message wait for each other.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`inbox ${place.audience}`}, 34))`.execute(tx)
  const principal: Principal = { kind: 'channel', id: channel.id, name: channel.name }
  const { context, write } = await contextFor(tx, { actor: null, principal, task: 'receiveMessages', now })
  const batch: Batch = {
    channel,
    place,
    isHistory,
    now,
    ids: newIds(mails.length),
    context,
    rules: await rulesOf(tx, channel),
    ours: await ourAddresses(tx, company_id),
    known: await knownThreads(tx, { ...place, channel_id: channel.id }, mails),
    changed: new Set(),
    created: new Set(),
    rows: { messages: [], events: [], references: [], addresses: [], files: [], threads: [] },
    extras: new Map(),
    received: [],
    opened: new Map(),
    failed: [],
    sent: [],
    seen: [],
    sizes: [],
    newAddresses: new Map(),
    latest: new Map(),
  }
  const results = new Map<ReadMessage, Received>()
  for (const mail of mails.toSorted((a, b) => a.at.getTime() - b.at.getTime()))
    results.set(mail, await take(batch, mail))
  const schema = await schemaOfCompany(tx, company_id)
  const links = await linksFor(batch, schema)
  await writeBatch(batch, links)
  for (const { id, at } of batch.sent) await foundInSent(batch.context, { company_id, id }, at)
  for (const id of batch.seen) await advance(batch.context, { company_id, id }, { state: 'read', at: now })
  for (const { id, reason } of batch.failed) await bounced(batch.context, { company_id, id }, reason, !isHistory)
  await sql`delete from conversation_guests where company_id = ${company_id}
    and conversation_id = any(${[...batch.changed]}::uuid[])`.execute(tx)
  if (!isHistory) await followOpenings(tx, company_id, [...batch.changed], now, { opened: batch.opened })
  await announceReceived(batch, schema)
  await write()
  return mails.map((mail) => results.get(mail)!)
}

async function rulesOf(db: Db, { company_id, id }: ChannelRow) {
  const { rows } = await sql<Batch['rules']>`
    select is_shared, unknown_senders, joins_subjects from channels where company_id = ${company_id} and id = ${id}`.execute(
    db,
  )
  return rows[0] ?? { is_shared: false, unknown_senders: 'nothing', joins_subjects: false }
}

async function take(batch: Batch, given: ReadMessage): Promise<Received> {
  const { known, place, channel, ours } = batch
  // Wherever a name is shown, it would be taken for the address.
  const mail = given.from && falseName(given.from) ? { ...given, from: { ...given.from, name: null } } : given
  const before = known.messages.get(mail.key)
  if (before) {
    if (mail.isNamedBySender && mail.read) await refuseOther(batch, mail, mail.read)
    if (mail.size !== undefined) batch.sizes.push({ id: before.id, size: mail.size })
    if (isUnconfirmed(before.state) && mail.direction === 'out') batch.sent.push({ id: before.id, at: mail.at })
    return { key: mail.key, messageId: before.id, conversationId: before.conversation_id, isNew: false }
  }
  if (!mail.read) throw outdated()
  const { files, notice } = mail.read
  const { falseLinks, ...content } = mail.read.content
  const doubts = doubtsAbout(given, falseLinks, ours)
  const report = known.messages.get(mail.bounce?.key ?? mail.receipt ?? '')
  const choice = report ? { joins: report.conversation_id } : chooseThread(mail, known, ours, batch.rules)
  const joined = choice.joins === null ? undefined : known.threads.get(choice.joins)
  const thread = joined ?? beginThread(batch, mail, choice.joins === null && !doubts.isForged ? choice.maybe : null)
  const isNamed = mail.otherThread === undefined || known.chats.has(mail.otherThread)
  for (const chat of [mail.thread ?? [], isNamed ? [] : mail.otherThread!].flat()) {
    if (known.chats.get(chat) === thread.id) continue
    known.chats.set(chat, thread.id)
    const row = { company_id: place.company_id, channel_id: channel.id, thread: chat }
    batch.rows.threads.push({ ...row, conversation_id: thread.id })
  }
  batch.rows.files.push(...files.rows)
  const id = batch.ids.shift()!
  const isOut = mail.direction === 'out'
  const wrote = mail.from ? ours.users.get(mail.from.address) : undefined
  batch.rows.messages.push({
    ...place,
    id,
    conversation_id: thread.id,
    channel_id: channel.id,
    kind: 'message',
    direction: mail.direction,
    at: mail.at,
    user_id: isOut ? (wrote ?? channel.owner_id) : null,
    from_address: mail.from?.address ?? null,
    from_name: mail.from?.name ?? null,
    reply_address: mail.direction === 'in' ? (mail.replyTo?.address ?? null) : null,
    recipients: mail.recipients.map(({ kind, address, name }) => ({ kind, address, name })),
    subject: mail.subject,
    ...content,
    files: files.files,
    state: isOut ? 'sent' : 'received',
    state_reason: [mail.notice, notice, files.leftOut].filter(Boolean).join(' ') || null,
    provider_id: mail.providerId,
    key: mail.key,
    size: mail.size ?? null,
    reply_to_id: mail.references.map((key) => known.messages.get(key)?.id).find(Boolean) ?? null,
    is_automatic: mail.isAutomatic,
    data: dataOf(mail, doubts.warnings),
    attempts: 0,
  })
  known.messages.set(mail.key, {
    id,
    key: mail.key,
    conversation_id: thread.id,
    direction: mail.direction,
    state: isOut ? 'sent' : 'received',
  })
  for (const key of mail.references.slice(0, mostReferences)) {
    if (known.byKey(key)) continue
    known.references.set(key, thread.id)
    batch.rows.references.push({ ...place, key, conversation_id: thread.id, message_id: id })
  }
  followThread(batch, thread, mail, {
    preview: previewOf({ ...content, direction: mail.direction, files: files.files }),
    hasFiles: files.files.some((file) => !file.is_inline),
  })
  if (report?.direction === 'out' && mail.receipt) batch.seen.push(report.id)
  if (report?.direction === 'out' && mail.bounce?.isFinal)
    batch.failed.push({ id: report.id, reason: mail.bounce.reason })
  if (mail.direction === 'in' && !batch.isHistory) batch.received.push({ id, conversation_id: thread.id })
  return { key: mail.key, messageId: id, conversationId: thread.id, isNew: true }
}

const dataOf = ({ noReply }: ReadMessage, warnings: string[]) =>
  noReply || warnings.length ? { ...(noReply && { no_reply: noReply }), ...(warnings.length && { warnings }) } : null

/** IDs of the same millisecond are in no order, but messages of the same time are shown by their IDs. */
const newIds = (count: number) => Array.from({ length: count }, () => randomUUIDv7()).sort()

/** It was here when it was read, and was deleted since. The code is that of a system error: it is received again. */
const outdated = () =>
  Object.assign(new Error('A message was deleted while it was being received.'), { code: 'EAGAIN' })

/** Another process stored it while it was read: only if it is another one is it read again, which then finds it. */
async function refuseOther({ context, place }: Batch, mail: ReadMessage, { content, files }: Read) {
  const stored = (await storedByKey(context.db, place, [mail.key])).get(mail.key)
  if (stored && !isSameMessage(stored, { ...mail, text: content.text, files: files.files })) throw outdated()
}

/** Its copy in Sent says what its channel could not. */
const isUnconfirmed = (state: string) => ['waiting', 'sending', 'unknown'].includes(state)

/** Links to people and leads with the addresses that are new, and what belongs to those people. */
async function linksFor(
  { context, place, channel, newAddresses, known, extras }: Batch,
  schema: Schema,
): Promise<Link[]> {
  const addresses = [...new Set([...newAddresses.values()].flatMap((some) => [...some]))]
  const find = (object: 'people' | 'leads') =>
    recordsWithAddress(context.db, place.company_id, schema, object, addresses)
  const people = await find('people')
  for (const [handle, id] of await peopleByHandle(context.db, place.company_id, channel.id, addresses))
    people.set(handle, [id])
  const leads = await find('leads')
  const ids = [...new Set([...people.values()].flat())]
  const around = await aroundPeople(context.db, place.company_id, schema, ids)
  const titles = await titlesById(context.db, place.company_id, ids)
  return [...newAddresses].flatMap(([conversation_id, some]) =>
    [...some].flatMap((address) => {
      const [person] = people.get(address) ?? []
      const named = extras.get(`${conversation_id} ${address}`) ?? address
      const participant = known.threads.get(conversation_id)!.participants.find((one) => one.address === named)
      if (participant && person)
        Object.assign(participant, asPerson(participant, { id: person, title: titles.get(person)! }))
      const link = (record_id: string, object: string) => ({ conversation_id, record_id, object })
      return [
        ...(person
          ? [
              link(person, keyOf(schema, 'people')),
              ...(around.get(person) ?? []).map((one) => ({ conversation_id, ...one })),
            ]
          : []),
        ...(leads.get(address) ?? []).map((id) => link(id, keyOf(schema, 'leads'))),
      ]
    }),
  )
}

async function announceReceived(batch: Batch, schema: Schema) {
  const { context, place, known, created, changed, received, rules, isHistory, latest, now } = batch
  const { company_id } = place
  const about = (id: string) => ({ id, audience: place.audience })
  const isPrivate = place.audience !== company_id && !rules.is_shared
  if (!isPrivate) await noteMessages(context, company_id, schema, latest, now)
  const isTold = !isPrivate && !isHistory
  const news = new Set(received.map(({ conversation_id }) => conversation_id))
  const others = [...changed].filter((id) => !isTold || !news.has(id))
  if (others.length) await announceChanged(context, company_id, others.map(about))
  if (isTold) {
    for (const conversation_id of created)
      await announce(context, company_id, about(conversation_id), 'conversation.created', { conversation_id })
    for (const { id, conversation_id } of received)
      context.emit('message.received', { conversation_id, message_id: id }, company_id)
  }
  if (rules.unknown_senders !== 'nothing')
    for (const id of batch.newAddresses.keys())
      if (hasUnknownSender(batch, known.threads.get(id)!))
        context.emit('conversation.sender_unknown', { conversation_id: id }, company_id)
}

/** Only who wrote to us: addresses that we wrote to, machines and mailing lists become no records. */
const hasUnknownSender = ({ rows, newAddresses }: Batch, thread: Thread) =>
  thread.state !== 'spam' &&
  (rows.messages as { conversation_id: string; direction: string; is_automatic: boolean; from_address: string }[]).some(
    (message) =>
      message.conversation_id === thread.id &&
      message.direction === 'in' &&
      !message.is_automatic &&
      newAddresses.get(thread.id)!.has(message.from_address) &&
      !thread.participants.find((one) => one.address === message.from_address)?.person_id,
  )
