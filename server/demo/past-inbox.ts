// What the team has answered and closed in the last six weeks, in time or not.

import { sql } from 'kysely'
import type { ChannelRow, Incoming } from '../inbox/channels/channel.ts'
import { readShort } from '../inbox/receiving/read-messages.ts'
import { receive } from '../inbox/receiving/receive.ts'
import { dayMs, hourMs } from '../platform/times.ts'
import { addWorkingTime } from '../platform/working-time.ts'
import { plansOf } from '../working-hours/queries.ts'
import { type Customer, mailsBetween } from './mails.ts'
import type { Begun } from './openings.ts'
import { salesTopics, supportTopics, type Topic, thanks } from './past-conversations.ts'
import type { Random } from './random.ts'
import type { Room, Team } from './story.ts'
import { workingTime } from './times.ts'

const days = 42

type Channels = Record<'sales' | 'support', ChannelRow>
type Past = Omit<Begun, 'id'> & {
  channel: ChannelRow
  topic: Topic
  customer: Customer
  responded_at: Date
  assignee_id: string
  responder_id: string
  thanked_at: Date | undefined
  closed: { at: Date; by: string }
}

export async function addPastConversations(room: Room, team: Team, channels: Channels, customers: Customer[]) {
  const random = room.random.fork('past conversations')
  const { schedule } = (await plansOf(room.db, room.company_id)).company
  const latest = new Date(room.now.getTime() - hourMs)
  const past: Past[] = []
  for (let daysAgo = days; daysAgo > 0; daysAgo--) {
    const weekday = new Date(room.now.getTime() - daysAgo * dayMs).getUTCDay()
    const count = weekday % 6 ? random.int(2, 5) : 0
    for (let i = 0; i < count; i++) {
      const at = workingTime(random, room.now, daysAgo)
      const support = random.chance(0.55)
      const channel = support ? channels.support : channels.sales
      const crew = crewAt(room, team, at)
      const assignee = random.int(0, crew.length - 1)
      const responder = random.chance(0.8) ? assignee : random.int(0, crew.length - 1)
      const after = (from: Date, minutes: number) => addWorkingTime(schedule, from, minutes * 60_000)!
      const responded_at = after(at, Math.ceil(responseMinutes(random, support) * pace[responder % pace.length]!))
      const closed_at = after(responded_at, random.chance(0.85) ? random.int(15, 600) : random.int(900, 2200))
      const one = {
        channel,
        channel_id: channel.id,
        at,
        responded_at,
        customer: random.pick(customers),
        topic: withNumber(random.pick(support ? supportTopics : salesTopics), random.int(1200, 9800)),
        assignee_id: crew[assignee]!,
        responder_id: crew[responder]!,
        closed: { at: closed_at, by: random.chance(0.9) ? crew[assignee]! : random.pick(crew) },
        thanked_at: random.chance(0.4) ? new Date((responded_at.getTime() + closed_at.getTime()) / 2) : undefined,
      }
      if (closed_at < latest) past.push(one)
    }
  }
  const begun: (Past & Begun)[] = []
  for (const channel of Object.values(channels)) {
    const there = past.filter((one) => one.channel === channel)
    const mails = there.map((one) => mailsOf(one, random.pick(thanks)))
    const received = await receive(room.db, channel, readShort(mails.flat(), room.now), room.now, { isHistory: true })
    let place = 0
    for (const [i, one] of there.entries()) {
      begun.push({ ...one, id: received[place]!.conversationId })
      place += mails[i]!.length
    }
  }
  return begun
}

/** Of people in the order of the crew: some are quicker than others. */
const pace = [1, 0.7, 1.3, 1.7, 0.9]

/** Those who were there. */
const crewAt = ({ admin_id }: Room, { colleagues }: Team, at: Date) => [
  admin_id,
  ...colleagues.filter((one) => one.role !== 'Read only' && one.at < at).map(({ id }) => id),
]

function responseMinutes(random: Random, isSupport: boolean) {
  if (random.chance(isSupport ? 0.82 : 0.7)) return random.int(3, 65)
  return random.chance(0.6) ? random.int(70, 190) : random.int(220, 600)
}

const withNumber = (topic: Topic, number: number): Topic => {
  const filled = Object.entries(topic).map(([key, text]) => [key, text.replaceAll('{n}', String(number))])
  return Object.fromEntries(filled) as Topic
}

function mailsOf({ channel, topic, customer, at, responded_at, thanked_at }: Past, thanked: string): Incoming[] {
  const written = [
    { at, text: topic.question, isOurs: false },
    { at: responded_at, text: topic.answer, isOurs: true },
    ...(thanked_at ? [{ at: thanked_at, text: thanked, isOurs: false }] : []),
  ]
  const about = { channel, customer, subject: topic.subject, began: at }
  return mailsBetween(about, written, { isAutomatic: false, isRead: true })
}

type Handled = { id: string; assignee_id: string; closed: { at: Date } }

/** Who had them, and that they are closed. */
export async function closePast({ db, company_id }: Room, begun: Handled[]) {
  const rows = begun.map(({ id, assignee_id, closed }) => ({ id, assignee_id, closed_at: closed.at }))
  await sql`update conversations c set state = 'closed', closed_at = d.closed_at, assignee_id = d.assignee_id
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) d(id uuid, closed_at timestamptz, assignee_id uuid)
    where c.company_id = ${company_id} and c.id = d.id`.execute(db)
}

/** Who wrote what was sent; mail of a shared mailbox does not say it. */
export async function nameWriters({ db, company_id }: Room, writers: { id: string; responder_id: string }[]) {
  const rows = writers.map(({ id, responder_id }) => ({ id, responder_id }))
  await sql`update messages m set user_id = d.responder_id
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) d(id uuid, responder_id uuid)
    where m.company_id = ${company_id} and m.conversation_id = d.id and m.direction = 'out'`.execute(db)
}
