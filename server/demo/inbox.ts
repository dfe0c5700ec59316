// Mailboxes of the team with conversations in several states. They are paused and never connect: a demo sends nothing.

import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { ChannelRow, Incoming } from '../inbox/channels/channel.ts'
import { readShort } from '../inbox/receiving/read-messages.ts'
import { receive } from '../inbox/receiving/receive.ts'
import { hourMs, minuteMs } from '../platform/times.ts'
import { agentClient } from './agent-work.ts'
import { type DemoThread, labels, proposed, templates, threads } from './conversations.ts'
import { type Customer, mailsBetween } from './mails.ts'
import { addHours, type Begun, beginOpenings, endOpenings } from './openings.ts'
import { addPastConversations, closePast, nameWriters } from './past-inbox.ts'
import type { Room, Team } from './story.ts'
import { domainOf } from './team.ts'
import { idAt, workingTime } from './times.ts'

const mostCustomers = 120

export async function addInbox(room: Room, team: Team) {
  const channel = await addChannel(room, 'Sales')
  const support = await addChannel(room, 'Support')
  await addHours(room)
  const customers = await findCustomers(room, mostCustomers)
  if (customers.length < threads.length) return
  const past = await addPastConversations(room, team, { sales: channel, support }, customers.slice(threads.length / 2))
  const mails = threads.map((thread, i) => mailsOf(room, channel, thread, customers[i]!))
  const received = await receive(room.db, channel, readShort(mails.flat(), room.now), room.now, { isHistory: true })
  const labelIds = await addLabels(room)
  const crew = crewOf(room, team)
  let place = 0
  const arranged = threads.map((thread, i): Arranged => {
    const id = received[place]!.conversationId
    place += mails[i]!.length
    // Every third conversation stays unassigned.
    const isTaken = i % 3 !== 2 && thread.state !== 'spam'
    return { id, thread, mails: mails[i]!, writer_id: crew[i % crew.length]!, isTaken }
  })
  const begun = [...past, ...arranged.flatMap((one) => begunOf(channel, one))]
  await nameWriters(room, [...past, ...arranged.map(({ id, writer_id }) => ({ id, responder_id: writer_id }))])
  await beginOpenings(room, begun)
  for (const one of arranged) await arrange(room, channel, labelIds, one)
  await closePast(room, past)
  await endOpenings(room, begun)
  await addTemplates(room)
  await addProposal(room, team, channel, { id: received[0]!.conversationId, customer: customers[0]! })
}

async function addChannel(room: Room, name: string): Promise<ChannelRow> {
  const { db, company_id, admin_id, now } = room
  const created_at = new Date(now.getTime() - 50 * 24 * hourMs)
  const domain = domainOf(room)
  const address = `${name.toLowerCase()}@${domain}`
  const server = (name: string, port: number) => ({ host: `${name}.${domain}`, port, security: 'tls' })
  const settings = { imap: server('imap', 993), smtp: server('smtp', 465), username: address, provider: null }
  const row = { company_id, id: idAt(created_at), kind: 'email', name, address, owner_id: null }
  await db
    .insertInto('channels')
    .values({
      ...row,
      settings: JSON.stringify(settings),
      signature: `${room.company_name}, ${name}`,
      state: 'paused',
      state_reason: 'This mailbox belongs to the demo. It is never read and sends nothing.',
      state_at: created_at,
      created_at,
      created_by: admin_id,
    })
    .execute()
  await sql`update companies set schema_version = schema_version + 1 where id = ${company_id}`.execute(db)
  return { ...row, settings, secrets: null }
}

/** The newest people who may be contacted. */
async function findCustomers({ db, company_id }: Room, count: number): Promise<Customer[]> {
  const { rows } = await sql<{ address: string; name: string; first: string | null }>`
    select r.values -> 'emails' ->> 0 as address, r.title as name, r.values ->> 'first_name' as first
    from records r join objects o on o.company_id = ${company_id} and o.id = r.object_id
    where r.company_id = ${company_id} and o.built_in_key = 'people' and r.deleted_at is null
      and r.values -> 'emails' ->> 0 is not null and coalesce(r.values ->> 'do_not_contact', '') <> 'true'
    order by r.id desc limit ${count}`.execute(db)
  return rows.map(({ first, ...row }) => ({ ...row, first: first ?? row.name }))
}

function mailsOf(room: Room, channel: ChannelRow, thread: DemoThread, customer: Customer): Incoming[] {
  const random = room.random.fork(`inbox ${thread.subject}`)
  const began = workingTime(random, room.now, thread.daysAgo + 1).getTime()
  const written = thread.texts.map((text, i) => {
    const latest = room.now.getTime() - (thread.texts.length - i) * minuteMs
    return {
      at: new Date(Math.min(began + i * 3 * hourMs, latest)),
      text,
      isOurs: (i % 2 === 0) === (thread.isOurs ?? false),
    }
  })
  return mailsBetween({ channel, customer, subject: thread.subject, began: new Date(began) }, written, {
    isAutomatic: thread.subject === 'Out of office',
    isRead: thread.state !== 'open' || thread.daysAgo > 1,
  })
}

async function addLabels({ db, company_id, now }: Room) {
  const rows = labels.map((label) => ({ company_id, id: idAt(new Date(now.getTime() - 45 * 24 * hourMs)), ...label }))
  await db.insertInto('conversation_labels').values(rows).execute()
  return new Map(rows.map(({ name, id }) => [name as string, id]))
}

type Arranged = { id: string; thread: DemoThread; mails: Incoming[]; writer_id: string; isTaken: boolean }

const crewOf = ({ admin_id }: Room, { colleagues }: Team) => [
  admin_id,
  ...colleagues.filter(({ role }) => role.startsWith('Sales')).map((one) => one.id),
]

/** If a customer began it. */
function begunOf({ id: channel_id }: ChannelRow, { id, thread, mails, writer_id }: Arranged): Begun[] {
  const [first] = mails
  if (thread.isOurs || thread.state === 'spam' || first!.isAutomatic) return []
  const at = new Date(mails.at(-1)!.at.getTime() + hourMs)
  return [{ id, channel_id, at: first!.at, closed: thread.state === 'closed' ? { at, by: writer_id } : undefined }]
}

/** State, labels, assignee and notes. */
async function arrange(room: Room, channel: ChannelRow, labelIds: Map<string, string>, about: Arranged) {
  const { db, company_id, admin_id, now } = room
  const { id, thread, writer_id, isTaken } = about
  const assignee_id = isTaken ? writer_id : null
  const snoozed_until = thread.state === 'snoozed' ? new Date(now.getTime() + 3 * 24 * hourMs) : null
  await sql`update conversations set state = ${thread.state}, snoozed_until = ${snoozed_until}, assignee_id = ${assignee_id},
      closed_at = case when ${thread.state} = 'closed' then last_message_at + interval '1 hour' end,
      label_ids = ${(thread.labels ?? []).map((name) => labelIds.get(name)!)}::uuid[]
    where company_id = ${company_id} and id = ${id}`.execute(db)
  if (!thread.note) return
  const at = new Date(now.getTime() - hourMs)
  await db
    .insertInto('messages')
    .values({
      company_id,
      id: idAt(at),
      conversation_id: id,
      audience: company_id,
      channel_id: channel.id,
      kind: 'note',
      at,
      user_id: assignee_id ?? admin_id,
      text: thread.note,
      state: 'received',
    })
    .execute()
}

async function addTemplates({ db, company_id, admin_id, now }: Room) {
  const created_at = new Date(now.getTime() - 44 * 24 * hourMs)
  const shared = { company_id, owner_id: admin_id, is_shared: true, created_at }
  await db
    .insertInto('message_templates')
    .values(templates.map((template) => ({ ...shared, id: idAt(created_at), ...template })))
    .execute()
}

type NewConversation = { id: string; customer: Customer }

/** What the agent would answer; a person decides. */
async function addProposal(room: Room, { agent, key }: Team, channel: ChannelRow, { id, customer }: NewConversation) {
  const { db, company_id, now } = room
  const { rows } = await sql<{ id: string; subject: string }>`
    select id, subject from messages where company_id = ${company_id} and conversation_id = ${id} order by at desc limit 1`.execute(
    db,
  )
  const content = {
    channel_id: channel.id,
    reply_to_id: rows[0]!.id,
    mode: 'reply',
    subject: rows[0]!.subject,
    files: [],
    recipients: [{ kind: 'to', address: customer.address, name: customer.name }],
    text: proposed.text.replaceAll('{name}', customer.first),
    template_id: null,
    send_at: null,
  }
  await db
    .insertInto('proposals')
    .values({
      company_id,
      id: randomUUIDv7(),
      kind: 'message',
      user_id: agent.id,
      api_key_id: key.id,
      client: agentClient,
      reason: proposed.reason,
      rule: `The channel ${channel.name} lets agents and API keys only propose messages.`,
      content: JSON.stringify(content),
      conversation_id: id,
      created_at: now,
      expires_at: new Date(now.getTime() + 7 * 24 * hourMs),
    })
    .execute()
}
