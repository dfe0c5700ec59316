// A program that fetches its messages calls by itself. If it stops while messages wait, its channel fails and people are notified.
import { sql } from 'kysely'
import { dateFormat } from '../../../contract/shared/date-format.ts'
import { companiesWith } from '../../kernel/companies.ts'
import type { BackgroundTasks } from '../../kernel/queue.ts'
import type { Db } from '../../platform/db.ts'
import type { GatewayChannel } from '../gateway/find-channel.ts'
import { noteFailure, noteWorking } from '../gateway/health.ts'
import type { ApiSettings } from './secret.ts'

const silentMs = 5 * 60_000
const noteMs = 60_000

export async function noteFetched(db: Db, channel: GatewayChannel, now: Date) {
  const { company_id, id, state } = channel
  const { fetched_at } = channel.settings as ApiSettings
  if (!fetched_at || Date.parse(fetched_at) <= now.getTime() - noteMs)
    await sql`update channels set settings = settings || ${JSON.stringify({ fetched_at: now.toISOString() })}::jsonb
      where company_id = ${company_id} and id = ${id}`.execute(db)
  if (state === 'failing') await noteWorking(db, channel, 'sending', now)
}

type Silent = { company_id: string; id: string; name: string; fetched_at: Date | null }

async function noteSilent(db: Db, now: Date) {
  const since = new Date(now.getTime() - silentMs)
  const isSilent = sql`d.is_polled and d.disconnected_at is null and d.deleted_at is null
    and (d.state in ('connecting', 'synced') or d.state = 'failing' and d.failure_told_at is null)
    and coalesce(d.state_at, d.created_at) <= ${since}
    and coalesce((d.settings ->> 'fetched_at')::timestamptz <= ${since}, true)`
  for (const company_id of await companiesWith(db, 'channels', isSilent)) {
    const { rows } = await sql<Silent & { time_zone: string; language: string }>`
      select d.company_id, d.id, d.name, (d.settings ->> 'fetched_at')::timestamptz as fetched_at, c.time_zone, c.language
      from channels d join companies c on c.id = ${company_id}
      where d.company_id = ${company_id} and ${isSilent} and exists (select from messages m
        where m.company_id = ${company_id} and m.channel_id = d.id and m.send_at <= ${since}
          and (m.state = 'waiting' or m.state = 'sending' and m.leased_until < now()))`.execute(db)
    for (const { time_zone: timeZone, language, ...channel } of rows) {
      const style = { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit', timeZone } as const
      const when = channel.fetched_at ? `since ${dateFormat(language, style).format(channel.fetched_at)}` : 'yet'
      const reason = `Your app has not fetched messages ${when}.`
      await noteFailure(db, channel, reason, now, { needsHelp: true })
    }
  }
}

export const gatewayTasks: BackgroundTasks = {
  note_silent_gateways: {
    cron: '* * * * *',
    concurrency: 1,
    retries: 0,
    run: ({ db, now }) => noteSilent(db, now),
  },
}
