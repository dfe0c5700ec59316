// A conversation as it is stored and as callers see it.

import type { output } from 'zod'
import type { Conversation } from '../../../contract/conversations.ts'
import { fold } from '../../../contract/filter/index.ts'
import { isVisitorAddress } from '../../../contract/shared/visitor-address.ts'
import { type Participant, withShownParticipants } from '../../engine/history/shown-participants.ts'
import { actorOf, type Context } from '../../kernel/context.ts'
import { Params, run } from '../../kernel/statement.ts'
import { type Audiences, audiencesOf, isVisible, noSuchConversation } from '../access/visible.ts'
import type { Thread } from './known-threads.ts'

export type { Participant } from '../../engine/history/shown-participants.ts'
export type Shown = output<typeof Conversation>

/** Names in mail are meant for others to read. What other networks have is a handle, a number or what the sender calls themselves. */
export const asPerson = (one: Participant, { id, title }: { id: string; title: string }): Participant => ({
  ...one,
  person_id: id,
  name: one.name && one.address.includes('@') && !isVisitorAddress(one.address) ? one.name : title,
})

export type ShownRow = Omit<Thread, 'last_in_at' | 'last_out_at' | 'unread_at' | 'closed_at'> & {
  label_ids: string[]
  has_draft: boolean
  has_proposal: boolean
  has_failed: boolean
  is_delayed: boolean
  scheduled_at: Date | null
  is_unread: boolean
  response_due_at: Date | null
  resolution_due_at: Date | null
  is_overdue: boolean
}

/** Whether `c` is unread for the caller, whose row of conversation_reads is looked up. */
export const isUnread = (
  company: string,
  user: string,
) => `coalesce((select r.read_at = '-infinity' or r.read_at < c.unread_at
  from conversation_reads r where r.company_id = ${company} and r.conversation_id = c.id and r.user_id = ${user}), c.unread_at is not null)`

/** The columns of `c` that `shownConversations` needs. */
export function shownColumns(context: Context, params: Params) {
  const actor = actorOf(context)
  const company = params.add(actor.company_id, 'uuid')
  const user = params.add(actor.user_id, 'uuid')
  // What can still be taken back for some seconds is on its way.
  const soon = new Date(context.now.getTime() + 60_000)
  return `c.id, c.audience, c.channel_id, c.subject, c.state, c.snoozed_until, c.assignee_id, c.label_ids, c.participants,
    c.preview, c.last_direction, c.message_count, c.has_files, c.created_at, c.last_message_at, c.first_response_at,
    c.response_due_at, c.resolution_due_at, c.due_at < ${params.add(context.now, 'timestamptz')} as is_overdue, c.maybe_id, c.version, ${isUnread(company, user)} as is_unread,
    exists (select from message_drafts d where d.company_id = ${company} and d.user_id = ${user} and d.conversation_id = c.id)
      as has_draft,
    exists (select from proposals p where p.company_id = ${company} and p.conversation_id = c.id and p.state = 'waiting')
      as has_proposal,
    exists (select from messages m where m.company_id = ${company} and m.conversation_id = c.id and m.state in ('failed', 'unknown')
      and not exists (select from messages s where s.company_id = ${company} and s.conversation_id = c.id and s.direction = 'out'
        and s.state in ('sent', 'delivered', 'read') and s.at > coalesce(m.state_at, m.at))) as has_failed,
    exists (select from messages m where m.company_id = ${company} and m.conversation_id = c.id and m.send_at is not null
      and m.state = 'waiting' and m.state_reason is not null) as is_delayed,
    (select min(m.send_at) from messages m where m.company_id = ${company} and m.conversation_id = c.id and m.send_at is not null
      and m.state = 'waiting' and m.state_reason is null and m.send_at > ${params.add(soon, 'timestamptz')}) as scheduled_at`
}

export const shownConversations = async (context: Context, rows: ShownRow[], audiences: Audiences) =>
  (await withShownParticipants(context, rows)).map((row) => shownConversation(row, audiences))

const shownConversation = ({ audience, maybe_id: _, ...row }: ShownRow, { privateIds }: Audiences): Shown => ({
  ...row,
  state: row.state as Shown['state'],
  last_direction: row.last_direction as Shown['last_direction'],
  snoozed_until: row.snoozed_until?.toISOString() ?? null,
  scheduled_at: row.scheduled_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
  last_message_at: row.last_message_at.toISOString(),
  first_response_at: row.first_response_at?.toISOString() ?? null,
  response_due_at: row.response_due_at?.toISOString() ?? null,
  resolution_due_at: row.resolution_due_at?.toISOString() ?? null,
  is_private: privateIds.has(audience),
})

/** In the order of the IDs. */
export async function conversationsById(context: Context, ids: string[]): Promise<Shown[]> {
  const audiences = await audiencesOf(context)
  const params = new Params()
  const rows = await run<ShownRow>(
    context.db,
    `select ${shownColumns(context, params)} from conversations c
      where ${isVisible(context, audiences, 'c', params)} and c.id = any(${params.add(ids, 'uuid[]')})`,
    params,
  )
  const byId = new Map((await shownConversations(context, rows, audiences)).map((one) => [one.id, one]))
  return ids.map((id) => {
    const found = byId.get(id)
    if (!found) throw noSuchConversation()
    return found
  })
}

/** How filters compare subject and participants. */
export const foldedSubject = (subject: string) => fold(subject)
export const foldedParticipants = (participants: Participant[]) =>
  participants.length
    ? `\n${participants.flatMap(({ address, name }) => [address, ...(name ? [name] : [])].map((text) => fold(text).replaceAll('\n', ' '))).join('\n')}\n`
    : ''

const mostSubject = 500

/** Without what mail programs put before the subject of a reply or of something forwarded. */
export function baseSubject(subject: string) {
  const replied =
    /^\s*(?:(?:re|r|aw|wg|fwd?|fw|tr|rv|sv|vs|vb|antw|odp|ynt|回复|答复|转发|回覆|轉寄|返信|転送)(?:\[\d+\])?\s*[:：]\s*)+/iu
  return subject.replace(replied, '').replace(/\s+/g, ' ').trim().slice(0, mostSubject)
}
