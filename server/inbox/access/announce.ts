// Tells open pages and listeners about conversations. What happens in a private channel is no event for others:
// only the pages of its owner hear of it.
import type { EventName, EventPayload } from '../../../contract/shared/events.ts'
import type { Context } from '../../kernel/context.ts'
import type { LiveMessage } from '../../kernel/live-channel.ts'
import { Params, run } from '../../kernel/statement.ts'

type Emit = Pick<Context, 'emit' | 'db'>
type ConversationRef = { id: string; audience: string }

/** The owners of private channels by audience. Others have none. */
export async function ownersOf({ db }: Pick<Context, 'db'>, company_id: string, audiences: string[]) {
  const personal = [...new Set(audiences)].filter((audience) => audience !== company_id)
  if (!personal.length) return new Map<string, string>()
  const params = new Params()
  const rows = await run<{ id: string; owner_id: string }>(
    db,
    `select id, owner_id from channels where company_id = ${params.add(company_id, 'uuid')}
      and id = any(${params.add(personal, 'uuid[]')}) and owner_id is not null and not is_shared`,
    params,
  )
  return new Map(rows.map(({ id, owner_id }) => [id, owner_id]))
}

/** Open pages load these conversations again. */
export async function announceChanged(context: Emit, company_id: string, conversations: ConversationRef[]) {
  const owners = await ownersOf(
    context,
    company_id,
    conversations.map(({ audience }) => audience),
  )
  const groups = Map.groupBy(conversations, ({ audience }) => owners.get(audience) ?? null)
  for (const [user_id, some] of groups)
    context.emit('conversation.changed', { conversation_ids: some.map(({ id }) => id), user_id }, company_id)
}

type Channel = { company_id: string; id: string; owner_id: string | null; is_shared: boolean }

/** Who may know of a private channel. Null: everyone may know of this one. */
export const onlyReaderOf = ({ owner_id, is_shared }: Pick<Channel, 'owner_id' | 'is_shared'>) =>
  is_shared ? null : owner_id

/** Open pages load this channel again. For jobs; a call emits `channel.changed`. */
export function channelChanged(channel: Channel): LiveMessage {
  const user_id = onlyReaderOf(channel)
  return {
    company_id: channel.company_id,
    ...(user_id && { user_id }),
    event: 'channel.changed',
    data: { channel_id: channel.id },
  }
}

type InboxEventName = Extract<EventName, `conversation.${string}` | `message.${string}`>

/** An event for listeners, unless the conversation is private: then only its owner's pages hear of it. */
export async function announce<Name extends InboxEventName>(
  context: Emit,
  company_id: string,
  conversation: ConversationRef,
  event: Name,
  payload: EventPayload<Name>,
) {
  const owners = await ownersOf(context, company_id, [conversation.audience])
  if (owners.size) await announceChanged(context, company_id, [conversation])
  else context.emit(event, payload, company_id)
}

type AboutProposal = Extract<EventName, `proposal.${string}`>

export async function announceProposal<Name extends AboutProposal>(
  context: Emit,
  company_id: string,
  { audience }: Pick<ConversationRef, 'audience'>,
  event: Name,
  payload: Omit<EventPayload<Name>, 'reader_id'>,
) {
  const owners = await ownersOf(context, company_id, [audience])
  context.emit(event, { ...payload, reader_id: owners.get(audience) ?? null } as EventPayload<Name>, company_id)
}
