import { sql } from 'kysely'
import { forEachCompany } from '../../kernel/companies.ts'
import { type Db, transaction } from '../../platform/db.ts'
import { dayMs } from '../../platform/times.ts'
import { noteVisits } from '../users/visits.ts'

export type KeyUse = {
  company_id: string
  user_id: string
  api_key_id: string | null
  client: string | null
  ip: string
  at: Date
}

const keptDays = 90

/** Counts calls per key, client and day in memory. `flush` writes the sums. */
export function createKeyUses(db: Db) {
  let sums = new Map<string, KeyUse & { calls: number }>()
  return {
    add({ company_id, user_id, api_key_id, client, ip, at }: KeyUse) {
      if (!api_key_id) return
      const name = client ?? 'unknown'
      const key = `${api_key_id} ${Math.floor(at.getTime() / dayMs)} ${name}`
      const sum = sums.get(key)
      if (!sum) return void sums.set(key, { company_id, user_id, api_key_id, client: name, ip, at, calls: 1 })
      sum.calls++
      sum.at = at
      sum.ip = ip
    },
    async flush() {
      if (!sums.size) return
      const byCompany = Map.groupBy(sums.values(), ({ company_id }) => company_id)
      sums = new Map()
      for (const [company_id, uses] of byCompany) {
        await write(db, company_id, uses)
        const latest = new Date(Math.max(...uses.map(({ at }) => at.getTime())))
        await noteVisits(db, company_id, [...new Set(uses.map(({ user_id }) => user_id))], latest)
      }
    },
  }
}

function write(db: Db, company_id: string, uses: object[]) {
  // Every process writes in the same order, so that two batches cannot deadlock.
  return transaction(db, (tx) =>
    sql`
      insert into api_key_uses (company_id, api_key_id, day, client, calls, last_used_at, last_ip)
      select ${company_id}::uuid, api_key_id, (at at time zone 'UTC')::date, client, calls, at, ip
      from jsonb_to_recordset(${JSON.stringify(uses)}::jsonb)
        as use(api_key_id uuid, client text, calls int, at timestamptz, ip text)
      order by 2, 3, 4
      on conflict (company_id, api_key_id, day, client) do update set
        calls = api_key_uses.calls + excluded.calls,
        last_used_at = greatest(api_key_uses.last_used_at, excluded.last_used_at),
        last_ip = excluded.last_ip`.execute(tx),
  )
}

export const pruneKeyUses = (db: Db, now: Date) =>
  forEachCompany(db, ({ id }) =>
    db
      .deleteFrom('api_key_uses')
      .where('company_id', '=', id)
      .where('day', '<', new Date(now.getTime() - keptDays * dayMs))
      .execute(),
  )
