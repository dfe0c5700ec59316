// Messages that wait for a gateway.
import { sql } from 'kysely'
import { announceChanged } from '../../inbox/access/announce.ts'
import type { ChannelRow } from '../../inbox/channels/channel.ts'
import type { Context } from '../../kernel/context.ts'

/** What was tried before is tried again now. What a person scheduled for later was not tried yet, and stays. */
export async function sendWaiting(context: Context, { company_id, id }: Pick<ChannelRow, 'company_id' | 'id'>) {
  const { db, now } = context
  await sql`update channels set retry_at = null where company_id = ${company_id} and id = ${id} and retry_at is not null`.execute(
    db,
  )
  const { rows } = await sql<{ id: string; audience: string }>`
    update messages set send_at = ${now} where company_id = ${company_id} and channel_id = ${id} and state = 'waiting'
      and attempts > 0 and send_at > ${now} returning conversation_id as id, audience`.execute(db)
  if (!rows.length) return
  await announceChanged(context, company_id, rows)
  context.emit('message.queued', {}, company_id)
}
