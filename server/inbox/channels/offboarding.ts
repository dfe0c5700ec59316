// What becomes of personal mailboxes when their owners leave. Mail that was never shared is no one else's: it is deleted.
import { sql } from 'kysely'
import { deleteFiles } from '../../files/usage.ts'
import { announce } from '../../kernel/live-channel.ts'
import { inBatches } from '../../kernel/prune.ts'
import type { Db } from '../../platform/db.ts'
import { dayMs } from '../../platform/times.ts'
import { channelChanged } from '../access/announce.ts'

const defaultDays = 30
const step = 500

/** Disconnects the channels of someone who left. Shared ones keep their messages. */
export async function leaveChannels(db: Db, company_id: string, user_id: string, now: Date) {
  const { rows: settings } = await sql<{ days: number }>`
    select coalesce((inbox_settings ->> 'retention_days')::int, ${defaultDays}) as days from companies where id = ${company_id}`.execute(
    db,
  )
  const purgeAt = new Date(now.getTime() + settings[0]!.days * dayMs)
  const { rows } = await sql<Parameters<typeof channelChanged>[0]>`
    update channels set state = 'disconnected', state_reason = 'Its owner left the company.', state_at = ${now},
      secrets = null, disconnected_at = ${now}, wanted_at = ${now},
      purge_at = case when is_shared then null else ${purgeAt}::timestamptz end
    where company_id = ${company_id} and owner_id = ${user_id} and disconnected_at is null
    returning company_id, id, owner_id, is_shared`.execute(db)
  await announce(db, rows.map(channelChanged))
}

/** Not if the owner is active again. */
export async function purgeChannels(db: Db, company_id: string, now: Date) {
  const { rows } = await sql<{ id: string }>`
    select h.id from channels h join users u on u.company_id = ${company_id} and u.id = h.owner_id
    where h.company_id = ${company_id} and h.purge_at <= ${now} and not h.is_shared
      and (u.deactivated_at is not null or u.removed_at is not null)`.execute(db)
  for (const { id } of rows) await deleteMail(db, company_id, id, now)
}

/** All mail of a channel, in steps, so that no statement takes long. The channel is the last to go, so that an interruption is made up for. */
export async function deleteMail(db: Db, company_id: string, channel_id: string, now: Date) {
  for (let deleted = step; deleted === step; ) deleted = await deleteSome(db, company_id, channel_id)
  await inBatches((limit) =>
    sql`delete from message_places where company_id = ${company_id} and channel_id = ${channel_id}
      and (path, uid_validity, uid) in (select p.path, p.uid_validity, p.uid from message_places p
        where p.company_id = ${company_id} and p.channel_id = ${channel_id} limit ${limit})`.execute(db),
  )
  for (const table of ['channel_folders', 'channel_faults', 'gateway_posts', 'sent_copies'])
    await sql`delete from ${sql.table(table)} where company_id = ${company_id} and channel_id = ${channel_id}`.execute(
      db,
    )
  await inBatches((limit) =>
    sql`delete from message_references where company_id = ${company_id} and audience = ${channel_id}
      and key in (select r.key from message_references r
        where r.company_id = ${company_id} and r.audience = ${channel_id} limit ${limit})`.execute(db),
  )
  await sql`update channels set deleted_at = ${now}, purge_at = null, secrets = null, settings = '{}', signature = ''
    where company_id = ${company_id} and id = ${channel_id}`.execute(db)
}

async function deleteSome(db: Db, company_id: string, channel_id: string) {
  const { rows } = await sql<{ id: string }>`
    (select id from conversations where company_id = ${company_id} and channel_id = ${channel_id}
      and merged_into is null limit ${step})
    union all
    (select id from conversations where company_id = ${company_id} and channel_id = ${channel_id}
      and merged_into is not null limit ${step})
    limit ${step}`.execute(db)
  const ids = rows.map(({ id }) => id)
  if (!ids.length) return 0
  await db.transaction().execute(async (tx) => {
    await deleteFiles(
      tx,
      company_id,
      sql`purpose = 'message' and id in (
        select (f ->> 'id')::uuid from messages m cross join lateral jsonb_array_elements(m.files) f
        where m.company_id = ${company_id} and m.conversation_id = any(${ids}::uuid[]))`,
    )
    await sql`delete from conversation_moves where company_id = ${company_id}
      and (from_id = any(${ids}::uuid[]) or to_id = any(${ids}::uuid[]))`.execute(tx)
    for (const table of [
      'messages',
      'conversation_addresses',
      'conversation_links',
      'conversation_reads',
      'conversation_visits',
      'conversation_threads',
      'conversation_guests',
      'message_drafts',
      'message_references',
      'proposals',
      'inbox_events',
      'conversation_openings',
      'inbox_rule_runs',
    ])
      await sql`delete from ${sql.table(table)} where company_id = ${company_id} and conversation_id = any(${ids}::uuid[])`.execute(
        tx,
      )
    await sql`delete from conversations where company_id = ${company_id} and id = any(${ids}::uuid[])`.execute(tx)
  })
  return ids.length
}
