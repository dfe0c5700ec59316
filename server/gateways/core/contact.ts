// When a gateway was last heard of, and whether it works.
import { sql } from 'kysely'
import { channelChanged } from '../../inbox/announce.ts'
import type { ChannelRow } from '../../inbox/channel.ts'
import { announce } from '../../kernel/live-channel.ts'
import type { Db } from '../../platform/db.ts'

type Of = Pick<ChannelRow, 'company_id' | 'id'>
type Row = Parameters<typeof channelChanged>[0]

/** In the transaction of what was received. */
export const noteReceived = (tx: Db, { company_id, id }: Of, now: Date) =>
  sql`update channels set last_received_at = ${now}, state = case when state = 'connecting' then 'synced' else state end
    where company_id = ${company_id} and id = ${id}`.execute(tx)

export async function noteDelivered(db: Db, { company_id, id }: Of, now: Date) {
  await sql`update channels set last_delivered_at = ${now} where company_id = ${company_id} and id = ${id}`.execute(db)
  const { rows } = await sql<Row>`
    update channels set state = 'synced', state_reason = null, state_at = ${now}
    where company_id = ${company_id} and id = ${id} and state in ('connecting', 'failing')
    returning company_id, id, owner_id, is_shared`.execute(db)
  await announce(db, rows.map(channelChanged))
}

export async function noteFailure(db: Db, { company_id, id }: Of, reason: string, now: Date) {
  const { rows } = await sql<Row>`
    update channels set last_error = ${reason}, last_error_at = ${now}, state_reason = ${reason}, state_at = ${now},
      state = case when state in ('connecting', 'synced') then 'failing' else state end
    where company_id = ${company_id} and id = ${id} and state not in ('paused', 'disconnected')
    returning company_id, id, owner_id, is_shared`.execute(db)
  await announce(db, rows.map(channelChanged))
}
