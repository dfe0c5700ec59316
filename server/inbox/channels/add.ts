import { sql } from 'kysely'
import { mostChannels } from '../../../contract/channels.ts'
import { actorOf, type Context } from '../../kernel/context.ts'
import { lockToAdd, refuseMore } from '../../kernel/limits.ts'

/** Call it before a channel is connected. Until this call has ended, no other channel of the company is connected. */
export async function lockChannels(context: Context) {
  await lockToAdd(context, 'channels')
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from channels
    where company_id = ${actorOf(context).company_id} and disconnected_at is null and deleted_at is null`.execute(
    context.db,
  )
  refuseMore(rows[0]!.count, mostChannels, 'channels', 'Disconnect one')
}
