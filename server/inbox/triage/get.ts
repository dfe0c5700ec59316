// A conversation with its messages.
import { sql } from 'kysely'
import type { conversations } from '../../../contract/conversations.ts'
import type { Output, Parsed } from '../../../contract/operation.ts'
import { isId } from '../../../contract/shared/ids.ts'
import { titlesOf } from '../../engine/names/find-titles.ts'
import { schemaOf } from '../../engine/schema/schema.ts'
import { actorOf, type Context } from '../../kernel/context.ts'
import { invalidCursor, readCursor, writeCursor } from '../../kernel/cursor.ts'
import { Params, run } from '../../kernel/statement.ts'
import { audiencesOf, isVisible, visibleConversation } from '../access/visible.ts'
import { listReadable } from '../proposals/proposal.ts'
import { conversationsById } from '../thread/conversation.ts'
import { aroundPeople, keyOf } from '../thread/links.ts'
import { type MessageRow, messageColumns, shownMessage } from '../thread/message.ts'
import { typingUntil, visitsOf } from './presence.ts'

type Details = Output<typeof conversations.getConversation>

/** Where outsiders may have written. */
const untrusted = [
  'subject',
  'preview',
  'text',
  'quote',
  'from_name',
  'from_address',
  'reply_address',
  'participants',
  'recipients',
  'files',
  'state_reason',
  'maybe',
  'title',
  'warnings',
]

export async function getConversation(
  context: Context,
  { id: asked, limit, cursor }: Parsed<typeof conversations.getConversation>,
): Promise<Details> {
  const { id } = await visibleConversation(context, asked)
  const [conversation] = await conversationsById(context, [id])
  const rows = await messagesBefore(context, id, cursor, limit + 1)
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    conversation: conversation!,
    messages: page.toReversed().map(({ sorted_at: _, ...row }) => shownMessage(row)),
    next_cursor: last && rows.length > page.length ? writeCursor(JSON.stringify([last.sorted_at, last.id])) : null,
    links: await linksOf(context, id),
    maybe: await suggestedConversation(context, id),
    proposals: conversation!.has_proposal ? await proposalsOf(context, id) : [],
    visits: await visitsOf(context, id),
    typing_until: await typingUntil(context, id),
    untrusted_fields: untrusted,
  }
}

const mostProposals = 20

async function proposalsOf(context: Context, conversation_id: string): Promise<Details['proposals']> {
  const { ids } = await audiencesOf(context)
  const wanted = { state: 'waiting', conversation_id, before: null, limit: mostProposals }
  const rows = await listReadable(context.db, actorOf(context), ids, wanted)
  return rows.map(({ id, user_name, reason, content, created_at }) => ({
    id,
    user_name,
    reason,
    subject: content.subject,
    text: content.text,
    send_at: content.send_at,
    created_at: created_at.toISOString(),
    to: content.recipients.filter(({ kind }) => kind === 'to').map(({ address }) => address),
  }))
}

type Row = MessageRow & { sorted_at: string }

async function messagesBefore(context: Context, id: string, cursor: string | undefined, limit: number) {
  const audiences = await audiencesOf(context)
  const params = new Params()
  const mark = cursor === undefined ? undefined : readCursor(cursor, parseMark, fromNewest)
  const earlier = mark
    ? `and (m.at, m.id) < (${params.add(mark[0], 'timestamptz')}, ${params.add(mark[1], 'uuid')})`
    : ''
  return run<Row>(
    context.db,
    `select ${messageColumns}, m.at::text as sorted_at from messages m where ${isVisible(context, audiences, 'm', params)}
      and m.conversation_id = ${params.add(id, 'uuid')} ${earlier} order by m.at desc, m.id desc limit ${params.add(limit, 'int')}`,
    params,
  )
}

const fromNewest = () => invalidCursor('Omit it to start from the newest messages.')

function parseMark(text: string): [at: string, id: string] | undefined {
  const [at, id] = JSON.parse(text) as [string, string]
  const isWhole = isId(id) && /^\d{4}-\d\d-\d\d [\d:.]+\+00$/.test(at) && !Number.isNaN(Date.parse(at))
  return isWhole ? [at, id] : undefined
}

/** As far as the caller may read those records. */
export async function linksOf(context: Context, id: string): Promise<Details['links']> {
  const actor = actorOf(context)
  const { rows } = await sql<{ record_id: string }>`
    select record_id from conversation_links where company_id = ${actor.company_id} and conversation_id = ${id}
    order by record_id limit 100`.execute(context.db)
  const schema = await schemaOf(context.db, actor)
  const links = await titlesOf(
    context,
    schema,
    rows.map(({ record_id }) => record_id),
  )
  const people = links.filter(({ object }) => object === keyOf(schema, 'people')).map((link) => link.id)
  const around = await aroundPeople(context.db, actor.company_id, schema, people)
  const via = new Map(
    [...around].flatMap(([person, some]) => some.map(({ record_id }) => [record_id, person] as const)),
  )
  return links.map((link) => ({ ...link, via: via.get(link.id) ?? null }))
}

async function suggestedConversation(context: Context, id: string): Promise<Details['maybe']> {
  const audiences = await audiencesOf(context)
  const params = new Params()
  const visible = isVisible(context, audiences, 'o', params)
  const [row] = await run<{ id: string; subject: string }>(
    context.db,
    `select o.id, o.subject from conversations o where ${visible} and o.merged_into is null
      and o.id = (select c.maybe_id from conversations c where c.company_id = ${params.add(actorOf(context).company_id, 'uuid')}
        and c.id = ${params.add(id, 'uuid')})`,
    params,
  )
  return row ?? null
}
