// What became of a message. States never go backwards: only a person who sends it again begins from the start.
import { sql } from 'kysely'
import type { MessageState } from '../../contract/conversations.ts'
import type { Context } from '../kernel/context.ts'
import { announce, announceChanged, ownersOf } from './announce.ts'
import { type StoredMessage, storedMessage } from './answerable.ts'
import { currentSchema, noteMessages } from './links.ts'
import { followOpenings } from './openings/follow.ts'
import { countSent } from './recount.ts'

const order: MessageState[] = ['waiting', 'sending', 'unknown', 'sent', 'failed', 'delivered', 'read']
const arrived = new Set<string>(['sent', 'delivered', 'read'])
const before = (state: MessageState) => order.slice(0, order.indexOf(state))

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
type Of = { company_id: string; id: string }

/** Undefined: there is no such message. `isNew`: false if the message was there already, or further. */
export async function advance(context: Context, { company_id, id }: Of, step: Step) {
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
  const { rows } = await sql<StoredMessage>`
    update messages m set provider_id = coalesce(${step.providerId ?? null}, m.provider_id),
      key = case when exists (select from messages o where o.company_id = ${company_id} and o.audience = m.audience
        and o.key = ${key} and o.id <> m.id) then m.key else coalesce(${key}, m.key) end,
      state = case when ${isNew} then ${step.state} else m.state end,
      state_at = case when ${isNew} then ${context.now} else m.state_at end,
      state_reason = case when ${isNew} then ${step.reason ?? null} else m.state_reason end,
      send_at = case when ${isNew} then null else m.send_at end,
      leased_until = case when ${isNew} then null else m.leased_until end,
      at = case when ${isNew && !arrived.has(was.state) && arrived.has(step.state)} then ${step.at} else m.at end
    where m.company_id = ${company_id} and m.id = ${id} returning ${storedMessage}`.execute(db)
  const message = rows[0]!
  if (!isNew) return { message, isNew }
  if (arrived.has(step.state) && !arrived.has(was.state)) await noteSent(context, message)
  else if (arrived.has(step.state)) await announceChanged(context, company_id, [about(message)])
  else await tellFailed(context, message)
  return { message, isNew }
}

async function noteSent(context: Context, message: StoredMessage) {
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
    const schema = await currentSchema(context.db, company_id)
    await noteMessages(context, company_id, schema, new Map([[conversation_id, at]]), at)
  }
  await announce(context, company_id, about(message), 'message.sent', { conversation_id, message_id: id })
}

export async function tellFailed(context: Context, message: StoredMessage) {
  const { company_id, conversation_id, id: message_id } = message
  await announce(context, company_id, about(message), 'message.failed', { conversation_id, message_id })
  context.emit('message.not_sent', { conversation_id, message_id }, company_id)
}

export const about = ({ conversation_id, audience }: StoredMessage) => ({ id: conversation_id, audience })
