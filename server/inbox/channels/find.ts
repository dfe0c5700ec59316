// Finds the channels that the caller may see or change.
import { sql } from 'kysely'
import { AppError } from '../../kernel/app-error.ts'
import { actorOf, type Context, may } from '../../kernel/context.ts'
import type { ChannelRow } from './channel.ts'

/** With its state, as its page shows it. */
export type VisibleChannel = ChannelRow & {
  is_shared: boolean
  signature: string
  unknown_senders: string
  joins_subjects: boolean
  agents: string
  hourly_limit: number
  state: string
  state_reason: string | null
  created_at: Date
  disconnected_at: Date | null
  last_received_at: Date | null
  last_delivered_at: Date | null
  last_error: string | null
  last_error_at: Date | null
  recovered_at: Date | null
}

/** Team channels, the caller's own and shared ones. Admins get no others. */
export async function visibleChannels(context: Pick<Context, 'actor' | 'db'>, id?: string) {
  const { db } = context
  const { company_id, user_id } = actorOf(context)
  const { rows } = await sql<VisibleChannel>`
    select company_id, id, kind, name, address, owner_id, is_shared, settings, secrets, signature, unknown_senders,
      joins_subjects, agents, hourly_limit, state, state_reason, created_at, disconnected_at, last_received_at,
      last_delivered_at, last_error, last_error_at, recovered_at
    from channels where company_id = ${company_id} and deleted_at is null
      and (owner_id is null or owner_id = ${user_id} or is_shared) and (${id ?? null}::uuid is null or id = ${id ?? null})
    order by disconnected_at is not null, owner_id is not null, id`.execute(db)
  return rows
}

export async function findChannel(context: Context, id: string) {
  const [row] = await visibleChannels(context, id)
  if (row) return row
  throw new AppError('not_found', 'Channel not found. It may have been disconnected, or it is private.')
}

/** One that the caller may change: their own, or the team's with the permission for it. */
export async function ownChannel(context: Context, id: string) {
  const row = await findChannel(context, id)
  const actor = actorOf(context)
  if (row.owner_id === null ? may(actor, 'channels.manage') : row.owner_id === actor.user_id) return row
  throw new AppError(
    'forbidden',
    row.owner_id === null
      ? 'You need permission to manage channels.'
      : 'This mailbox belongs to someone else. Only they can change it.',
  )
}
