// Puts a message into the queue of its channel. worker.ts sends it.
import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { schemaOf } from '../../engine/schema/schema.ts'
import { actorOf, type Context } from '../../kernel/context.ts'
import type { Db } from '../../platform/db.ts'
import { announce, announceChanged } from '../access/announce.ts'
import { audienceOf, type ChannelRow, isChat, senderNameOf } from '../channels/channel.ts'
import { isOurs, ourAddresses } from '../channels/our-addresses.ts'
import { asPerson, baseSubject, foldedParticipants, foldedSubject, type Participant } from '../thread/conversation.ts'
import { findMessageUnchecked } from '../thread/find-readable.ts'
import { addLinks, aroundPeople, keyOf, recordsWithAddress, titlesById } from '../thread/links.ts'
import { peopleByHandle } from '../thread/participants.ts'
import { countQueued } from '../thread/recount.ts'
import { searchOf } from '../thread/search-words.ts'
import { keepFiles } from './attachments.ts'
import { compose } from './compose.ts'
import { queued } from './message-state.ts'
import type { Target } from './resolve-message.ts'

type By = { user_id: string | null; api_key_id: string | null; client: string | null }
/** A message that a rule sends. */
type OfRule = { isAutomatic: boolean; rule_id: string }
type How = { by: By; send_at: Date; canUnsubscribe: boolean; data?: object } & Partial<OfRule>

/** In its conversation, which must exist. */
export async function queueMessage(context: Context, target: Target & { conversation_id: string }, how: How) {
  const { company_id } = actorOf(context)
  const { channel, conversation_id, replyTo, mode, recipients, subject, files } = target
  const { language, time_zone } = await schemaOf(context.db, actorOf(context))
  const { by, send_at } = how
  const id = randomUUIDv7()
  const { can, keyOf: nameOf } = target.kind
  const written = compose({
    text: target.text,
    signature: isChat(target.kind) ? '' : channel.signature,
    mode,
    quoted: replyTo,
    language,
    time_zone,
  })
  const content = { ...written, html: can.html ? written.html : null }
  const at = send_at > context.now ? context.now : send_at
  const known = nameOf?.(channel, { messageId: id, conversationId: conversation_id })
  await context.db
    .insertInto('messages')
    .values({
      company_id,
      id,
      conversation_id,
      audience: audienceOf(channel),
      channel_id: channel.id,
      kind: 'message',
      direction: 'out',
      at,
      ...by,
      from_address: channel.address,
      from_name: isChat(target.kind)
        ? await writerName(context.db, company_id, by.user_id)
        : (channel.owner_name ?? (await teamName(context, channel, how))),
      recipients: JSON.stringify(recipients),
      subject,
      ...content,
      files: JSON.stringify(files),
      ...queued(context.now, send_at),
      key: known?.key ?? null,
      provider_id: known?.providerId ?? null,
      reply_to_id: mode === 'none' && !isChat(target.kind) ? null : (replyTo?.id ?? null),
      can_unsubscribe: how.canUnsubscribe,
      is_automatic: how.isAutomatic ?? false,
      rule_id: how.rule_id ?? null,
      data:
        how.data || target.template
          ? JSON.stringify({ ...how.data, ...(target.template && { template: target.template }) })
          : null,
      search: searchOf(
        subject,
        target.text,
        ...recipients.flatMap(({ address, name }) => [address, name ?? '']),
        ...files.filter(({ is_inline }) => !is_inline).map(({ name }) => name),
      ),
    })
    .execute()
  await keepFiles(
    context,
    files.map((file) => file.id),
  )
  const participants = await noteRecipients(context, channel.id, conversation_id, recipients)
  await countQueued(
    context.db,
    { company_id, id: conversation_id },
    { at, ...content, files, is_automatic: how.isAutomatic ?? false },
    participants,
  )
  // Writing marks the conversation as read.
  if (by.user_id)
    await sql`insert into conversation_reads (company_id, conversation_id, user_id, read_at)
    values (${company_id}, ${conversation_id}, ${actorOf(context).user_id}, ${context.now})
    on conflict (company_id, conversation_id, user_id) do update set read_at = excluded.read_at`.execute(context.db)
  context.emit('message.queued', {})
  await announceChanged(context, company_id, [{ id: conversation_id, audience: audienceOf(channel) }])
  return (await findMessageUnchecked(context.db, company_id, id))!
}

/** Whom customers see in a chat: the first name of the person who wrote. What no person wrote is from the company. */
async function writerName(db: Db, company_id: string, user_id: string | null) {
  const { rows } = await sql<{ name: string }>`
    select coalesce(split_part(u.name, ' ', 1), c.name) as name from companies c
    left join users u on u.company_id = ${company_id} and u.id = ${user_id}::uuid and u.kind = 'person'
    where c.id = ${company_id}`.execute(db)
  return rows[0]!.name
}

/** Keeps outreach apart from the questions of customers: what a person begins is theirs, and what an agent begins is closed until it is answered. */
export async function takeBegun(context: Context, conversation_id: string) {
  const { company_id, user_id, kind } = actorOf(context)
  const change = kind === 'person' ? sql`assignee_id = ${user_id}` : sql`state = 'closed', closed_at = ${context.now}`
  await sql`update conversations set ${change} where company_id = ${company_id} and id = ${conversation_id}
    and state = 'open' and assignee_id is null and last_in_at is null`.execute(context.db)
}

/** "Sales" or, if a person wrote or approved the message and the mailbox shows that, "Ada Lovelace (Sales)". */
async function teamName(context: Context, channel: ChannelRow, { by, isAutomatic, rule_id }: How) {
  if (senderNameOf(channel) === 'channel' || isAutomatic || rule_id) return channel.name
  const { company_id, user_id } = actorOf(context)
  const { rows } = await sql<{ name: string }>`
    select name from users where company_id = ${company_id} and kind = 'person'
      and id = any(${[by.user_id ?? user_id, user_id]}::uuid[]) order by id = ${user_id} limit 1`.execute(context.db)
  return rows[0] ? `${rows[0].name} (${channel.name})` : channel.name
}

/** A conversation for a message to someone we have not written to in it. */
export async function beginConversation(context: Context, { channel, subject, recipients }: Target) {
  const { company_id } = actorOf(context)
  const id = randomUUIDv7()
  const participants = await noteRecipients(context, channel.id, id, recipients)
  await context.db
    .insertInto('conversations')
    .values({
      company_id,
      id,
      audience: audienceOf(channel),
      channel_id: channel.id,
      subject: baseSubject(subject),
      subject_folded: foldedSubject(baseSubject(subject)),
      participants: JSON.stringify(participants),
      participants_folded: foldedParticipants(participants),
      created_at: context.now,
      last_message_at: context.now,
    })
    .execute()
  await announce(context, company_id, { id, audience: audienceOf(channel) }, 'conversation.created', {
    conversation_id: id,
  })
  return id
}

/** Returns the outsiders as participants. The conversation is linked to the people and leads that have their address. */
async function noteRecipients(
  context: Context,
  channel_id: string,
  conversation_id: string,
  recipients: Target['recipients'],
) {
  const { company_id } = actorOf(context)
  const { db } = context
  const ours = await ourAddresses(db, company_id)
  const outsiders = recipients.filter(({ address }) => !isOurs(ours, address))
  const addresses = outsiders.map(({ address }) => address)
  const schema = await schemaOf(db, actorOf(context))
  const people = await recordsWithAddress(db, company_id, schema, 'people', addresses)
  for (const [handle, id] of await peopleByHandle(db, company_id, channel_id, addresses)) people.set(handle, [id])
  const leads = await recordsWithAddress(db, company_id, schema, 'leads', addresses)
  const titles = await titlesById(db, company_id, [...people.values()].flat())
  const participants = outsiders.map(({ address, name }): Participant => {
    const [id] = people.get(address) ?? []
    const one = { address, name, person_id: null }
    return id ? asPerson(one, { id, title: titles.get(id)! }) : one
  })
  await sql`insert into conversation_addresses (company_id, address, conversation_id)
    select ${company_id}, a, ${conversation_id} from unnest(${addresses}::text[]) a on conflict do nothing`.execute(db)
  const around = await aroundPeople(db, company_id, schema, [...new Set([...people.values()].flat())])
  await addLinks(db, company_id, [
    ...[...people.values()]
      .flat()
      .map((record_id) => ({ conversation_id, record_id, object: keyOf(schema, 'people') })),
    ...[...leads.values()].flat().map((record_id) => ({ conversation_id, record_id, object: keyOf(schema, 'leads') })),
    ...[...around.values()].flat().map((one) => ({ conversation_id, ...one })),
  ])
  return participants
}
