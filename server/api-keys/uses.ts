import { sql } from 'kysely'
import { type Db, transaction } from '../kernel/db.ts'

export type KeyUse = { company_id: string; api_key_id: string | null; client: string | null; ip: string; at: Date }

const keptDays = 90

/** Adds a batch of requests to the figures of the keys that made them. */
export async function countKeyUses(db: Db, batch: KeyUse[]) {
  const uses = [...sumUp(batch)]
  if (!uses.length) return
  // In one order in every process, so that two batches never wait for each other.
  await transaction(db, (tx) =>
    sql`
      insert into api_key_uses (company_id, api_key_id, day, client, calls, last_used_at, last_ip)
      select company_id, api_key_id, (at at time zone 'UTC')::date, client, calls, at, ip
      from jsonb_to_recordset(${JSON.stringify(uses)}::jsonb)
        as use(company_id uuid, api_key_id uuid, client text, calls int, at timestamptz, ip text)
      order by 1, 2, 3, 4
      on conflict (company_id, api_key_id, day, client) do update set
        calls = api_key_uses.calls + excluded.calls,
        last_used_at = greatest(api_key_uses.last_used_at, excluded.last_used_at),
        last_ip = excluded.last_ip`.execute(tx),
  )
}

/** One entry a key, client and day. */
function sumUp(batch: KeyUse[]) {
  const sums = new Map<string, KeyUse & { calls: number }>()
  for (const { company_id, api_key_id, client, ip, at } of batch) {
    if (!api_key_id) continue
    const name = client ?? 'unknown'
    const key = `${api_key_id} ${at.toISOString().slice(0, 10)} ${name}`
    const calls = (sums.get(key)?.calls ?? 0) + 1
    sums.set(key, { company_id, api_key_id, client: name, ip, at, calls })
  }
  return sums.values()
}

export const pruneKeyUses = (db: Db, now: Date) =>
  db
    .deleteFrom('api_key_uses')
    .where('day', '<', new Date(now.getTime() - keptDays * 86_400_000))
    .execute()
