// The state of a message. Nothing else writes it: each way to change it is a function here, with everything that follows
// from it, such as events and response times. States never go backwards, unless a person sends the message again.
import { sql } from 'kysely'
import type { MessageState } from '../../../contract/conversations.ts'
import { schemaOfCompany } from '../../engine/schema/schema.ts'
import { actorOf, type Context } from '../../kernel/context.ts'
import { leasesOf } from '../../kernel/leases.ts'
import type { Db } from '../../platform/db.ts'
import { announce, announceChanged, ownersOf } from '../access/announce.ts'
import { type StoredMessage, storedMessage } from '../thread/find-readable.ts'
import { noteMessages } from '../thread/links.ts'
import { countChanged, countSent } from '../thread/recount.ts'
import { addEvent } from '../thread/thread-event.ts'
import { followOpenings } from '../thread/waiting-time.ts'

const order: MessageState[] = ['waiting', 'sending', 'unknown', 'sent', 'failed', 'delivered', 'read']
const arrived = new Set<string>(['sent', 'delivered', 'read'])
const before = (state: MessageState) => order.slice(0, order.indexOf(state))

type MessageRef = { company_id: string; id: string }

/** Of a new message, until it is sent. */
export const queued = (now: Date, send_at: Date) => ({ state: 'waiting', state_at: now, send_at })

/** Of messages that are being sent. */
export const leases = leasesOf('messages', 30, sql`t.state = 'sending'`)

/** `seconds`: if it is not sent by this process. */
type Claim = { leased_by: string; seconds: number | undefined; known: { key: string; providerId: string } | undefined }

/** A process sends it now. */
export const claimed = ({ db, now }: Context, { company_id, id }: MessageRef, { leased_by, seconds, known }: Claim) =>
  sql`update messages set state = 'sending', state_at = ${now}, state_reason = null, attempts = attempts + 1,
    key = coalesce(${known?.key ?? null}, key), provider_id = coalesce(${known?.providerId ?? null}, provider_id),
    ${leases.taking(leased_by, seconds)}
  where company_id = ${company_id} and id = ${id}`.execute(db)

/** It was not tried. */
export async function postponed(context: Context, message: StoredMessage, seconds: number, reason: string) {
  const { company_id, id } = message
  await sql`update messages set send_at = ${context.now}::timestamptz + make_interval(secs => ${seconds}), state_reason = ${reason}
    where company_id = ${company_id} and id = ${id}`.execute(context.db)
  await announceChanged(context, company_id, [about(message)])
}

/** An error of ours came before it was sent. */
export const delayed = (db: Db, { company_id, id }: MessageRef, until: Date) =>
  sql`update messages set send_at = ${until} where company_id = ${company_id} and id = ${id} and state = 'waiting'`.execute(
    db,
  )

/** It must not be sent. */
export async function refused(context: Context, message: StoredMessage, reason: string) {
  const { company_id, id } = message
  await sql`update messages set state = 'failed', state_at = ${context.now}, state_reason = ${reason}, send_at = null
    where company_id = ${company_id} and id = ${id}`.execute(context.db)
  await reportFailed(context, message)
}

type Attempt = { leased_by: string; reason: string; again: Date | null; isCounted: boolean }

/** Nothing was sent. `again`: when it is tried again; null: it is given up. False: another process has it. */
export async function notSent(context: Context, { company_id, id }: MessageRef, attempt: Attempt) {
  const { leased_by, reason, again, isCounted } = attempt
  const { rows } = await sql<StoredMessage>`
    update messages m set state = ${again ? 'waiting' : 'failed'}, state_at = ${context.now}, state_reason = ${reason},
      send_at = ${again}, leased_until = null, attempts = m.attempts - ${isCounted ? 0 : 1}
    where m.company_id = ${company_id} and m.id = ${id} and m.leased_by = ${leased_by} and m.state = 'sending'
    returning ${storedMessage}`.execute(context.db)
  const [message] = rows
  if (!message) return false
  if (again) await announceChanged(context, company_id, [about(message)])
  else await reportFailed(context, message)
  return true
}

/** Its process died while it sent it. `canRepeat`: the channel recognizes what it gets twice, so it gets it again. */
export async function abandoned(context: Context, { company_id, id }: MessageRef, canRepeat: boolean) {
  const { rows } = await sql<StoredMessage>`
    update messages m set state = ${canRepeat ? 'waiting' : 'unknown'}, state_at = ${context.now},
      leased_by = case when ${canRepeat} then null else m.leased_by end, leased_until = null,
      send_at = case when ${canRepeat} then m.send_at end,
      state_reason = case when ${canRepeat} then m.state_reason else ${interrupted} end
    where m.company_id = ${company_id} and m.id = ${id} and m.state = 'sending' and m.leased_until < now()
    returning ${storedMessage}`.execute(context.db)
  if (rows[0] && !canRepeat) await reportFailed(context, rows[0])
}

/** Kith itself puts the copy into Sent, and had stopped: that it is missing there says nothing. */
const interrupted =
  'Kith stopped while this message was being sent, so it may have arrived, even if it is not in the Sent folder. Ask the recipient before you send it again.'

/** Undefined: it is too late. */
export async function cancelled(context: Context, message: StoredMessage) {
  const { company_id, user_id } = actorOf(context)
  const { rows } = await sql<StoredMessage>`
    update messages m set state = 'cancelled', state_at = ${context.now}, send_at = null, state_reason = null
    where m.company_id = ${company_id} and m.id = ${message.id} and m.state = 'waiting' returning ${storedMessage}`.execute(
    context.db,
  )
  if (!rows[0]) return undefined
  await countChanged(context.db, { company_id, id: message.conversation_id }, 1)
  if (message.user_id !== user_id)
    await addEvent(context, { ...message, id: message.conversation_id }, { type: 'message_cancelled' })
  await announceChanged(context, company_id, [about(message)])
  return rows[0]
}

/** A person has it sent again. Undefined: it was sent, or waits for its time. */
export async function resent(context: Context, { company_id, id }: MessageRef) {
  const { rows } = await sql<StoredMessage>`
    update messages m set state = 'waiting', state_at = ${context.now}, state_reason = null, send_at = ${context.now}, attempts = 0,
      resends = resends + case when m.state = 'waiting' then 0 else 1 end,
      at = ${context.now}, leased_by = null, leased_until = null
    where m.company_id = ${company_id} and m.id = ${id} and m.direction = 'out'
      and (m.state in ('failed', 'unknown') or m.state = 'waiting' and m.state_reason is not null)
    returning ${storedMessage}`.execute(context.db)
  const [message] = rows
  if (!message) return undefined
  context.emit('message.queued', {})
  await announceChanged(context, company_id, [about(message)])
  return message
}

type Step = {
  state: MessageState
  reason?: string | null
  at: Date
  /** What it is recognized by from now on. */
  key?: string | undefined
  providerId?: string | undefined
  /** Only if this process still has it. */
  leased_by?: string
}

/** A channel reports that it was sent, delivered, read or refused. Undefined: there is no such message. `isNew`: false if the message was there already, or further. */
export async function advance(context: Context, { company_id, id }: MessageRef, step: Step) {
  const { db } = context
  const { rows: held } = await sql<{ state: string; leased_by: string | null }>`
    select state, leased_by from messages where company_id = ${company_id} and id = ${id} and direction = 'out' for update`.execute(
    db,
  )
  const [was] = held
  if (!was) return undefined
  const isMine = step.leased_by === undefined || step.leased_by === was.leased_by
  const isNew = isMine && before(step.state).some((earlier) => earlier === was.state)
  const key = step.key ?? null
  // It still says who did not get it.
  const keepsReason = !isNew || (arrived.has(was.state) && arrived.has(step.state))
  const { rows } = await sql<StoredMessage>`
    update messages m set provider_id = coalesce(${step.providerId ?? null}, m.provider_id),
      key = case when exists (select from messages o where o.company_id = ${company_id} and o.audience = m.audience
        and o.key = ${key} and o.id <> m.id) then m.key else coalesce(${key}, m.key) end,
      state = case when ${isNew} then ${step.state} else m.state end,
      state_at = case when ${isNew} then ${context.now} else m.state_at end,
      state_reason = case when ${keepsReason} then m.state_reason else ${step.reason ?? null} end,
      send_at = case when ${isNew} then null else m.send_at end,
      leased_until = case when ${isNew} then null else m.leased_until end,
      at = case when ${isNew && !arrived.has(was.state) && arrived.has(step.state)} then ${step.at} else m.at end
    where m.company_id = ${company_id} and m.id = ${id} returning ${storedMessage}`.execute(db)
  const message = rows[0]!
  if (!isNew) return { message, isNew }
  if (arrived.has(step.state) && !arrived.has(was.state)) await reportSent(context, message)
  else if (arrived.has(step.state)) await announceChanged(context, company_id, [about(message)])
  else await reportFailed(context, message)
  return { message, isNew }
}

/** A copy of it is in Sent, so it was sent, although nothing confirmed it. */
export const foundInSent = (context: Context, message: MessageRef, at: Date) =>
  advance(context, message, { state: 'sent', at: at < context.now ? at : context.now })

/** A report says that it did not arrive. `isNews`: false for what is read from an old mailbox. */
export async function bounced(context: Context, { company_id, id }: MessageRef, reason: string, isNews: boolean) {
  const { rows } = await sql<StoredMessage>`
    update messages m set state = 'failed', state_reason = ${reason.slice(0, 500)}, state_at = ${context.now}
    where m.company_id = ${company_id} and m.id = ${id} and m.state <> 'failed' returning ${storedMessage}`.execute(
    context.db,
  )
  if (rows[0] && isNews) await reportFailed(context, rows[0])
}

type Chat = { company_id: string; conversation_id: string; channel_id: string; audience: string }

/** The visitor of a chat has seen everything so far. */
export async function seenByVisitor(context: Context, { company_id, conversation_id, channel_id, audience }: Chat) {
  const { rows } = await sql`update messages set state = 'read', state_at = ${context.now}
    where company_id = ${company_id} and conversation_id = ${conversation_id} and channel_id = ${channel_id}
      and direction = 'out' and state in ('sent', 'delivered') and at <= ${context.now} returning id`.execute(
    context.db,
  )
  if (rows.length) await announceChanged(context, company_id, [{ id: conversation_id, audience }])
}

async function reportSent(context: Context, message: StoredMessage) {
  const { company_id, id, conversation_id, audience, at } = message
  await countSent(context.db, message)
  await followOpenings(context.db, company_id, [conversation_id], context.now)
  // Answered: no one has to look at it anymore. What a rule sent is no answer.
  if (!message.is_automatic)
    await sql`update conversations set unread_at = null where company_id = ${company_id} and id = ${conversation_id}
      and last_in_at <= ${at}`.execute(context.db)
  // What is private leaves no trace on records.
  const owners = await ownersOf(context, company_id, [audience])
  if (!owners.size && !message.is_automatic) {
    const schema = await schemaOfCompany(context.db, company_id)
    await noteMessages(context, company_id, schema, new Map([[conversation_id, at]]), at)
  }
  await announce(context, company_id, about(message), 'message.sent', { conversation_id, message_id: id })
  if (message.state_reason !== null) context.emit('message.not_sent', { conversation_id, message_id: id }, company_id)
}

async function reportFailed(context: Context, message: StoredMessage) {
  const { company_id, conversation_id, id: message_id } = message
  await announce(context, company_id, about(message), 'message.failed', { conversation_id, message_id })
  context.emit('message.not_sent', { conversation_id, message_id }, company_id)
}

const about = ({ conversation_id, audience }: StoredMessage) => ({ id: conversation_id, audience })
