// Who looks at a conversation right now. A visit is over if it is not repeated.
import { sql } from 'kysely'
import type { conversations } from '../../../contract/conversations.ts'
import type { Output, Parsed } from '../../../contract/operation.ts'
import { actorOf, type Context } from '../../kernel/context.ts'
import type { Db } from '../../platform/db.ts'
import { announceChanged } from '../access/announce.ts'
import { visibleConversation } from '../access/visible.ts'

const seenMs = 45_000
const typingMs = 8000

type Visits = Output<typeof conversations.visitConversation>['visits']

export async function visitConversation(
  context: Context,
  { id, is_typing, has_left }: Parsed<typeof conversations.visitConversation>,
) {
  const { company_id, user_id } = actorOf(context)
  const conversation = await visibleConversation(context, id)
  const { db, now } = context
  const before = await ownVisit(context, conversation.id)
  if (has_left)
    await sql`delete from conversation_visits where company_id = ${company_id} and conversation_id = ${conversation.id}
      and user_id = ${user_id}`.execute(db)
  else
    await sql`insert into conversation_visits (company_id, conversation_id, user_id, seen_at, typing_until)
      values (${company_id}, ${conversation.id}, ${user_id}, ${now}, ${is_typing ? new Date(now.getTime() + typingMs) : null})
      on conflict (company_id, conversation_id, user_id) do update set seen_at = excluded.seen_at, typing_until = excluded.typing_until`.execute(
      db,
    )
  const isNews = has_left ? before !== undefined : !before || before.is_typing !== is_typing
  if (isNews) await announceChanged(context, company_id, [conversation])
  return { visits: await visitsOf(context, conversation.id) }
}

async function ownVisit(context: Context, id: string) {
  const { company_id, user_id } = actorOf(context)
  const { rows } = await sql<{ is_typing: boolean }>`
    select coalesce(typing_until > ${context.now}, false) as is_typing from conversation_visits
    where company_id = ${company_id} and conversation_id = ${id} and user_id = ${user_id}
      and seen_at > ${new Date(context.now.getTime() - seenMs)}`.execute(context.db)
  return rows[0]
}

/** The others. What was typed before their last message was typed for it. */
export async function visitsOf(context: Context, id: string): Promise<Visits> {
  const { company_id, user_id } = actorOf(context)
  const { rows } = await sql<Visits[number]>`
    select v.user_id, u.name, coalesce(v.typing_until > ${context.now}, false) and not exists (select from messages m
      where m.company_id = ${company_id} and m.conversation_id = v.conversation_id and m.user_id = v.user_id
        and m.at >= v.typing_until - ${`${typingMs} ms`}::interval) as is_typing from conversation_visits v
    join users u on u.company_id = ${company_id} and u.id = v.user_id
    where v.company_id = ${company_id} and v.conversation_id = ${id} and v.user_id <> ${user_id}
      and v.seen_at > ${new Date(context.now.getTime() - seenMs)} order by v.seen_at, v.user_id`.execute(context.db)
  return rows
}

export async function pruneVisits(db: Db, company_id: string, now: Date) {
  const over = new Date(now.getTime() - seenMs)
  await sql`delete from conversation_visits where company_id = ${company_id} and seen_at < ${over}`.execute(db)
  await sql`delete from conversation_guests where company_id = ${company_id} and typing_until < ${over}`.execute(db)
}

/** Outsiders, as far as their channel reports it. */
export async function typingUntil(context: Context, id: string) {
  const { rows } = await sql<{ typing_until: Date }>`
    select typing_until from conversation_guests where company_id = ${actorOf(context).company_id}
      and conversation_id = ${id} and typing_until > ${context.now}`.execute(context.db)
  return rows[0]?.typing_until.toISOString() ?? null
}
