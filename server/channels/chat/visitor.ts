// The visitors of websites who write by chat. A row exists from the first message on, or once a site proved who it is.
import { sql } from 'kysely'
import type { output } from 'zod'
import { type ChatMessage, mostChatMessages } from '../../../contract/chat.ts'
import { plainMarkdown } from '../../inbox/content/plain-markdown.ts'
import type { Db } from '../../platform/db.ts'
import { type ChatRow, isOpen } from './chat.ts'

export type Visitor = {
  id: string
  channel_id: string
  conversation_id: string | null
  email: string | null
  is_verified: boolean
  name: string | null
  page: string | null
  typing_until: Date | null
  member_typing_until: Date | null
  seen_at: Date | null
  version: number
}
type Message = output<typeof ChatMessage>

/** Never an address that can be written to: who typed an address has not proved that it is theirs. */
export const addressOf = (visitor_id: string) => `visitor-${visitor_id}@chat.invalid`
export const visitorIn = (address: string) => /^visitor-([0-9a-f-]{36})@chat\.invalid$/.exec(address)?.[1]
export const keyOf = (visitor_id: string, client_id: string) => `chat ${visitor_id} ${client_id}`

const columns = sql`v.id, v.channel_id, coalesce(c.merged_into, v.conversation_id) as conversation_id, v.email, v.is_verified,
  v.name, v.page, v.typing_until, v.member_typing_until, v.seen_at, v.version`
const tables = (company_id: string) => sql`chat_visitors v left join conversations c
  on c.company_id = ${company_id} and c.id = v.conversation_id`

export async function findVisitor(db: Db, company_id: string, id: string): Promise<Visitor | undefined> {
  const { rows } = await sql<Visitor>`select ${columns} from ${tables(company_id)}
    where v.company_id = ${company_id} and v.id = ${id}`.execute(db)
  return rows[0]
}

/** Those of a conversation, newest first. */
export async function visitorsOf(db: Db, company_id: string, conversation_id: string): Promise<Visitor[]> {
  const { rows } = await sql<Visitor>`select ${columns} from ${tables(company_id)}
    where v.company_id = ${company_id}
      and (v.conversation_id = ${conversation_id} or c.merged_into = ${conversation_id}) order by v.id desc limit 20`.execute(
    db,
  )
  return rows
}

export async function visitorByExternal(db: Db, { company_id, id }: ChatRow, external: string) {
  const { rows } = await sql<{ id: string }>`select v.id from chat_visitors v
    where v.company_id = ${company_id} and v.channel_id = ${id} and v.external = ${external}`.execute(db)
  return rows[0]?.id
}

type Known = Partial<Pick<Visitor, 'email' | 'name' | 'is_verified' | 'page'>> & { external?: string | null }

/** Adds the visitor, or what is now known. A proof is not replaced by what someone typed. */
export async function saveVisitor(
  db: Db,
  { company_id, id: channel_id }: ChatRow,
  id: string,
  known: Known,
  now: Date,
) {
  const { email = null, name = null, is_verified = false, page = null, external = null } = known
  await sql`insert into chat_visitors (company_id, id, channel_id, external, email, is_verified, name, page, created_at)
    values (${company_id}, ${id}, ${channel_id}, ${external}, ${email}, ${is_verified}, ${name}, ${page}, ${now})
    on conflict (company_id, id) do update set
      email = case when chat_visitors.is_verified and not excluded.is_verified then chat_visitors.email
        else coalesce(excluded.email, chat_visitors.email) end,
      is_verified = chat_visitors.is_verified or excluded.is_verified,
      name = coalesce(excluded.name, chat_visitors.name), page = coalesce(excluded.page, chat_visitors.page)`.execute(
    db,
  )
}

/** What the widget shows. Only messages of this visitor and answers to them: the team may merge conversations. */
export async function messagesFor(db: Db, company_id: string, { id, channel_id, conversation_id }: Visitor) {
  if (!conversation_id) return []
  const address = addressOf(id)
  const { rows } = await sql<{
    id: string
    key: string
    direction: string
    name: string | null
    text: string
    at: Date
  }>`
    select m.id, m.key, m.direction, u.name, case when m.quote_at is null then m.text else left(m.text, m.quote_at) end as text, m.at
    from messages m left join users u on u.company_id = ${company_id} and u.id = m.user_id
    where m.company_id = ${company_id} and m.conversation_id = ${conversation_id} and m.channel_id = ${channel_id}
      and m.kind = 'message' and ((m.direction = 'in' and m.from_address = ${address})
        or (m.direction = 'out' and m.state in ('sent', 'delivered', 'read')
          and m.recipients @> ${JSON.stringify([{ address }])}::jsonb))
    order by m.at desc, m.id desc limit ${mostChatMessages}`.execute(db)
  return rows.toReversed().map(
    (row): Message => ({
      id: row.id,
      client_id: row.direction === 'in' ? (row.key.split(' ')[2] ?? null) : null,
      from: row.direction === 'in' ? 'visitor' : 'team',
      name: row.direction === 'in' ? null : (row.name?.split(' ')[0] ?? null),
      text: row.direction === 'in' ? row.text.trim() : plainMarkdown(row.text),
      at: row.at.toISOString(),
    }),
  )
}

/** How long a sign of typing counts. */
export const typingMs = 6000

/** What was typed before the last answer was typed for it. */
function isTeamTyping(visitor: Visitor | undefined, messages: Message[], now: Date) {
  const until = visitor?.member_typing_until
  if (!until || until <= now) return false
  const answer = messages.findLast(({ from }) => from === 'team')
  return !answer || Date.parse(answer.at) < until.getTime() - typingMs
}

export type ChatState = Awaited<ReturnType<typeof stateFor>>

export async function stateFor(db: Db, chat: ChatRow, visitor: Visitor | undefined, now: Date, wait = 0) {
  const open = await isOpen(db, chat, now)
  const isAsked = chat.settings.asks_email || !open
  const messages = visitor ? await messagesFor(db, chat.company_id, visitor) : []
  return {
    cursor: visitor ? ((await cursorsOf(db, chat.company_id, [visitor.id])).get(visitor.id) ?? '') : '',
    messages,
    is_typing: isTeamTyping(visitor, messages, now),
    is_open: open,
    needs_email: isAsked && !visitor?.email,
    seen_at: visitor?.seen_at?.toISOString() ?? null,
    wait,
  }
}

/** Differs after every change that the widget shows. */
export async function cursorsOf(db: Db, company_id: string, ids: string[]) {
  const { rows } = await sql<{ id: string; cursor: string }>`
    select v.id, concat_ws(' ', v.version, (select o.version from conversations o
      where o.company_id = ${company_id} and o.id = coalesce(c.merged_into, v.conversation_id))) as cursor
    from ${tables(company_id)} where v.company_id = ${company_id} and v.id = any(${ids}::uuid[])`.execute(db)
  return new Map(rows.map(({ id, cursor }) => [id, cursor]))
}
