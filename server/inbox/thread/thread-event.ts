// What happened to a conversation, as a line in its thread.
import { randomUUIDv7 } from 'node:crypto'
import { actorOf, type Context, type Principal } from '../../kernel/context.ts'
import { insertingJson, Params, run } from '../../kernel/statement.ts'

type ConversationRef = { id: string; audience: string; channel_id: string }

export const addEvent = (context: Context, about: ConversationRef, text: string) => addEvents(context, [about], text)

export async function addEvents(context: Context, about: ConversationRef[], text: string) {
  if (!about.length) return
  const { company_id, user_id, api_key_id } = actorOf(context)
  // What a rule does is not done by the user whose rights it has.
  const by =
    context.principal?.kind === 'rule'
      ? { ...noUser, ...ruleOf(context.principal) }
      : { user_id: user_id || null, api_key_id }
  const rows = about.map(({ id, audience, channel_id }) => ({
    company_id,
    id: randomUUIDv7(),
    conversation_id: id,
    audience,
    channel_id,
    kind: 'event',
    at: context.now,
    ...by,
    client: context.client,
    text,
    state: 'received',
  }))
  const params = new Params()
  await run(context.db, insertingJson('messages', rows)(params), params)
}

const noUser = { user_id: null, api_key_id: null }
const ruleOf = ({ id, name }: Principal) => ({ rule_id: id, data: { rule: name } })
