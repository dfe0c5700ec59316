// Stores what a gateway posted: all posts of a moment in one transaction, because they wait for the same lock.
import { sql } from 'kysely'
import { announceChanged } from '../../inbox/access/announce.ts'
import { asChannel } from '../../inbox/channels/act-as.ts'
import { audienceOf, type ChannelRow } from '../../inbox/channels/channel.ts'
import { type Reading, type ReadMessage, readMessages } from '../../inbox/receiving/read-messages.ts'
import { receive } from '../../inbox/receiving/receive.ts'
import { advance } from '../../inbox/sending/message-state.ts'
import { noteThread } from '../../inbox/sending/write-result.ts'
import { AppError } from '../../kernel/app-error.ts'
import { outsideCalls } from '../../kernel/calls.ts'
import type { Context } from '../../kernel/context.ts'
import { gather } from '../../kernel/gather.ts'
import type { Db } from '../../platform/db.ts'
import type { Log } from '../../platform/log.ts'
import { deleteMessage, editMessage } from './edit-message.ts'
import { failureOf, noteOutcome, noteReceived } from './health.ts'
import { type Found, type Item, incomingOf, keyOf } from './items.ts'
import type { Missing } from './load-files.ts'

export type Result = {
  kind: string
  result: 'stored' | 'known' | 'changed' | 'unchanged' | 'not_found'
  message_id: string | null
  conversation_id: string | null
  missing_files?: Missing[]
}
/** `id`: the gateway's name for the post; null: it has none, and only its items are recognized. */
export type Post = { id: string | null; digest: Buffer; items: Item[] }
type StoreServices = Reading & { log: Log }
type Work = { db: Db; channel: ChannelRow; post: Post; now: Date }
/** `messages`: those of the post, in order; null: it was taken before. */
type ReadWork = Work & { messages: ReadMessage[] | null }

const typingMs = 8000

/** One per process. A company takes one connection, however much its gateways post: they wait for the same lock. */
export function createPostStore(parts: StoreServices) {
  type Line = { take: (work: ReadWork) => Promise<PromiseSettledResult<Result[]>>; count: number }
  const lines = new Map<string, Line>()
  const begin = (): Line => ({
    take: gather((all: ReadWork[]) => outsideCalls(() => takeAll(all)), { turns: 1, patienceMs: 30_000 }),
    count: 0,
  })

  return async (work: Work): Promise<Result[]> => {
    const { company_id } = work.channel
    // Before the post waits for others of its company, which must not wait for what it contains.
    const messages = await messagesIn(parts, work)
    const line = lines.get(company_id) ?? begin()
    lines.set(company_id, line)
    line.count++
    try {
      const settled = await line.take({ ...work, messages })
      if (settled.status === 'rejected') throw settled.reason
      return settled.value
    } finally {
      if (--line.count === 0) lines.delete(company_id)
    }
  }

  async function takeAll(all: ReadWork[]) {
    const settled = new Map<ReadWork, PromiseSettledResult<Result[]>>()
    for (const group of Map.groupBy(all, ({ channel }) => channel.id).values())
      for (const [i, one] of (await takeGroup(group)).entries()) settled.set(group[i]!, one)
    return all.map((work) => settled.get(work)!)
  }

  /** If one cannot be stored, the others still are. */
  async function takeGroup(group: ReadWork[]): Promise<PromiseSettledResult<Result[]>[]> {
    if (group.length > 1)
      try {
        return (await takeTogether(group)).map((value) => ({ status: 'fulfilled', value }))
      } catch (err) {
        const { company_id, id: channel_id } = group[0]!.channel
        // A conflict or the like is answered when its post is stored alone.
        if (!(err instanceof AppError))
          parts.log.warn({ err, company_id, channel_id, posts: group.length }, 'posts could not be stored together')
      }
    const settled: PromiseSettledResult<Result[]>[] = []
    for (const work of group) settled.push(...(await Promise.allSettled([takeTogether([work]).then(([one]) => one!)])))
    return settled
  }

  function takeTogether(all: ReadWork[]): Promise<Result[][]> {
    const { db, channel, now } = all[0]!
    return asChannel(db, channel, now, async (context) => {
      await sql`select pg_advisory_xact_lock(hashtextextended(${`gateway ${channel.id}`}, 36))`.execute(context.db)
      const posts = all.map(({ post }) => post)
      const answers = await knownAnswers(context.db, channel, posts)
      const first = new Map<string, Post>()
      const fresh = all.filter(({ post }) => {
        if (post.id === null) return true
        if (answers.has(post.id) || first.has(post.id)) return false
        first.set(post.id, post)
        return true
      })
      const results = await takeItems(context, channel, fresh)
      let from = 0
      const own = new Map<Post, Result[]>()
      for (const { post } of fresh) {
        own.set(post, results.slice(from, from + post.items.length))
        from += post.items.length
      }
      await keepAnswers(context, channel, own)
      await noteReceived(context.db, channel, now)
      return posts.map((post) => {
        const known = answers.get(post.id ?? '')
        const same = first.get(post.id ?? '') ?? post
        if (!(known?.digest ?? same.digest).equals(post.digest))
          throw new AppError(
            'conflict',
            'This webhook-id was already used for a different body. Use a new ID for each request.',
          )
        return known?.answer ?? own.get(same)!
      })
    })
  }
}

/** Read only if the post is new. */
async function messagesIn(parts: Reading, { db, channel, post, now }: Work) {
  if ((await knownAnswers(db, channel, [post])).size) return null
  const incoming = post.items.flatMap((item) => (item.kind === 'message' ? [incomingOf(channel, item)] : []))
  return readMessages(parts, db, channel, incoming, now)
}

type Known = { post_id: string; digest: Buffer; answer: Result[] }

async function knownAnswers(db: Db, { company_id, id }: ChannelRow, posts: Post[]) {
  const ids = posts.flatMap((post) => post.id ?? [])
  if (!ids.length) return new Map<string, Known>()
  const { rows } = await sql<Known>`
    select post_id, digest, answer from gateway_posts where company_id = ${company_id} and channel_id = ${id}
      and post_id = any(${ids}::text[])`.execute(db)
  return new Map(rows.map((row) => [row.post_id, row]))
}

async function keepAnswers({ db, now }: Context, { company_id, id }: ChannelRow, answers: Map<Post, Result[]>) {
  const rows = [...answers].flatMap(([post, answer]) =>
    post.id === null
      ? []
      : [
          {
            company_id,
            channel_id: id,
            post_id: post.id,
            digest: post.digest,
            answer: JSON.stringify(answer),
            at: now,
          },
        ],
  )
  if (rows.length) await db.insertInto('gateway_posts').values(rows).execute()
}

/** In the order of the items. Messages are stored first, so that what is said about them finds them. */
async function takeItems(context: Context, channel: ChannelRow, fresh: ReadWork[]): Promise<Result[]> {
  const items = fresh.flatMap(({ post }) => post.items)
  const messages = items.filter((item) => item.kind === 'message')
  const read = fresh.flatMap((work) => work.messages ?? neverRead())
  const received = await receive(context.db, channel, read, context.now)
  const stored = new Map(messages.map((item, i) => [item as Item, received[i]!]))
  const results: Result[] = []
  for (const item of items) {
    const found = stored.get(item)
    results.push(
      found
        ? {
            kind: item.kind,
            result: found.isNew ? 'stored' : 'known',
            message_id: found.messageId,
            conversation_id: found.conversationId,
            ...(item.kind === 'message' && found.isNew && item.missing.length && { missing_files: item.missing }),
          }
        : { kind: item.kind, ...(await report(context, channel, item as Exclude<Item, { kind: 'message' }>)) },
    )
  }
  return results
}

/** What is kept of a post was deleted between two looks. The gateway posts again. */
const neverRead = () => {
  throw new AppError('unavailable', 'Post this again.', { retryAfter: 1 })
}

const nothing = { result: 'not_found', message_id: null, conversation_id: null } as const

async function report(
  context: Context,
  channel: ChannelRow,
  item: Exclude<Item, { kind: 'message' }>,
): Promise<Omit<Result, 'kind'>> {
  if (item.kind === 'typing') return noteTyping(context, channel, item.thread)
  const message = await findMessage(context.db, channel, item)
  if (!message) return nothing
  const about = { message_id: message.id, conversation_id: message.conversation_id }
  const done = (isChanged: boolean) => ({ result: isChanged ? ('changed' as const) : ('unchanged' as const), ...about })
  if (item.kind === 'edited') return done(await editMessage(context, message, item))
  if (item.kind === 'deleted') return done(await deleteMessage(context, message, item.at))
  if (item.thread !== null) await noteThread(context.db, { ...message, channel_id: channel.id }, item.thread)
  const named = item.messageId !== null && item.id !== null
  const moved = await advance(context, message, {
    state: item.state,
    reason: item.reason,
    at: context.now,
    ...(named && { key: keyOf(channel, item.id!), providerId: item.id! }),
  })
  if (moved?.isNew) await noteOutcome(context, channel, item.state === 'failed' ? failureOf(item.reason) : null)
  return done(moved?.isNew ?? false)
}

async function findMessage(
  db: Db,
  channel: ChannelRow,
  item: { id: string | null; messageId?: string | null },
): Promise<Found | undefined> {
  const { company_id, id } = channel
  const which = item.messageId
    ? sql`id = ${item.messageId}`
    : sql`audience = ${audienceOf(channel)} and key = ${keyOf(channel, item.id ?? '')}`
  const { rows } = await sql<Found>`
    select company_id, id, conversation_id, audience from messages
    where company_id = ${company_id} and channel_id = ${id} and kind = 'message' and ${which}`.execute(db)
  return rows[0]
}

async function noteTyping(context: Context, { company_id, id }: ChannelRow, thread: string) {
  const { rows } = await sql<{ id: string; audience: string; is_typing: boolean }>`
    select c.id, c.audience, coalesce(g.typing_until > ${context.now}, false) as is_typing
    from conversation_threads t
    join conversations o on o.company_id = ${company_id} and o.id = t.conversation_id
    join conversations c on c.company_id = ${company_id} and c.id = coalesce(o.merged_into, o.id)
    left join conversation_guests g on g.company_id = ${company_id} and g.conversation_id = c.id
    where t.company_id = ${company_id} and t.channel_id = ${id} and t.thread = ${thread}`.execute(context.db)
  const [conversation] = rows
  if (!conversation) return nothing
  const until = new Date(context.now.getTime() + typingMs)
  await sql`insert into conversation_guests (company_id, conversation_id, typing_until)
    values (${company_id}, ${conversation.id}, ${until})
    on conflict (company_id, conversation_id) do update set typing_until = excluded.typing_until`.execute(context.db)
  if (!conversation.is_typing) await announceChanged(context, company_id, [conversation])
  return { result: 'changed' as const, message_id: null, conversation_id: conversation.id }
}
