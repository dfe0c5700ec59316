// Takes one message from the queue, so that exactly one process sends it, and writes down what became of it. A message that
// is being sent when its process dies may have been sent: it is never sent again by itself.
import { sql } from 'kysely'
import { own } from '../../contract/own.ts'
import { readSchema } from '../engine/schema/schema.ts'
import type { Context } from '../kernel/context.ts'
import type { Db } from '../platform/db.ts'
import { announce, announceChanged, ownersOf } from './announce.ts'
import { type StoredMessage, storedMessage } from './answerable.ts'
import { asChannel } from './as-channel.ts'
import type { ChannelKinds, ChannelRow, SendResult } from './channel.ts'
import { optOutReason } from './contacts.ts'
import { currentSchema, noteMessages } from './links.ts'
import { refresh } from './moves.ts'
import { followOpenings } from './openings/follow.ts'
import { nextAttempt } from './retry-plan.ts'

/** How long a process may be silent before another one decides about its message. */
export const leaseSeconds = 30
const pausedSeconds = 60

export type Due = { company_id: string; id: string; channel_id: string; state: string }
type Channel = ChannelRow & { state: string; is_gone: boolean }
export type Claimed = {
  message: StoredMessage & { attempts: number; can_unsubscribe: boolean }
  channel: Channel
  leased_by: string
}

/** A channel that failed does not know its own name for the message. */
export type Result = SendResult | { state: 'unknown'; reason: string }

/** Of one company, the next ones. Those that a dead process left are among them. */
export async function dueMessages(db: Db, company_id: string, now: Date, limit: number) {
  const { rows } = await sql<Due>`
    select company_id, id, channel_id, state from messages where company_id = ${company_id} and send_at <= ${now}
      and (state = 'waiting' or (state = 'sending' and leased_until < now())) order by send_at, id limit ${limit}`.execute(
    db,
  )
  return rows
}

export async function claim(
  db: Db,
  kinds: ChannelKinds,
  due: Due,
  leased_by: string,
  now: Date,
): Promise<Claimed | undefined> {
  const { company_id, id } = due
  return asChannel(db, { company_id, id: due.channel_id, name: '' }, now, async (context) => {
    const { db: tx } = context
    const { rows } = await sql<Claimed['message']>`
      select ${storedMessage}, m.attempts, m.can_unsubscribe from messages m
      where m.company_id = ${company_id} and m.id = ${id} and m.state = 'waiting' and m.send_at <= ${now}
      for update skip locked`.execute(tx)
    const [message] = rows
    if (!message) return undefined
    const channel = await findChannel(tx, company_id, message.channel_id)
    if (!channel || channel.is_gone) return giveUp(context, message, 'Its channel was disconnected before it was sent.')
    if (channel.state === 'paused') return postpone(context, message, pausedSeconds, 'The channel is paused.')
    const recipients = message.recipients.map(({ address }) => address)
    const reason = await optOutReason(tx, company_id, await readSchema(tx, company_id), recipients)
    if (reason) return giveUp(context, message, reason)
    if (!(await takePlace(tx, channel, now))) {
      const seconds = (nextHour(now).getTime() - now.getTime()) / 1000
      return postpone(context, message, seconds, 'The channel reached its limit for this hour.')
    }
    const known = own(kinds, channel.kind)?.keyOf?.(channel, { messageId: id, conversationId: message.conversation_id })
    await sql`update messages set state = 'sending', state_at = ${now}, state_reason = null, attempts = attempts + 1,
        key = coalesce(${known?.key ?? null}, key), provider_id = coalesce(${known?.providerId ?? null}, provider_id),
        leased_by = ${leased_by}, leased_until = now() + make_interval(secs => ${leaseSeconds})
      where company_id = ${company_id} and id = ${id}`.execute(tx)
    return { message: { ...message, attempts: message.attempts + 1 }, channel, leased_by }
  })
}

async function findChannel(db: Db, company_id: string, id: string): Promise<Channel | undefined> {
  const { rows } = await sql<Channel>`
    select company_id, id, kind, name, address, owner_id, settings, secrets, state,
      deleted_at is not null or disconnected_at is not null as is_gone
    from channels where company_id = ${company_id} and id = ${id}`.execute(db)
  return rows[0]
}

const hourOf = (now: Date) => new Date(Math.floor(now.getTime() / 3_600_000) * 3_600_000)
const nextHour = (now: Date) => new Date(hourOf(now).getTime() + 3_600_000)

/** One conditional update, so that processes cannot exceed the limit together. */
async function takePlace(tx: Db, { company_id, id }: Channel, now: Date) {
  const hour = hourOf(now)
  const { rows } =
    await sql`update channels set hour_used = case when hour = ${hour} then hour_used + 1 else 1 end, hour = ${hour}
    where company_id = ${company_id} and id = ${id} and (hour is distinct from ${hour} or hour_used < hourly_limit) returning id`.execute(
      tx,
    )
  return rows.length > 0
}

const givePlaceBack = (tx: Db, { company_id, id }: Channel, now: Date) =>
  sql`update channels set hour_used = hour_used - 1
    where company_id = ${company_id} and id = ${id} and hour = ${hourOf(now)} and hour_used > 0`.execute(tx)

async function postpone(context: Context, message: StoredMessage, seconds: number, reason: string) {
  const { company_id, id } = message
  await sql`update messages set send_at = ${context.now}::timestamptz + make_interval(secs => ${seconds}), state_reason = ${reason}
    where company_id = ${company_id} and id = ${id}`.execute(context.db)
  await announceChanged(context, company_id, [about(message)])
  return undefined
}

async function giveUp(context: Context, message: StoredMessage, reason: string) {
  const { company_id, id } = message
  await sql`update messages set state = 'failed', state_at = ${context.now}, state_reason = ${reason}, send_at = null
    where company_id = ${company_id} and id = ${id}`.execute(context.db)
  await tellFailed(context, message)
  return undefined
}

export const renew = (db: Db, { company_id, id }: StoredMessage, leased_by: string) =>
  sql`update messages set leased_until = now() + make_interval(secs => ${leaseSeconds})
    where company_id = ${company_id} and id = ${id} and leased_by = ${leased_by} and state = 'sending'`.execute(db)

/** Left by a process that died while it sent it. */
export async function abandon(db: Db, { company_id, id, channel_id }: Due, now: Date) {
  await asChannel(db, { company_id, id: channel_id, name: '' }, now, async (context) => {
    const { rows } = await sql<StoredMessage>`
      update messages m set state = 'unknown', state_at = ${now}, send_at = null,
        state_reason = 'Kith stopped while it was being sent. Check the Sent folder before you send it again.'
      where m.company_id = ${company_id} and m.id = ${id} and m.state = 'sending' and m.leased_until < now()
      returning ${storedMessage}`.execute(context.db)
    if (rows[0]) await tellFailed(context, rows[0])
  })
}

/** States never go backwards: what was given up as unknown can still turn out to be sent, and nothing else. */
export const writeResult = (db: Db, { message, channel, leased_by }: Claimed, result: Result, now: Date) =>
  asChannel(db, channel, now, async (context) => {
    const { company_id, id } = message
    const again = result.state === 'again' ? nextAttempt(now, message.attempts, result.afterSeconds) : undefined
    const state = result.state === 'again' ? (again ? 'waiting' : 'failed') : result.state
    const key = 'key' in result ? result.key : null
    const provider_id = 'key' in result ? result.providerId : null
    const from = state === 'sent' ? ['sending', 'unknown'] : ['sending']
    const { rows } = await sql<StoredMessage>`
      update messages m set state = ${state}, state_at = ${now}, state_reason = ${'reason' in result ? result.reason : null},
        send_at = ${again ?? null}, at = ${state === 'sent' ? now : message.at}, key = coalesce(${key}, m.key),
        provider_id = coalesce(${provider_id}, m.provider_id), leased_until = null
      where m.company_id = ${company_id} and m.id = ${id} and m.leased_by = ${leased_by} and m.state = any(${from})
      returning ${storedMessage}`.execute(context.db)
    const [written] = rows
    if (!written) return
    if (result.state === 'again') await givePlaceBack(context.db, channel, now)
    if (state === 'sent') await noteSent(context, written)
    else if (state === 'waiting') await announceChanged(context, company_id, [about(written)])
    else await tellFailed(context, written)
  })

async function noteSent(context: Context, message: StoredMessage) {
  const { company_id, id, conversation_id, audience, at } = message
  await refresh(context.db, company_id, conversation_id)
  await followOpenings(context.db, company_id, [conversation_id], context.now)
  // Answered: no one has to look at it anymore. What a rule sent is no answer.
  if (!message.is_automatic)
    await sql`update conversations set unread_at = null where company_id = ${company_id} and id = ${conversation_id}
    and last_in_at <= ${at}`.execute(context.db)
  // What is private leaves no trace on records.
  const owners = await ownersOf(context, company_id, [audience])
  if (!owners.size && !message.is_automatic) {
    const schema = await currentSchema(context.db, company_id)
    await noteMessages(context, company_id, schema, new Map([[conversation_id, at]]), at)
  }
  await announce(context, company_id, about(message), 'message.sent', { conversation_id, message_id: id })
}

const tellFailed = (context: Context, message: StoredMessage) =>
  announce(context, message.company_id, about(message), 'message.failed', {
    conversation_id: message.conversation_id,
    message_id: message.id,
  })

const about = ({ conversation_id, audience }: StoredMessage) => ({ id: conversation_id, audience })
