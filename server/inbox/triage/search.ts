// Conversations with a message that has all words, the newest match first.
import type { Resolved } from '../../../contract/filter/index.ts'
import { actorOf, type Context } from '../../kernel/context.ts'
import { Params, run } from '../../kernel/statement.ts'
import type { Audiences } from '../access/visible.ts'
import { type ShownRow, shownColumns } from '../thread/conversation.ts'
import { queryOf } from '../thread/search-words.ts'
import { conditionOf } from './filter.ts'

/** Where the previous page ended. */
export type Mark = { at: string; id: string }
export type ConversationQuery = {
  filter: Resolved | undefined
  after: Mark | undefined
  limit: number
  record_id: string | undefined
}
/** `sorted_at`: what the list is sorted by, to the microsecond. */
export type ListedRow = ShownRow & { sorted_at: string }

/** Words that are in many messages fill a page from so many of the newest; the index has too many of them to sort. */
const newestRead = 2000

export async function searchConversations(
  context: Context,
  audiences: Audiences,
  q: string,
  wanted: ConversationQuery,
) {
  const query = queryOf(q)
  if (!query) return []
  const found = await search(context, audiences, query, wanted, 'newest')
  return found.length < wanted.limit ? search(context, audiences, query, wanted, 'index') : found
}

async function search(
  context: Context,
  audiences: Audiences,
  query: string,
  { filter, after, limit, record_id }: ConversationQuery,
  how: 'newest' | 'index',
) {
  const params = new Params()
  const company = params.add(actorOf(context).company_id, 'uuid')
  const ids = params.add(audiences.ids, 'uuid[]')
  const hasWords = (alias: string) => `${alias}.search @@ ${params.add(query, 'tsquery')}`
  const earlier = after ? `and m.at <= ${params.add(after.at, 'timestamptz')}` : ''
  const matches =
    how === 'newest'
      ? `select m.conversation_id, m.at from unnest(${ids}) a(audience) cross join lateral (
          select m.conversation_id, m.at, m.search from messages m where m.company_id = ${company}
            and m.audience = a.audience and m.kind <> 'event' ${earlier} order by m.at desc limit ${newestRead}) m
          where ${hasWords('m')}`
      : `select m.conversation_id, m.at from messages m where m.company_id = ${company} and array[m.audience] && ${ids}
          and m.kind <> 'event' ${earlier} and ${hasWords('m')}`
  // A conversation is where its newest match is: one that was on an earlier page has a newer one.
  const isLater = after
    ? `where (f.at, f.id) < (${params.add(after.at, 'timestamptz')}, ${params.add(after.id, 'uuid')})
        and not exists (select from messages n where n.company_id = ${company} and n.conversation_id = f.id
          and n.at > ${params.add(after.at, 'timestamptz')} and n.kind <> 'event' and ${hasWords('n')})`
    : ''
  const conditions = [
    `c.company_id = ${company}`,
    'c.id = f.id',
    `c.audience = any(${ids})`,
    'c.merged_into is null',
    ...(record_id
      ? [
          `exists (select from conversation_links l where l.company_id = ${company} and l.conversation_id = c.id
          and l.record_id = ${params.add(record_id, 'uuid')})`,
        ]
      : []),
    ...(filter ? [conditionOf(context, audiences, params, filter)] : []),
  ]
  return run<ListedRow>(
    context.db,
    `with found as (select conversation_id as id, max(at) as at from (${matches}) m group by conversation_id)
      select ${shownColumns(context, params)}, f.at::text as sorted_at
      from (select f.id, f.at from found f ${isLater} order by f.at desc, f.id desc) f
      cross join lateral (select c.* from conversations c where ${conditions.join(' and ')} offset 0) c
      order by f.at desc, f.id desc limit ${params.add(limit, 'int')}`,
    params,
  )
}
