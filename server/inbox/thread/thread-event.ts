// What changed in a conversation, as a line in its thread. Stored as data; contract/shared words it.
import { randomUUIDv7 } from 'node:crypto'
import type { ConversationEvent } from '../../../contract/shared/conversation-events.ts'
import { actorOf, type Context } from '../../kernel/context.ts'
import { insertingJson, Params, run } from '../../kernel/statement.ts'

type ConversationRef = { id: string; audience: string; channel_id: string }

export const addEvent = (context: Context, conversation: ConversationRef, event: ConversationEvent) =>
  addEvents(context, [conversation], event)

export async function addEvents(context: Context, conversations: ConversationRef[], event: ConversationEvent) {
  if (!conversations.length) return
  const { company_id, user_id, api_key_id } = actorOf(context)
  // A rule's changes are not attributed to the user whose rights it has.
  const rule = context.principal?.kind === 'rule' ? context.principal : undefined
  const author = rule
    ? { user_id: null, api_key_id: null, rule_id: rule.id }
    : { user_id: user_id || null, api_key_id, rule_id: null }
  const rows = conversations.map(({ id, audience, channel_id }) => ({
    company_id,
    id: randomUUIDv7(),
    conversation_id: id,
    audience,
    channel_id,
    kind: 'event',
    at: context.now,
    ...author,
    client: context.client,
    data: { event, ...(rule && { rule: rule.name }) },
    state: 'received',
  }))
  const params = new Params()
  await run(context.db, insertingJson('messages', rows)(params), params)
}
