// Lists of conversations, the newest message first, and how many there are in each view.

import { type ConversationSort, type conversations, countedConversations } from '../../../contract/conversations.ts'
import type { Output, Parsed } from '../../../contract/operation.ts'
import { isId } from '../../../contract/shared/ids.ts'
import { refused } from '../../kernel/app-error.ts'
import { actorOf, type Context } from '../../kernel/context.ts'
import { readCursor, writeCursor } from '../../kernel/cursor.ts'
import { Params, run } from '../../kernel/statement.ts'
import { type Audiences, audiencesOf, isVisible } from '../access/visible.ts'
import { isUnread, shownColumns, shownConversations } from '../thread/conversation.ts'
import { conditionOf, readConversationFilter, statesIn } from './filter.ts'
import { type ConversationQuery, type ListedRow, type Mark, searchConversations } from './search.ts'

type ListInput = Parsed<typeof conversations.listConversations>
type Sorted = ConversationQuery & { sort: ConversationSort }
type Page = Output<typeof conversations.listConversations>

export async function listConversations(context: Context, asked: ListInput): Promise<Page> {
  if (asked.sort === 'due' && asked.q !== undefined)
    throw refused('sort', 'Search results are sorted by newest match. Omit sort, or search with a filter.')
  const audiences = await audiencesOf(context)
  const filter = await readConversationFilter(context, audiences, asked.filter)
  const after = asked.cursor === undefined ? undefined : readCursor(asked.cursor, parseMark)
  const wanted: Sorted = { filter, after, limit: asked.limit + 1, record_id: asked.record_id, sort: asked.sort }
  const rows =
    asked.q !== undefined
      ? await searchConversations(context, audiences, asked.q, wanted)
      : asked.record_id
        ? await aboutRecord(context, audiences, wanted)
        : await inSections(context, audiences, wanted)
  const items = rows.slice(0, asked.limit)
  const last = items.at(-1)
  return {
    items: await shownConversations(
      context,
      items.map(({ sorted_at: _, ...row }) => row),
      audiences,
    ),
    next_cursor: last && rows.length > items.length ? writeCursor(JSON.stringify([last.sorted_at, last.id])) : null,
  }
}

/**
 * Each audience and state is a section that an index has in order. Of each, the first ones are read; together they contain
 * the first ones of all.
 */
function inSections(context: Context, audiences: Audiences, { filter, after, limit, sort }: Sorted) {
  const params = new Params()
  const sections = `unnest(${params.add(audiences.ids, 'uuid[]')}) a(audience)
    cross join unnest(${params.add(statesIn(filter), 'text[]')}) s(state)`
  const conditions = [
    `c.company_id = ${params.add(actorOf(context).company_id, 'uuid')}`,
    'c.audience = a.audience',
    'c.state = s.state',
    'c.merged_into is null',
    ...behind(params, after, sort),
    ...(filter ? [conditionOf(context, audiences, params, filter)] : []),
  ]
  const first = params.add(limit, 'int')
  const { by, order } = orders[sort]
  return run<ListedRow>(
    context.db,
    `select ${shownColumns(context, params)}, ${by}::text as sorted_at
      from (select c.* from ${sections} cross join lateral (select c.* from conversations c where ${conditions.join(' and ')}
        order by ${order} limit ${first}) c order by ${order} limit ${first}) c order by ${order}`,
    params,
  )
}

function aboutRecord(context: Context, audiences: Audiences, { filter, after, limit, record_id, sort }: Sorted) {
  const params = new Params()
  const conditions = [
    isVisible(context, audiences, 'c', params),
    `c.id in (select l.conversation_id from conversation_links l
      where l.company_id = ${params.add(actorOf(context).company_id, 'uuid')} and l.record_id = ${params.add(record_id, 'uuid')})`,
    'c.merged_into is null',
    ...behind(params, after, sort),
    ...(filter ? [conditionOf(context, audiences, params, filter)] : []),
  ]
  const { by, order } = orders[sort]
  return run<ListedRow>(
    context.db,
    `select ${shownColumns(context, params)}, ${by}::text as sorted_at from conversations c
      where ${conditions.join(' and ')} order by ${order} limit ${params.add(limit, 'int')}`,
    params,
  )
}

/** Conversations without a target have the due time `infinity`, so they come last. */
const orders = {
  newest: { by: 'c.last_message_at', order: 'c.last_message_at desc, c.id desc', sign: '<' },
  due: { by: 'c.due_at', order: 'c.due_at, c.id', sign: '>' },
} as const satisfies Record<ConversationSort, object>

const behind = (params: Params, after: Mark | undefined, sort: ConversationSort) =>
  after
    ? [
        `(${orders[sort].by}, c.id) ${orders[sort].sign} (${params.add(after.at, 'timestamptz')}, ${params.add(after.id, 'uuid')})`,
      ]
    : []

function parseMark(text: string): Mark | undefined {
  const [at, id] = JSON.parse(text) as [string, string]
  return isId(id) && (at === 'infinity' || isMoment(at)) ? { at, id } : undefined
}

const isMoment = (at: string) => /^\d{4}-\d\d-\d\d[ T][\d:.]+\+00$/.test(at) && !Number.isNaN(Date.parse(at))

/** Unread ones are looked for among so many of the newest. */
const lookedThrough = 3000

/** Each count stops at the limit and reads one index. */
export async function countConversations(context: Context): Promise<Output<typeof conversations.countConversations>> {
  const audiences = await audiencesOf(context)
  const { company_id, user_id } = actorOf(context)
  const params = new Params()
  const [company, user] = [params.add(company_id, 'uuid'), params.add(user_id, 'uuid')]
  const ids = params.add(audiences.ids, 'uuid[]')
  const open = `c.company_id = ${company} and c.state = 'open' and c.merged_into is null`
  const upTo = (conditions: string, extra = '') =>
    `(select count(*)::int from (select 1 from conversations c where ${open} and ${conditions} ${extra} limit ${countedConversations}) n)`
  const unreadOf = (
    conditions: string,
  ) => `(select c.id, c.unread_at from conversations c where ${open} and ${conditions}
      order by c.last_message_at desc limit ${lookedThrough})`
  const [row] = await run<Output<typeof conversations.countConversations>>(
    context.db,
    `select ${upTo(`c.assignee_id = ${user} and c.audience = any(${ids})`)} as mine,
      ${upTo(`c.audience = any(${ids}) and c.assignee_id is null`)} as unassigned,
      ${upTo(`c.audience = any(${ids})`)} as all,
      (select count(*)::int from (select 1 from (${unreadOf(`c.assignee_id = ${user} and c.audience = any(${ids})`)} union all
        select u.* from unnest(${ids}) a(audience) cross join lateral ${unreadOf('c.audience = a.audience and c.assignee_id is null')} u) c
        where ${isUnread(company, user)} limit ${countedConversations}) n) as unread,
      coalesce((select jsonb_agg(jsonb_build_object('id', h.id, 'count', ${upTo(`c.channel_id = h.id and c.audience = any(${ids})`)}) order by h.id)
        from channels h where h.company_id = ${company} and h.deleted_at is null
          and (h.owner_id is null or h.id = any(${ids}))), '[]') as channels`,
    params,
  )
  return row!
}
