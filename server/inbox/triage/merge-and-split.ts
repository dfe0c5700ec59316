// Merges and splits conversations, and undoes it. Later messages follow, because references lead to messages.
import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { AppError, referenced, refused } from '../../kernel/app-error.ts'
import { actorOf, type Context } from '../../kernel/context.ts'
import { Params, run } from '../../kernel/statement.ts'
import { announceChanged } from '../access/announce.ts'
import {
  holdConversations,
  noSuchConversation,
  type VisibleConversation,
  visibleConversation,
} from '../access/visible.ts'
import { moveDrafts, returnDrafts } from '../sending/moved-drafts.ts'
import { baseSubject, foldedSubject } from '../thread/conversation.ts'
import { recount } from '../thread/recount.ts'
import { addEvent } from '../thread/thread-event.ts'
import { followOpenings } from '../thread/waiting-time.ts'

export async function mergeConversations(context: Context, { id, into_id }: { id: string; into_id: string }) {
  if (id === into_id) throw refused('into_id', 'Choose another conversation to merge it into')
  const { company_id } = actorOf(context)
  await visibleConversation(context, id)
  const held = await referenced('into_id', () => holdConversations(context, [id, into_id]))
  const [from, into] = [id, into_id].map((wanted) => held.find((one) => one.id === wanted)!)
  if (from!.audience !== into!.audience)
    throw new AppError('conflict', 'One of them is private, so they cannot be merged. Share its channel first.')
  const message_ids = await moveMessages(context, { from: id, to: into_id })
  await sql`update message_references set conversation_id = ${into_id}
    where company_id = ${company_id} and conversation_id = ${id}`.execute(context.db)
  const links = await copyLinks(context, id, into_id)
  await sql`update conversations set merged_into = ${into_id}, version = version + 1
    where company_id = ${company_id} and id = ${id}`.execute(context.db)
  // Those that were merged into it before.
  await sql`update conversations set merged_into = ${into_id} where company_id = ${company_id} and merged_into = ${id}`.execute(
    context.db,
  )
  const labels = await copyLabels(context, id, into_id)
  const drafts = await moveDrafts(context, { from: id, to: into_id })
  const data = { links, labels, ...drafts }
  const move_id = await keepMove(context, { kind: 'merge', from_id: id, to_id: into_id, message_ids, data })
  await addEvent(context, into!, { type: 'merged', conversation_id: id, subject: from!.subject })
  await recount(context.db, { company_id, id: into_id })
  await followOpenings(context.db, company_id, [id, into_id], context.now)
  await announceChanged(context, company_id, [from!, into!])
  return { move_id, conversation_id: into_id }
}

export async function splitConversation(context: Context, { id, message_ids }: { id: string; message_ids: string[] }) {
  const { company_id } = actorOf(context)
  const [from] = await holdConversations(context, [id])
  const { rows: wanted } = await sql<{ id: string; subject: string }>`
    select id, subject from messages where company_id = ${company_id} and conversation_id = ${id} and kind <> 'event'
      and id = any(${message_ids}::uuid[]) order by at, id`.execute(context.db)
  const { rows: others } = await sql`
    select id from messages where company_id = ${company_id} and conversation_id = ${id} and kind <> 'event'
      and id <> all(${message_ids}::uuid[]) limit 1`.execute(context.db)
  if (wanted.length < new Set(message_ids).size)
    throw refused('message_ids', 'Some of these messages are not in this conversation')
  if (!others.length)
    throw new AppError('conflict', 'At least one message must stay. Deselect one, or change the subject instead.')
  const to_id = randomUUIDv7()
  const subject = baseSubject(wanted[0]!.subject) || from!.subject
  await sql`insert into conversations (company_id, id, audience, channel_id, subject, subject_folded, state, assignee_id, created_at, last_message_at, version)
    select ${company_id}::uuid, ${to_id}, audience, channel_id, ${subject}, ${foldedSubject(subject)}, 'open', assignee_id, ${context.now}, ${context.now}, 0
    from conversations where company_id = ${company_id} and id = ${id}`.execute(context.db)
  const moved = wanted.map((message) => message.id)
  await moveMessages(context, { from: id, to: to_id, message_ids: moved })
  await moveReferences(context, to_id, moved)
  await copyLinks(context, id, to_id)
  await addEvent(context, from!, { type: 'split', conversation_id: to_id, subject, message_count: moved.length })
  const move_id = await keepMove(context, { kind: 'split', from_id: id, to_id, message_ids: moved, data: {} })
  await recount(context.db, { company_id, id })
  await recount(context.db, { company_id, id: to_id })
  await announceChanged(context, company_id, [from!, { id: to_id, audience: from!.audience }])
  return { move_id, conversation_id: to_id }
}

type Move = {
  id: string
  kind: string
  from_id: string
  to_id: string
  message_ids: string[]
  /** What a merge added to the conversation that stays. */
  data: { links?: string[]; labels?: string[]; drafts?: string[]; proposals?: string[] }
  undone_at: Date | null
}

/** Everything returns to where it was, with the answers to it. What else came since stays in the conversation that it came to. */
export async function undoMove(context: Context, id: string) {
  const { company_id } = actorOf(context)
  const { rows } = await sql<Move>`
    select id, kind, from_id, to_id, message_ids, data, undone_at from conversation_moves
    where company_id = ${company_id} and id = ${id} for update`.execute(context.db)
  const move = rows[0]
  if (!move) throw new AppError('not_found', 'Merge or split not found. It may have been undone.')
  const pair = await pairOf(context, move)
  if (move.undone_at) return
  const message_ids = [...move.message_ids, ...(await answersTo(context, move))]
  const moved = await moveMessages(context, { from: move.to_id, to: move.from_id, message_ids })
  await moveReferences(context, move.from_id, moved)
  if (move.kind === 'merge') {
    await sql`update conversations set merged_into = null where company_id = ${company_id} and id = ${move.from_id}`.execute(
      context.db,
    )
    await sql`delete from conversation_links where company_id = ${company_id} and conversation_id = ${move.to_id}
      and record_id = any(${move.data.links ?? []}::uuid[])`.execute(context.db)
    await removeLabels(context, move.to_id, move.data.labels ?? [])
    await returnDrafts(context, move)
  } else {
    // Messages that came to the new conversation since then belong to the old one, too.
    await moveMessages(context, { from: move.to_id, to: move.from_id })
    await sql`update message_references set conversation_id = ${move.from_id}
      where company_id = ${company_id} and conversation_id = ${move.to_id}`.execute(context.db)
    await moveDrafts(context, { from: move.to_id, to: move.from_id })
    await sql`update conversations set merged_into = ${move.from_id} where company_id = ${company_id} and id = ${move.to_id}`.execute(
      context.db,
    )
  }
  await sql`update conversation_moves set undone_at = ${context.now} where company_id = ${company_id} and id = ${id}`.execute(
    context.db,
  )
  const stays = pair.find((one) => one.id === (move.kind === 'merge' ? move.to_id : move.from_id))!
  await addEvent(context, stays, { type: move.kind === 'merge' ? 'merge_undone' : 'split_undone' })
  for (const conversation of pair) await recount(context.db, { company_id, id: conversation.id })
  await followOpenings(
    context.db,
    company_id,
    pair.map((one) => one.id),
    context.now,
  )
  await announceChanged(context, company_id, pair)
}

/** What answers the messages that were moved, and what answers that. Only what came since then. */
async function answersTo(context: Context, { id, to_id, message_ids }: Move) {
  const { company_id } = actorOf(context)
  const { rows } = await sql<{ id: string }>`
    with recursive answers (id) as (
      select m.id from messages m where m.company_id = ${company_id} and m.conversation_id = ${to_id}
        and m.reply_to_id = any(${message_ids}::uuid[]) and m.id > ${id}
      union
      select m.id from messages m join answers a on m.reply_to_id = a.id
      where m.company_id = ${company_id} and m.conversation_id = ${to_id} and m.id > ${id})
    select id from answers`.execute(context.db)
  return rows.map((row) => row.id)
}

/** Both conversations, if the caller may read them. One of them can be merged. */
async function pairOf(context: Context, { from_id, to_id, undone_at }: Move): Promise<VisibleConversation[]> {
  const { company_id } = actorOf(context)
  const [there] = await holdConversations(context, [undone_at ? from_id : to_id])
  const other = there!.id === to_id ? from_id : to_id
  const { rows } = await sql<VisibleConversation>`
    select id, audience, channel_id, state, subject, assignee_id, version from conversations
    where company_id = ${company_id} and id = ${other} and audience = ${there!.audience} for update`.execute(context.db)
  if (!rows[0]) throw noSuchConversation()
  return [there!, rows[0]]
}

type Moving = { from: string; to: string; message_ids?: string[] }

async function moveMessages(context: Context, { from, to, message_ids }: Moving) {
  const { company_id } = actorOf(context)
  const params = new Params()
  const only = message_ids ? ` and id = any(${params.add(message_ids, 'uuid[]')})` : ''
  const rows = await run<{ id: string }>(
    context.db,
    `update messages set conversation_id = ${params.add(to, 'uuid')} where company_id = ${params.add(company_id, 'uuid')}
      and conversation_id = ${params.add(from, 'uuid')}${only} returning id`,
    params,
  )
  return rows.map(({ id }) => id)
}

const moveReferences = (context: Context, to: string, message_ids: string[]) =>
  sql`update message_references set conversation_id = ${to} where company_id = ${actorOf(context).company_id}
    and message_id = any(${message_ids}::uuid[])`.execute(context.db)

/** Returns what was added. */
async function copyLinks(context: Context, from: string, to: string) {
  const { company_id } = actorOf(context)
  const { rows } = await sql<{ record_id: string }>`
    insert into conversation_links (company_id, record_id, conversation_id, object)
    select ${company_id}::uuid, record_id, ${to}, object from conversation_links
    where company_id = ${company_id} and conversation_id = ${from} on conflict do nothing returning record_id`.execute(
    context.db,
  )
  return rows.map(({ record_id }) => record_id)
}

/** Returns what was added. */
async function copyLabels(context: Context, from: string, to: string) {
  const { company_id } = actorOf(context)
  const { rows } = await sql<{ added: string[] }>`
    update conversations t set label_ids = t.label_ids || n.added
    from (select array(select l from unnest(f.label_ids) l where l <> all(i.label_ids)) as added
      from conversations f join conversations i on i.company_id = ${company_id} and i.id = ${to}
      where f.company_id = ${company_id} and f.id = ${from}) n
    where t.company_id = ${company_id} and t.id = ${to} returning n.added`.execute(context.db)
  return rows[0]!.added
}

const removeLabels = (context: Context, id: string, labels: string[]) =>
  sql`update conversations set label_ids = array(select l from unnest(label_ids) l where l <> all(${labels}::uuid[]))
    where company_id = ${actorOf(context).company_id} and id = ${id}`.execute(context.db)

async function keepMove(context: Context, move: Pick<Move, 'kind' | 'from_id' | 'to_id' | 'message_ids' | 'data'>) {
  const { company_id, user_id } = actorOf(context)
  const id = randomUUIDv7()
  await context.db
    .insertInto('conversation_moves')
    .values({ company_id, id, ...move, data: JSON.stringify(move.data), at: context.now, by: user_id })
    .execute()
  return id
}
