// The channels that a user may send by.
import { sql } from 'kysely'
import { AppError, refused } from '../../kernel/app-error.ts'
import { type Actor, actorOf, type Context } from '../../kernel/context.ts'
import type { Db } from '../../platform/db.ts'
import type { ChannelRow } from './channel.ts'

export type SendingChannel = ChannelRow & {
  signature: string
  agents: string
  state: string
  owner_name: string | null
}

/** The team's, and their own: someone else's mailbox is only read, even if it is shared. */
export async function sendingChannels(db: Db, { company_id, user_id }: Pick<Actor, 'company_id' | 'user_id'>) {
  const { rows } = await sql<SendingChannel>`
    select c.company_id, c.id, c.kind, c.name, c.address, c.owner_id, c.settings, c.secrets, c.signature, c.agents, c.state,
      u.name as owner_name
    from channels c left join users u on u.company_id = ${company_id} and u.id = c.owner_id
    where c.company_id = ${company_id} and c.deleted_at is null and c.disconnected_at is null
      and (c.owner_id is null or c.owner_id = ${user_id}) order by c.id`.execute(db)
  return rows
}

export async function channelFor(context: Context, id: string | undefined) {
  const all = await sendingChannels(context.db, actorOf(context))
  // Only visitors begin a chat.
  const usable = id ? all : all.filter(({ kind }) => kind !== 'chat')
  const wanted = id ? usable.find((channel) => channel.id === id) : usable[0]
  if (!id && usable.length > 1)
    throw refused(
      'channel_id',
      `Choose the channel to send from: ${usable.map((one) => `${one.name} (${one.id})`).join(', ')}`,
    )
  if (!wanted)
    throw id
      ? new AppError('forbidden', 'You cannot send via this channel. It is disconnected or belongs to someone else.')
      : new AppError('conflict', 'You have no channel to send from. Connect a mailbox first.')
  if (isHeld(wanted))
    throw new AppError('conflict', `The channel ${wanted.name} is paused. Resume it to send messages.`)
  return wanted
}

/** Nothing leaves it for now. A chat that is paused is only closed for visitors. */
export const isHeld = ({ state, kind }: { state: string; kind: string }) => state === 'paused' && kind !== 'chat'
