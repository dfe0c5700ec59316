import { sql } from 'kysely'
import { forEachCompany } from '../../kernel/companies.ts'
import type { Db } from '../../platform/db.ts'

const keptMs = 24 * 60 * 60 * 1000

/** Requests signed longer ago are refused anyway. */
export const pruneGatewayPosts = (db: Db, now: Date) =>
  forEachCompany(db, ({ id }) =>
    sql`delete from gateway_posts where company_id = ${id} and at < ${new Date(now.getTime() - keptMs)}`.execute(db),
  )
