// Drafts, and proposals that wait, follow their conversation when it is merged, and return when that is undone.
import { sql } from 'kysely'
import { actorOf, type Context } from '../../kernel/context.ts'

type Moved = { drafts: string[]; proposals: string[] }

/** A user who has a draft in both keeps the other one as a message of its own, so that no words are lost. */
export async function moveDrafts(context: Context, { from, to }: { from: string; to: string }): Promise<Moved> {
  const { company_id } = actorOf(context)
  const { rows: drafts } = await sql<{ id: string }>`
    update message_drafts d set conversation_id = case when exists (select from message_drafts o
      where o.company_id = ${company_id} and o.user_id = d.user_id and o.conversation_id = ${to}) then null else ${to}::uuid end
    where d.company_id = ${company_id} and d.conversation_id = ${from} returning d.id`.execute(context.db)
  const { rows: proposals } = await sql<{ id: string }>`
    update proposals set conversation_id = ${to}
    where company_id = ${company_id} and conversation_id = ${from} and state = 'waiting' returning id`.execute(
    context.db,
  )
  return { drafts: drafts.map(({ id }) => id), proposals: proposals.map(({ id }) => id) }
}

type Move = { from_id: string; to_id: string; data: Partial<Moved> }

/** Those that still wait where they were moved to. */
export async function returnDrafts(context: Context, { from_id, to_id, data }: Move) {
  const { company_id } = actorOf(context)
  await sql`update message_drafts set conversation_id = ${from_id}
    where company_id = ${company_id} and id = any(${data.drafts ?? []}::uuid[])
      and (conversation_id is null or conversation_id = ${to_id})`.execute(context.db)
  await sql`update proposals set conversation_id = ${from_id}
    where company_id = ${company_id} and id = any(${data.proposals ?? []}::uuid[]) and conversation_id = ${to_id}`.execute(
    context.db,
  )
}
