// Conversations and messages as sending needs them, if the caller may read them.
import { sql } from 'kysely'
import { withShownParticipants } from '../../engine/history/shown-participants.ts'
import { AppError } from '../../kernel/app-error.ts'
import { type Actor, actorOf, type Context } from '../../kernel/context.ts'
import type { Db } from '../../platform/db.ts'
import { noSuchMessage, type VisibleConversation, visibleConversation } from '../access/visible.ts'
import type { Participant } from './conversation.ts'
import { type MessageRow, messageColumns, shownMessage } from './message.ts'

export type Answerable = VisibleConversation & { participants: Participant[] }

export async function conversationFor(context: Context, id: string): Promise<Answerable> {
  const conversation = await visibleConversation(context, id)
  const { rows } = await sql<{ participants: Participant[] }>`
    select participants from conversations
    where company_id = ${actorOf(context).company_id} and id = ${conversation.id}`.execute(context.db)
  const [shown] = await withShownParticipants(context, [{ ...conversation, participants: rows[0]!.participants }])
  return shown!
}

/** The same for any user. Undefined if they may not read it. */
export async function conversationIfVisible(context: Context, actor: Actor, id: string) {
  try {
    return await conversationFor({ ...context, actor }, id)
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return undefined
    throw error
  }
}

export type StoredMessage = MessageRow & {
  company_id: string
  audience: string
  html: string | null
  key: string | null
}

/** Of `m`. */
export const storedMessage = sql.raw(`${messageColumns}, m.company_id, m.audience, m.html, m.key`)

export const shown = ({ company_id: _, audience: __, html: ___, key: ____, ...row }: StoredMessage) => shownMessage(row)

export async function findMessageUnchecked(db: Db, company_id: string, id: string) {
  const { rows } = await sql<StoredMessage>`
    select ${storedMessage} from messages m where m.company_id = ${company_id} and m.id = ${id}`.execute(db)
  return rows[0]
}

export async function messageFor(context: Context, id: string) {
  const actor = actorOf(context)
  const message = await findMessageUnchecked(context.db, actor.company_id, id)
  if (!message || !(await conversationIfVisible(context, actor, message.conversation_id))) throw noSuchMessage()
  return message
}
