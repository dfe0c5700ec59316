import { sql } from 'kysely'
import { type Db, transaction } from '../kernel/db.ts'

export type KeyUse = { company_id: string; api_key_id: string | null; client: string | null; ip: string; at: Date }

const keptDays = 90

/** Adds a batch of requests to the figures of the keys that made them. */
export async function countKeyUses(db: Db, batch: KeyUse[]) {
  const uses = batch.filter((use) => use.api_key_id)
  if (!uses.length) return
  // In one order in every process, so that two batches never wait for each other.
  await transaction(db, (tx) =>
    sql`
      insert into api_key_uses (company_id, api_key_id, day, client, calls, last_used_at, last_ip)
      select company_id, api_key_id, (at at time zone 'UTC')::date as day, coalesce(client, 'unknown'), count(*), max(at),
        (array_agg(ip order by at desc))[1]
      from jsonb_to_recordset(${JSON.stringify(uses)}::jsonb)
        as use(company_id uuid, api_key_id uuid, client text, ip text, at timestamptz)
      group by 1, 2, 3, 4 order by 1, 2, 3, 4
      on conflict (company_id, api_key_id, day, client) do update set
        calls = api_key_uses.calls + excluded.calls,
        last_used_at = greatest(api_key_uses.last_used_at, excluded.last_used_at),
        last_ip = excluded.last_ip`.execute(tx),
  )
}

export const pruneKeyUses = (db: Db, now: Date) =>
  db
    .deleteFrom('api_key_uses')
    .where('day', '<', new Date(now.getTime() - keptDays * 86_400_000))
    .execute()
