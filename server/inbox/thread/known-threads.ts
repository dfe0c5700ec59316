// What is known about the conversations that messages may belong to. Read once for a batch, and kept up to date while it is
// worked through.

import { Params, run } from '../../kernel/statement.ts'
import type { Db } from '../../platform/db.ts'
import { dayMs } from '../../platform/times.ts'
import type { Envelope } from '../channels/channel.ts'
import { baseSubject, type Participant } from './conversation.ts'
import type { Threads } from './thread-choice.ts'

const alikeMs = 7 * dayMs

export type ChannelAudience = { company_id: string; audience: string; channel_id: string }

export type KnownMessage = {
  id: string
  key: string
  conversation_id: string
  direction: string | null
  state: string
}

/** A conversation that changes. New ones have no version yet. */
export type Thread = {
  id: string
  audience: string
  channel_id: string
  subject: string
  state: string
  snoozed_until: Date | null
  assignee_id: string | null
  participants: Participant[]
  preview: string
  last_direction: string | null
  message_count: number
  has_files: boolean
  created_at: Date
  last_message_at: Date
  last_in_at: Date | null
  last_out_at: Date | null
  unread_at: Date | null
  first_response_at: Date | null
  closed_at: Date | null
  maybe_id: string | null
  version: number
}

const threadColumns = `id, audience, channel_id, subject, state, snoozed_until, assignee_id, participants, preview, last_direction, message_count,
  has_files, created_at, last_message_at, last_in_at, last_out_at, unread_at, first_response_at, closed_at, maybe_id, version`

export type KnownThreads = Threads & {
  messages: Map<string, KnownMessage>
  threads: Map<string, Thread>
  addresses: Map<string, Set<string>>
  references: Map<string, string>
  /** Conversations by chat. */
  chats: Map<string, string>
}

export async function knownThreads(db: Db, place: ChannelAudience, mails: Envelope[]): Promise<KnownThreads> {
  const keys = [
    ...new Set(
      mails.flatMap(({ key, references, bounce, receipt }) => [key, ...references, bounce?.key ?? key, receipt ?? key]),
    ),
  ]
  const messages = new Map((await messagesByKey(db, place, keys)).map((message) => [message.key, message]))
  const unknown = keys.filter((key) => !messages.has(key))
  const references = new Map(
    (await referencesByKey(db, place, unknown)).map(({ key, conversation_id }) => [key, conversation_id]),
  )
  const alike = await conversationsAlike(db, place, mails)
  const named = mails.flatMap(({ conversationId }) => (conversationId === null ? [] : [conversationId]))
  const merged = await mergedInto(db, place, named)
  const chats = await conversationsByChat(db, place, mails)
  const begun = await begunConversations(db, place, mails, chats)
  const ids = new Set([
    ...chats.values(),
    ...begun.values(),
    ...[...messages.values()].map(({ conversation_id }) => conversation_id),
    ...references.values(),
    ...alike.map(({ id }) => id),
    ...merged.values(),
  ])
  const threads = new Map((await holdThreads(db, place, [...ids])).map((thread) => [thread.id, thread]))
  const addresses = await addressesOf(db, place, [...threads.keys()])
  const isParticipant = (id: string, address: string) => addresses.get(id)?.has(address) ?? false
  return {
    messages,
    threads,
    addresses,
    references,
    chats,
    byKey: (key) => messages.get(key)?.conversation_id ?? references.get(key),
    byThread(thread, address) {
      const known = chats.get(thread)
      if (known !== undefined) return known
      const own = address === null ? undefined : begun.get(address)
      if (own !== undefined && [...chats.values()].includes(own)) return undefined
      return own
    },
    byId: (id) => merged.get(id) ?? (threads.has(id) ? id : undefined),
    isParticipant,
    alike({ from, subject, at, direction }) {
      const base = baseSubject(subject)
      if (!from || !base || direction === 'out') return undefined
      const isAlike = (thread: Thread) =>
        thread.subject === base &&
        Math.abs(at.getTime() - thread.last_message_at.getTime()) <= alikeMs &&
        isParticipant(thread.id, from.address)
      return [...threads.values()].findLast(isAlike)?.id
    },
  }
}

const threadsOf = (mails: Envelope[]) => [
  ...new Set(mails.flatMap(({ thread, otherThread }) => [thread ?? [], otherThread ?? []].flat())),
]

export async function conversationsByChat(db: Db, { company_id, channel_id }: ChannelAudience, mails: Envelope[]) {
  const threads = threadsOf(mails)
  if (!threads.length) return new Map<string, string>()
  const params = new Params()
  const company = params.add(company_id, 'uuid')
  const rows = await run<{ thread: string; id: string }>(
    db,
    `select t.thread, coalesce(c.merged_into, c.id) as id from conversation_threads t
      join conversations c on c.company_id = ${company} and c.id = t.conversation_id
      where t.company_id = ${company} and t.channel_id = ${params.add(channel_id, 'uuid')}
        and t.thread = any(${params.add(threads, 'text[]')})`,
    params,
  )
  return new Map(rows.map(({ thread, id }) => [thread, id]))
}

/** We wrote first: the answer is the first that is heard of the chat. */
async function begunConversations(db: Db, place: ChannelAudience, mails: Envelope[], chats: Map<string, string>) {
  const first = mails.filter(({ thread, from }) => thread !== undefined && from && !chats.has(thread))
  if (!first.length) return new Map<string, string>()
  const params = new Params()
  const company = params.add(place.company_id, 'uuid')
  const rows = await run<{ address: string; id: string }>(
    db,
    `select a.address, c.id from conversation_addresses a
      join conversations c on c.company_id = ${company} and c.id = a.conversation_id and c.merged_into is null
      where a.company_id = ${company} and c.channel_id = ${params.add(place.channel_id, 'uuid')}
        and a.address = any(${params.add([...new Set(first.map(({ from }) => from!.address))], 'text[]')}) and not a.is_extra
        and not exists (select from conversation_threads t where t.company_id = ${company} and t.conversation_id = c.id)
      order by c.last_message_at`,
    params,
  )
  return new Map(rows.map(({ address, id }) => [address, id]))
}

export function messagesByKey(db: Db, { company_id, audience }: ChannelAudience, keys: string[]) {
  const params = new Params()
  return run<KnownMessage>(
    db,
    `select id, key, conversation_id, direction, state from messages where company_id = ${params.add(company_id, 'uuid')}
      and audience = ${params.add(audience, 'uuid')} and key = any(${params.add(keys, 'text[]')})`,
    params,
  )
}

export function referencesByKey(db: Db, { company_id, audience }: ChannelAudience, keys: string[]) {
  const params = new Params()
  return run<{ key: string; conversation_id: string }>(
    db,
    `select key, conversation_id from message_references where company_id = ${params.add(company_id, 'uuid')}
      and audience = ${params.add(audience, 'uuid')} and key = any(${params.add(keys, 'text[]')})`,
    params,
  )
}

/** Conversations of about the same days with the same subjects and one of the senders. */
function conversationsAlike(db: Db, { company_id, audience }: ChannelAudience, mails: Envelope[]) {
  const first = mails.filter(({ direction, from, references }) => direction === 'in' && from && !references.length)
  if (!first.length) return []
  const times = first.map(({ at }) => at.getTime())
  const params = new Params()
  const company = params.add(company_id, 'uuid')
  return run<{ id: string }>(
    db,
    `select c.id from conversations c where c.company_id = ${company} and c.audience = ${params.add(audience, 'uuid')}
      and c.subject = any(${params.add([...new Set(first.map(({ subject }) => baseSubject(subject)).filter(Boolean))], 'text[]')})
      and c.merged_into is null
      and c.last_message_at >= ${params.add(new Date(Math.min(...times) - alikeMs), 'timestamptz')}
      and c.last_message_at <= ${params.add(new Date(Math.max(...times) + alikeMs), 'timestamptz')}
      and exists (select from conversation_addresses a where a.company_id = ${company} and a.conversation_id = c.id
        and a.address = any(${params.add([...new Set(first.map(({ from }) => from!.address))], 'text[]')}))
      order by c.last_message_at desc limit 1000`,
    params,
  )
}

/** Where conversations are now, by their ID. */
export async function mergedInto(db: Db, { company_id, audience }: ChannelAudience, ids: string[]) {
  if (!ids.length) return new Map<string, string>()
  const params = new Params()
  const rows = await run<{ id: string; now_id: string }>(
    db,
    `select id, coalesce(merged_into, id) as now_id from conversations where company_id = ${params.add(company_id, 'uuid')}
      and audience = ${params.add(audience, 'uuid')} and id = any(${params.add(ids, 'uuid[]')})`,
    params,
  )
  return new Map(rows.map(({ id, now_id }) => [id, now_id]))
}

/** Locked, so that no other change is lost. */
function holdThreads(db: Db, { company_id, audience }: ChannelAudience, ids: string[]) {
  if (!ids.length) return []
  const params = new Params()
  return run<Thread>(
    db,
    `select ${threadColumns} from conversations where company_id = ${params.add(company_id, 'uuid')}
      and audience = ${params.add(audience, 'uuid')} and id = any(${params.add(ids, 'uuid[]')}) order by id for update`,
    params,
  )
}

async function addressesOf(db: Db, { company_id }: ChannelAudience, ids: string[]) {
  const found = new Map<string, Set<string>>(ids.map((id) => [id, new Set()]))
  if (!ids.length) return found
  const params = new Params()
  const rows = await run<{ conversation_id: string; address: string }>(
    db,
    `select conversation_id, address from conversation_addresses where company_id = ${params.add(company_id, 'uuid')}
      and conversation_id = any(${params.add(ids, 'uuid[]')})`,
    params,
  )
  for (const { conversation_id, address } of rows) found.get(conversation_id)!.add(address)
  return found
}
