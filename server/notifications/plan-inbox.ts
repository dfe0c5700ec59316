// Decides which notifications the inbox creates. Readers are notified only of conversations that they may read now.
import { sql } from 'kysely'
import type { NotificationKind } from '../../contract/notifications.ts'
import type { EventPayload } from '../../contract/shared/events.ts'
import { nameOrAddress } from '../../contract/shared/visitor-address.ts'
import { findActorById } from '../accounts/users/queries.ts'
import { type Participant, withShownParticipants } from '../engine/history/shown-participants.ts'
import { audiencesFor } from '../engine/rights/audiences.ts'
import { type Actor, may } from '../kernel/context.ts'
import type { OutboxEvent } from '../kernel/outbox.ts'
import type { Db } from '../platform/db.ts'
import { findAdmins } from './admins.ts'
import type { PlannedNotification } from './plan.ts'

type Conversation = {
  id: string
  audience: string
  subject: string
  participants: Participant[]
  assignee_id: string | null
  owner_id: string | null
}

async function findConversation(db: Db, company_id: string, id: string) {
  const { rows } = await sql<Conversation>`
    select v.id, v.audience, v.subject, jsonb_path_query_array(v.participants, '$[0]') as participants, v.assignee_id, c.owner_id from conversations v
    join channels c on c.company_id = ${company_id} and c.id = v.channel_id
    where v.company_id = ${company_id} and v.id = ${id}`.execute(db)
  return rows[0]
}

/** One text for all of them, so it has a name that each of them may see. */
async function dataFor(db: Db, conversation: Conversation, readers: Actor[]) {
  let shown = conversation
  for (const actor of readers) shown = (await withShownParticipants({ actor, db }, [shown]))[0]!
  const { id, subject, participants } = shown
  const [first] = participants
  return { conversation_id: id, subject, person: nameOrAddress(first?.name, first?.address) ?? null }
}

/** A person who may read it; agents are not notified. */
async function findReader(db: Db, company_id: string, { audience }: Conversation, user_id: string | null) {
  const reader = user_id ? await findActorById(db, company_id, user_id) : undefined
  if (reader?.kind !== 'person') return undefined
  const { ids } = await audiencesFor(db, reader)
  return ids.includes(audience) ? reader : undefined
}

export async function conversationAssigned(
  db: Db,
  { company_id, actor_id }: OutboxEvent,
  { conversation_id, user_id }: EventPayload<'conversation.assigned'>,
): Promise<PlannedNotification | null> {
  const conversation = user_id === actor_id ? undefined : await findConversation(db, company_id, conversation_id)
  const reader = conversation && (await findReader(db, company_id, conversation, user_id))
  if (!reader || conversation.assignee_id !== reader.user_id) return null
  return {
    kind: 'conversation_assigned',
    data: await dataFor(db, conversation, [reader]),
    to: [reader.user_id],
    actor_id,
  }
}

export async function conversationMentioned(
  db: Db,
  { company_id, actor_id }: OutboxEvent,
  { conversation_id, user_id }: EventPayload<'conversation.mentioned'>,
): Promise<PlannedNotification | null> {
  const conversation = await findConversation(db, company_id, conversation_id)
  const reader = conversation && (await findReader(db, company_id, conversation, user_id))
  if (!reader) return null
  return { kind: 'mentioned', data: await dataFor(db, conversation, [reader]), to: [reader.user_id], actor_id }
}

/** The assignee; if unassigned, the users who manage channels. */
export async function conversationOverdue(
  db: Db,
  { company_id }: OutboxEvent,
  { conversation_id, target }: EventPayload<'conversation.overdue'>,
): Promise<PlannedNotification | null> {
  const conversation = await findConversation(db, company_id, conversation_id)
  if (!conversation) return null
  const { assignee_id } = conversation
  const readers = await readersAmong(
    db,
    company_id,
    conversation,
    assignee_id ? [assignee_id] : await managersOf(db, company_id),
  )
  const data = { ...(await dataFor(db, conversation, readers)), target }
  return { kind: 'conversation_overdue', data, to: idsOf(readers), actor_id: null }
}

export async function conversationNoticed(
  db: Db,
  { company_id }: OutboxEvent,
  { conversation_id, user_ids, rule }: EventPayload<'conversation.flagged'>,
): Promise<PlannedNotification | null> {
  const conversation = await findConversation(db, company_id, conversation_id)
  if (!conversation) return null
  const readers = await readersAmong(db, company_id, conversation, user_ids)
  const data = { ...(await dataFor(db, conversation, readers)), rule }
  return { kind: 'conversation_noticed', data, to: idsOf(readers), actor_id: null }
}

async function readersAmong(db: Db, company_id: string, conversation: Conversation, user_ids: string[]) {
  const readers = await Promise.all(user_ids.map((id) => findReader(db, company_id, conversation, id)))
  return readers.filter((reader) => reader !== undefined)
}

const idsOf = (readers: Actor[]) => readers.map(({ user_id }) => user_id)

async function managersOf(db: Db, company_id: string) {
  const { rows } = await sql<{ id: string }>`
    select u.id from users u join roles r on r.company_id = ${company_id} and r.id = u.role_id
    where u.company_id = ${company_id} and u.kind = 'person' and u.removed_at is null and u.deactivated_at is null
      and (r.is_admin or 'channels.manage' = any(r.grants)) order by u.id limit 50`.execute(db)
  return rows.map(({ id }) => id)
}

/** Once for a conversation until it is read. What machines send is no reason to look. */
export async function messageReceived(
  db: Db,
  { company_id }: OutboxEvent,
  { conversation_id, message_id }: EventPayload<'message.received'>,
): Promise<PlannedNotification | null> {
  const { rows } = await sql<{ from: string }>`
    select coalesce(from_name, from_address, 'Someone') as from from messages
    where company_id = ${company_id} and id = ${message_id} and direction = 'in' and not is_automatic`.execute(db)
  const conversation = rows[0] && (await findConversation(db, company_id, conversation_id))
  const reader = conversation && (await findReader(db, company_id, conversation, conversation.assignee_id))
  if (
    !reader ||
    (await isWaiting(db, company_id, reader.user_id, 'message_received', 'conversation_id', conversation_id))
  )
    return null
  const data = { ...(await dataFor(db, conversation, [reader])), from: rows[0]!.from }
  return { kind: 'message_received', data, to: [reader.user_id], actor_id: null }
}

type Proposed = { user_id: string; conversation_id: string | null; to: string; invited_by: string | null; kind: string }

/**
 * The user the conversation is assigned to. Without one, the owner of the mailbox, the person behind the key or the one
 * who invited the agent; otherwise the Admins.
 */
export async function proposalMade(
  db: Db,
  { company_id, actor_id }: OutboxEvent,
  { proposal_id }: EventPayload<'proposal.made'>,
): Promise<PlannedNotification | null> {
  const { rows } = await sql<Proposed>`
    select p.user_id, p.conversation_id, coalesce(p.content #>> '{recipients,0,name}', p.content #>> '{recipients,0,address}') as to, u.invited_by, u.kind from proposals p
    join users u on u.company_id = ${company_id} and u.id = p.user_id
    where p.company_id = ${company_id} and p.id = ${proposal_id} and p.state = 'waiting'`.execute(db)
  const [proposal] = rows
  const conversation = proposal?.conversation_id && (await findConversation(db, company_id, proposal.conversation_id))
  if (!conversation) return null
  const planFor = async (readers: Actor[]) => ({
    kind: 'proposal_made' as const,
    actor_id,
    to: idsOf(readers),
    data: { ...(await dataFor(db, conversation, readers)), proposal_id, to: proposal.to },
  })
  const behind = proposal.kind === 'agent' ? proposal.invited_by : proposal.user_id
  for (const user_id of [conversation.assignee_id, conversation.owner_id, behind]) {
    const reader = await findReader(db, company_id, conversation, user_id)
    if (!reader || !may(reader, 'messages.send')) continue
    return planFor([reader])
  }
  const admins = await findAdmins(db, company_id)
  return planFor(await readersAmong(db, company_id, conversation, admins))
}

/** The person who wrote it. If an agent or a rule did, the assignee of the conversation. */
export async function messageNotSent(
  db: Db,
  { company_id }: OutboxEvent,
  { conversation_id, message_id }: EventPayload<'message.not_sent'>,
): Promise<PlannedNotification | null> {
  const conversation = await findConversation(db, company_id, conversation_id)
  const message = await db
    .selectFrom('messages')
    .select(['user_id', 'state', 'state_reason'])
    .where('company_id', '=', company_id)
    .where('id', '=', message_id)
    .where((is) =>
      is.or([is('state', '=', 'failed'), is.and([is('state', '=', 'sent'), is('state_reason', 'is not', null)])]),
    )
    .executeTakeFirst()
  if (!conversation || !message) return null
  for (const user_id of [message.user_id, conversation.assignee_id]) {
    const reader = await findReader(db, company_id, conversation, user_id)
    if (!reader) continue
    const is_partial = message.state !== 'failed'
    const data = { ...(await dataFor(db, conversation, [reader])), reason: message.state_reason, is_partial }
    return { kind: 'message_failed', data, to: [reader.user_id], actor_id: null }
  }
  return null
}

/** Its owner; for a channel of the team, who connected it and the Admins. Once until it is read. */
export async function channelFailing(
  db: Db,
  { company_id }: OutboxEvent,
  { channel_id, reason }: EventPayload<'channel.failing'>,
): Promise<PlannedNotification | null> {
  const channel = await db
    .selectFrom('channels')
    .select(['kind', 'name', 'owner_id', 'created_by'])
    .where('company_id', '=', company_id)
    .where('id', '=', channel_id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!channel) return null
  const { kind, name, owner_id, created_by } = channel
  const all = owner_id
    ? [owner_id]
    : [...new Set([...(created_by ? [created_by] : []), ...(await findAdmins(db, company_id))])]
  const to: string[] = []
  for (const user_id of all)
    if (!(await isWaiting(db, company_id, user_id, 'channel_failing', 'channel_id', channel_id))) to.push(user_id)
  return {
    kind: 'channel_failing',
    data: { channel_id, name, is_personal: owner_id !== null, is_gateway: kind !== 'email', reason },
    to,
    actor_id: null,
  }
}

async function isWaiting(db: Db, company_id: string, user_id: string, kind: NotificationKind, key: string, id: string) {
  // Two jobs at the same time would both find none.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${company_id} ${user_id} ${kind} ${id}`}, 2))`.execute(db)
  const query = db
    .selectFrom('notifications')
    .select('id')
    .where('company_id', '=', company_id)
    .where('user_id', '=', user_id)
    .where('kind', '=', kind)
    .where('read_at', 'is', null)
    .where(sql`data ->> ${key}`, '=', id)
  return (await query.executeTakeFirst()) !== undefined
}
