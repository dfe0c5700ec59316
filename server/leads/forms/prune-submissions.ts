// How long submissions are kept as they came.

import { type RawBuilder, sql } from 'kysely'
import { spamDays } from '../../../contract/leads.ts'
import { forEachCompany } from '../../kernel/companies.ts'
import { firstIdAt } from '../../kernel/first-id.ts'
import { inBatches } from '../../kernel/prune.ts'
import type { Db } from '../../platform/db.ts'
import { dayMs } from '../../platform/times.ts'
import { confirmationDays } from './confirm.ts'

export const pruneSubmissions = (db: Db, now: Date) =>
  forEachCompany(db, async ({ id }) => {
    const before = (days: number) => firstIdAt(new Date(now.getTime() - days * dayMs))
    /** Each condition has an index that ends with the ID. */
    const such = (condition: RawBuilder<unknown>, days: number, limit: number) =>
      sql`company_id = ${id} and id in (select s.id from lead_submissions s where s.company_id = ${id}
        and s.id < ${before(days)} and ${condition} limit ${limit})`
    const remove = (condition: RawBuilder<unknown>) =>
      inBatches((limit) => sql`delete from lead_submissions where ${such(condition, spamDays, limit)}`.execute(db))
    for (const state of ['spam', 'expired']) await remove(sql`s.state = ${state}`)
    for (const source_id of await deletedSources(db, id, new Date(now.getTime() - spamDays * dayMs)))
      await remove(sql`s.source_id = ${source_id}`)
    await inBatches((limit) =>
      sql`update lead_submissions set state = 'expired', next_attempt_at = null,
          reason = 'The email address was not confirmed.'
        where ${such(sql`s.state = 'unconfirmed'`, confirmationDays, limit)}`.execute(db),
    )
    // Enough to see the country, not the person.
    await inBatches((limit) =>
      sql`update lead_submissions set user_agent = null, ip = case when ip like '%:%'
          then host(network(set_masklen(ip::inet, 48))) else host(network(set_masklen(ip::inet, 24))) end
        where ${such(sql`s.user_agent is not null`, spamDays, limit)}`.execute(db),
    )
  })

async function deletedSources(db: Db, company_id: string, before: Date) {
  const sources = db.selectFrom('lead_sources').select('id').where('company_id', '=', company_id)
  return (await sources.where('deleted_at', '<', before).execute()).map(({ id }) => id)
}
