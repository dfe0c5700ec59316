import { sql } from 'kysely'
import type { Db } from '../kernel/db.ts'

/** Each company says how long its audit log is kept; unless it says so, for ever. */
export const pruneAudit = (db: Db, now: Date) =>
  sql`delete from audit_events e using companies c where e.company_id = c.id
    and c.audit_days is not null and e.at < ${now}::timestamptz - make_interval(days => c.audit_days)`.execute(db)
