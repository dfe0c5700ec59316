// Takes one message from the queue, so that exactly one process sends it, and writes down what became of it. A message that
// is being sent when its process dies may have been sent: it is never sent again by itself.
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { own } from '../../../contract/shared/own.ts'
import { schemaOfCompany } from '../../engine/schema/schema.ts'
import type { Leased } from '../../kernel/leases.ts'
import type { Db } from '../../platform/db.ts'
import { hourMs } from '../../platform/times.ts'
import { asChannel } from '../channels/act-as.ts'
import { isHeld } from '../channels/allowed.ts'
import {
  type ChannelKinds,
  type ChannelRow,
  isChat,
  type ProviderTemplate,
  type SendResult,
} from '../channels/channel.ts'
import { optOutReason } from '../people/do-not-contact.ts'
import { type StoredMessage, storedMessage } from '../thread/find-readable.ts'
import { abandoned, claimed, postponed, refused } from './message-state.ts'

const pausedSeconds = 60

export type Due = Leased & { channel_id: string; state: string }
type Channel = ChannelRow & { state: string; retry_at: Date | null; is_gone: boolean }
export type Claimed = {
  message: StoredMessage & {
    attempts: number
    can_unsubscribe: boolean
    resends: number
    template: ProviderTemplate | null
  }
  channel: Channel
  leased_by: string
}

/** Of `m`. */
export const claimedMessage = sql`${storedMessage}, m.attempts, m.can_unsubscribe, m.resends, m.data -> 'template' as template`

/** A channel that failed does not know its own name for the message. */
export type Result = SendResult | { state: 'unknown'; reason: string }

type DueQuery = {
  /** At most so many of each channel, so that one with a long queue hides no other. */
  ofChannel: number
  /** Not of these. */
  without?: string[]
  /** Only of this one, whose gateway fetches them. */
  fetchedBy?: string
}

/**
 * Of one company, the next ones. Those that a dead process left are among them. In a chat, a message waits for those
 * before it.
 */
export async function dueMessages(
  db: Db,
  kinds: ChannelKinds,
  company_id: string,
  now: Date,
  { ofChannel, without = [], fetchedBy }: DueQuery,
): Promise<Due[]> {
  const chats = Object.entries(kinds).flatMap(([name, kind]) => (isChat(kind) ? [name] : []))
  const { rows } = await sql<Omit<Due, 'leased_by'>>`
    select d.company_id, d.id, d.channel_id, d.state from channels h cross join lateral (
      select m.company_id, m.id, m.channel_id, m.state, m.send_at from messages m
      where m.company_id = ${company_id} and m.channel_id = h.id and m.send_at <= ${now}
        and (m.state = 'waiting' or (m.state = 'sending' and m.leased_until < now()))
        and (h.kind <> all(${chats}::text[]) or not exists (select from messages e
          where e.company_id = ${company_id} and e.conversation_id = m.conversation_id and e.channel_id = m.channel_id
            and e.id < m.id and e.send_at is not null and (e.state = 'sending' or e.state = 'waiting' and (e.send_at <= ${now} or e.attempts > 0))
            and e.direction = 'out'))
      order by m.send_at, m.id limit ${ofChannel}) d
    where h.company_id = ${company_id} and h.id <> all(${without}::uuid[])
      and ${fetchedBy ? sql`h.id = ${fetchedBy}` : sql`(not h.is_polled or h.disconnected_at is not null)`}
    order by d.send_at, d.id`.execute(db)
  return rows.map((due) => ({ ...due, leased_by: randomUUID() }))
}

/**
 * When a message of the company is due that this installation sends, or the lease of one ends: of any that is being sent,
 * because the clock of the process that began it may be ahead of ours.
 */
export async function nextDue(db: Db, company_id: string, now: Date) {
  const inChannel = sql`m.company_id = ${company_id} and m.channel_id = h.id`
  const { rows } = await sql<{ next: Date | null }>`
    select min(case when w.at <= ${now} then w.at else least(w.at, (
      select ${now}::timestamptz + (min(m.leased_until) - now()) from messages m
      where ${inChannel} and m.send_at is not null and m.state = 'sending')) end) as next
    from channels h cross join lateral (select (
      select m.send_at from messages m where ${inChannel} and m.send_at is not null and m.state = 'waiting'
      order by m.send_at limit 1) as at) w
    where h.company_id = ${company_id} and (not h.is_polled or h.disconnected_at is not null)`.execute(db)
  return rows[0]!.next
}

export async function claim(
  db: Db,
  kinds: ChannelKinds,
  due: Due,
  now: Date,
  seconds?: number,
): Promise<Claimed | undefined> {
  const { company_id, id, leased_by } = due
  return asChannel(db, { company_id, id: due.channel_id, name: '' }, now, async (context) => {
    const { db: tx } = context
    const { rows } = await sql<Claimed['message']>`
      select ${claimedMessage} from messages m
      where m.company_id = ${company_id} and m.id = ${id} and m.state = 'waiting' and m.send_at <= ${now}
      for update skip locked`.execute(tx)
    const [message] = rows
    if (!message) return undefined
    const channel = await findChannel(tx, company_id, message.channel_id)
    const refuse = async (reason: string) => {
      await refused(context, message, reason)
      return undefined
    }
    const postpone = async (seconds: number, reason: string) => {
      await postponed(context, message, seconds, reason)
      return undefined
    }
    if (!channel || channel.is_gone) return refuse('The channel was disconnected before the message was sent.')
    if (isHeld(channel)) return postpone(pausedSeconds, 'The channel is paused.')
    if (channel.retry_at && channel.retry_at > now)
      return postpone(
        (channel.retry_at.getTime() - now.getTime()) / 1000,
        'Rate limited by the provider. Retrying later.',
      )
    const kind = own(kinds, channel.kind)
    const { conversation_id: conversationId, text } = message
    const recipients = message.recipients.map(({ address }) => address)
    const schema = await schemaOfCompany(tx, company_id)
    const reason =
      (await optOutReason(tx, company_id, schema, recipients, conversationId)) ??
      (await kind?.refusal?.(channel, { conversationId, text, template: message.template }, now, tx))
    if (reason) return refuse(reason)
    if (!(await reserveQuota(tx, channel, now))) {
      const seconds = (nextHour(now).getTime() - now.getTime()) / 1000
      return postpone(seconds, 'The channel reached its limit for this hour.')
    }
    const known = kind?.keyOf?.(channel, { messageId: id, conversationId })
    await claimed(context, message, { leased_by, seconds, known })
    return { message: { ...message, attempts: message.attempts + 1 }, channel, leased_by }
  })
}

async function findChannel(db: Db, company_id: string, id: string): Promise<Channel | undefined> {
  const { rows } = await sql<Channel>`
    select company_id, id, kind, name, address, owner_id, settings, secrets, state, retry_at,
      deleted_at is not null or disconnected_at is not null as is_gone
    from channels where company_id = ${company_id} and id = ${id}`.execute(db)
  return rows[0]
}

const hourOf = (now: Date) => new Date(Math.floor(now.getTime() / hourMs) * hourMs)
const nextHour = (now: Date) => new Date(hourOf(now).getTime() + hourMs)

/** One conditional update, so that processes cannot exceed the limit together. */
async function reserveQuota(tx: Db, { company_id, id }: Channel, now: Date) {
  const hour = hourOf(now)
  const { rows } =
    await sql`update channels set hour_used = case when hour = ${hour} then hour_used + 1 else 1 end, hour = ${hour}
    where company_id = ${company_id} and id = ${id} and (hour is distinct from ${hour} or hour_used < hourly_limit) returning id`.execute(
      tx,
    )
  return rows.length > 0
}

export const refundQuota = (tx: Db, { company_id, id }: Channel, now: Date) =>
  sql`update channels set hour_used = hour_used - 1
    where company_id = ${company_id} and id = ${id} and hour = ${hourOf(now)} and hour_used > 0`.execute(tx)

/** Left by a process that died while it sent it. */
export const abandon = (db: Db, kinds: ChannelKinds, { company_id, id, channel_id }: Due, now: Date) =>
  asChannel(db, { company_id, id: channel_id, name: '' }, now, async (context) => {
    const channel = await findChannel(context.db, company_id, channel_id)
    const canRepeat = channel !== undefined && !channel.is_gone && own(kinds, channel.kind)?.canRepeat === true
    await abandoned(context, { company_id, id }, canRepeat)
  })
