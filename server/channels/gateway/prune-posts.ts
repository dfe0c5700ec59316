import { sql } from 'kysely'
import { forEachCompany } from '../../kernel/companies.ts'
import { inBatches } from '../../kernel/prune.ts'
import type { Db } from '../../platform/db.ts'
import { dayMs } from '../../platform/times.ts'

const keptMs = dayMs

/** Requests signed longer ago are refused anyway. */
export const pruneGatewayPosts = (db: Db, now: Date) =>
  forEachCompany(db, ({ id }) =>
    inBatches((limit) =>
      sql`delete from gateway_posts where company_id = ${id} and (channel_id, post_id) in (
        select p.channel_id, p.post_id from gateway_posts p where p.company_id = ${id}
          and p.at < ${new Date(now.getTime() - keptMs)} order by p.at limit ${limit})`.execute(db),
    ),
  )
