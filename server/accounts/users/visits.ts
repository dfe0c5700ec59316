// When users were last seen. Not in `users`, because every call reads those rows.
import { sql } from 'kysely'
import type { Db } from '../../platform/db.ts'

/** All users belong to one company. Written in the order of their IDs, so that two batches cannot deadlock. */
export const noteVisits = (db: Db, company_id: string, user_ids: string[], at: Date) =>
  sql`
    insert into user_visits as v (company_id, user_id, last_seen_at)
    select ${company_id}::uuid, id, ${at}::timestamptz from unnest(${user_ids}::uuid[]) as seen(id) order by id
    on conflict (company_id, user_id) do update set last_seen_at = greatest(v.last_seen_at, excluded.last_seen_at)`.execute(
    db,
  )
