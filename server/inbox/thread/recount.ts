// What a conversation shows about its messages: how many there are, how the last one begins, who takes part. It follows
// each message that is queued, sent or taken back. Only after messages were moved are all of them counted again.
import { sql } from 'kysely'
import { previewOf } from '../../../contract/shared/message-preview.ts'
import { insertingJson, Params, run } from '../../kernel/statement.ts'
import type { Db } from '../../platform/db.ts'
import { isOurs, ourAddresses } from '../channels/our-addresses.ts'
import { foldedParticipants, type Participant } from './conversation.ts'
import type { StoredMessage } from './find-readable.ts'
import type { MessageFile } from './message.ts'

const mostParticipants = 50
/** The last message with text or files is looked for among so many. */
const mostNewest = 50
/** A longer conversation is not counted again because of one message. */
const mostRecounted = 200

type ConversationId = { company_id: string; id: string }

type Queued = {
  at: Date
  text: string
  quote_at: number | null
  files: MessageFile[]
  is_automatic: boolean
}

/** `participants`: outsiders among its recipients, who may be known already. */
export async function countQueued(
  db: Db,
  { company_id, id }: ConversationId,
  message: Queued,
  participants: Participant[],
) {
  const { rows } = await sql<{ participants: Participant[] }>`
    select participants from conversations where company_id = ${company_id} and id = ${id} for update`.execute(db)
  const everyone = new Map([...participants, ...rows[0]!.participants].map((one) => [one.address, one]))
  const known = rows[0]!.participants.map(({ address }) => address)
  const all = [...new Set([...known, ...everyone.keys()])].slice(0, mostParticipants).map((one) => everyone.get(one)!)
  const preview = previewOf({ ...message, direction: 'out' })
  const hasFiles = message.files.some((file) => !file.is_inline)
  // What a rule replied says less than what it replied to.
  const isLast = sql`(message_count = 0 or ${!message.is_automatic} and last_message_at <= ${message.at})`
  await sql`update conversations set message_count = message_count + 1, has_files = has_files or ${hasFiles},
      participants = ${JSON.stringify(all)}::jsonb, participants_folded = ${foldedParticipants(all)},
      preview = case when ${isLast} and ${preview !== ''} then ${preview} else preview end,
      last_direction = case when ${isLast} then 'out' else last_direction end,
      last_message_at = case when ${isLast} then ${message.at} else last_message_at end,
      created_at = case when message_count = 0 then ${message.at} else created_at end,
      last_out_at = greatest(last_out_at, ${message.at}), version = version + 1
    where company_id = ${company_id} and id = ${id}`.execute(db)
}

/** It was counted when it was queued. Its time is now the one when it was sent. */
export async function countSent(db: Db, message: StoredMessage) {
  const { company_id, conversation_id, at, is_automatic } = message
  const preview = previewOf(message)
  const isLast = sql`(message_count = 1 or ${!is_automatic} and last_message_at <= ${at})`
  const isResponse = sql`(${!is_automatic} and last_in_at is not null and (last_in_at <= ${at}
    or exists (select from messages m where m.company_id = ${company_id} and m.conversation_id = ${conversation_id}
      and m.kind = 'message' and m.direction = 'in' and m.at <= ${at})))`
  await sql`update conversations set
      preview = case when ${isLast} and ${preview !== ''} then ${preview} else preview end,
      last_direction = case when ${isLast} then 'out' else last_direction end,
      last_message_at = case when ${isLast} then ${at} else last_message_at end,
      created_at = case when message_count = 1 then ${at} else created_at end,
      last_out_at = greatest(last_out_at, ${at}),
      first_response_at = case when ${isResponse} then least(first_response_at, ${at}) else first_response_at end,
      version = version + 1
    where company_id = ${company_id} and id = ${conversation_id}`.execute(db)
}

/**
 * After one message was cancelled (`removed` is 1), edited or deleted by its sender. Of a long conversation, participants
 * and the sign for files stay as they are.
 */
export async function countChanged(db: Db, { company_id, id }: ConversationId, removed: 0 | 1) {
  const { rows } = await sql<{ message_count: number }>`
    select message_count from conversations where company_id = ${company_id} and id = ${id} for update`.execute(db)
  if ((rows[0]?.message_count ?? 0) <= mostRecounted) return recount(db, { company_id, id })
  const { last, preview } = await newestOf(db, { company_id, id })
  await sql`update conversations set message_count = message_count - ${removed}::int, preview = ${preview},
      last_direction = ${last?.direction ?? null}, last_message_at = coalesce(${last?.at ?? null}, last_message_at),
      version = version + 1
    where company_id = ${company_id} and id = ${id}`.execute(db)
}

const isCounted = ({ company_id, id }: ConversationId) =>
  sql`m.company_id = ${company_id} and m.conversation_id = ${id} and m.kind = 'message' and m.state <> 'cancelled'`

type Newest = Pick<StoredMessage, 'direction' | 'at' | 'text' | 'quote_at' | 'files' | 'is_automatic'>

async function newestOf(db: Db, conversation: ConversationId) {
  const { rows } = await sql<Newest>`
    select m.direction, m.at, left(m.text, 3000) as text, m.quote_at, m.files, m.is_automatic from messages m
    where ${isCounted(conversation)} order by m.at desc, m.id desc limit ${mostNewest}`.execute(db)
  const last = rows.find((one) => one.direction === 'in' || !one.is_automatic) ?? rows[0]
  // Nothing is left of a message that its sender deleted.
  const shown = last && (previewOf(last) ? last : rows.find((one) => previewOf(one)))
  return { last, preview: shown ? previewOf(shown) : '' }
}

type Totals = {
  message_count: number
  has_files: boolean
  created_at: Date | null
  first_in_at: Date | null
  last_in_at: Date | null
  last_out_at: Date | null
}

/** Reads all messages, so it is only for what happens rarely: merges and splits. */
export async function recount(db: Db, conversation: ConversationId) {
  const { company_id, id } = conversation
  const { rows } = await sql<Totals>`
    select count(*)::int as message_count, min(m.at) as created_at,
      coalesce(bool_or(jsonb_path_exists(m.files, '$[*] ? (!(@.is_inline == true))')), false) as has_files,
      min(m.at) filter (where m.direction = 'in') as first_in_at,
      max(m.at) filter (where m.direction = 'in') as last_in_at,
      max(m.at) filter (where m.direction = 'out') as last_out_at
    from messages m where ${isCounted(conversation)}`.execute(db)
  const { message_count, has_files, created_at, first_in_at, last_in_at, last_out_at } = rows[0]!
  const { last, preview } = await newestOf(db, conversation)
  const everyone = await outsidersOf(db, conversation)
  const participants = everyone.slice(0, mostParticipants)
  await sql`update conversations set message_count = ${message_count}, has_files = ${has_files},
      participants = ${JSON.stringify(participants)}::jsonb, participants_folded = ${foldedParticipants(participants)},
      preview = ${preview}, last_direction = ${last?.direction ?? null},
      created_at = coalesce(${created_at}, created_at), last_message_at = coalesce(${last?.at ?? null}, last_message_at),
      last_in_at = ${last_in_at}, last_out_at = ${last_out_at}, version = version + 1,
      first_response_at = (select min(m.at) from messages m where ${isCounted(conversation)} and m.direction = 'out'
        and not m.is_automatic and m.state in ('sent', 'delivered', 'read') and m.at >= ${first_in_at})
    where company_id = ${company_id} and id = ${id}`.execute(db)
  await sql`delete from conversation_addresses where company_id = ${company_id} and conversation_id = ${id}
    and not is_extra`.execute(db)
  if (!everyone.length) return
  const params = new Params()
  const addresses = everyone.map(({ address }) => ({ company_id, address, conversation_id: id }))
  await run(db, `${insertingJson('conversation_addresses', addresses)(params)} on conflict do nothing`, params)
}

/** In the order in which they came in, with the people they are known to be. */
async function outsidersOf(db: Db, conversation: ConversationId): Promise<Participant[]> {
  const { company_id, id } = conversation
  const { rows } = await sql<{ address: string; name: string | null }>`
    select f.address, f.name from (
      select distinct on (p.address) p.address, p.name, m.at, m.id, p.position from messages m
      cross join lateral (
        select m.from_address as address, m.from_name as name, 0 as position where m.from_address is not null
        union all
        select e.one ->> 'address', e.one ->> 'name', e.position
        from jsonb_array_elements(m.recipients) with ordinality e(one, position)) p
      where ${isCounted(conversation)} order by p.address, m.at, m.id, p.position) f
    order by f.at, f.id, f.position`.execute(db)
  const ours = await ourAddresses(db, company_id)
  const { rows: before } = await sql<{ participants: Participant[] }>`
    select participants from conversations where company_id = ${company_id} and id = ${id}`.execute(db)
  const people = new Map(before[0]!.participants.map((one) => [one.address, one]))
  return rows
    .filter(({ address }) => !isOurs(ours, address))
    .map((one) => people.get(one.address) ?? { ...one, person_id: null })
}
