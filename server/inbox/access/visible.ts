// What a caller may read. Statements about conversations and messages start with these conditions.
import { type Audiences, audiencesOf } from '../../engine/rights/audiences.ts'
import { AppError } from '../../kernel/app-error.ts'
import { actorOf, type Context } from '../../kernel/context.ts'
import { Params, run } from '../../kernel/statement.ts'

export { type Audiences, audiencesFor, audiencesOf } from '../../engine/rights/audiences.ts'

/** Conditions for `alias`, a row of conversations or messages. */
export const isVisible = (context: Context, { ids }: Audiences, alias: string, params: Params) =>
  `${alias}.company_id = ${params.add(actorOf(context).company_id, 'uuid')} and ${alias}.audience = any(${params.add(ids, 'uuid[]')})`

export const noSuchConversation = () =>
  new AppError('not_found', 'Conversation not found. It may have been merged into another one, or it is private.')
export const noSuchMessage = () => new AppError('not_found', 'Message not found, or it is private.')

export type VisibleConversation = {
  id: string
  audience: string
  channel_id: string
  state: string
  subject: string
  assignee_id: string | null
  label_ids: string[]
  version: number
}

/** Conversations that the caller may read, locked for a change. Refuses if one is missing. */
export async function holdConversations(context: Context, ids: string[]): Promise<VisibleConversation[]> {
  const wanted = [...new Set(ids)].sort()
  const audiences = await audiencesOf(context)
  const params = new Params()
  const rows = await run<VisibleConversation>(
    context.db,
    `select c.id, c.audience, c.channel_id, c.state, c.subject, c.assignee_id, c.label_ids, c.version from conversations c
      where ${isVisible(context, audiences, 'c', params)} and c.id = any(${params.add(wanted, 'uuid[]')})
        and c.merged_into is null order by c.id for update`,
    params,
  )
  if (rows.length < wanted.length) throw noSuchConversation()
  return rows
}

/** The conversation, or the one that it was merged into, if the caller may read it. */
export async function visibleConversation(context: Context, id: string): Promise<VisibleConversation> {
  const audiences = await audiencesOf(context)
  const params = new Params()
  const visible = isVisible(context, audiences, 'c', params)
  const company = params.add(actorOf(context).company_id, 'uuid')
  const [row] = await run<VisibleConversation>(
    context.db,
    `select c.id, c.audience, c.channel_id, c.state, c.subject, c.assignee_id, c.label_ids, c.version from conversations c
      where ${visible} and c.merged_into is null
        and c.id = coalesce((select o.merged_into from conversations o
          where o.company_id = ${company} and o.id = ${params.add(id, 'uuid')}), ${params.add(id, 'uuid')})`,
    params,
  )
  if (!row) throw noSuchConversation()
  return row
}
