// How long submissions are kept as they came.
import { sql } from 'kysely'
import { spamDays } from '../../contract/leads.ts'
import { forEachCompany } from '../kernel/companies.ts'
import type { Db } from '../platform/db.ts'
import { confirmationDays } from './confirm.ts'

export const pruneSubmissions = (db: Db, now: Date) =>
  forEachCompany(db, async ({ id }) => {
    const days = (count: number) => new Date(now.getTime() - count * 86_400_000)
    await sql`delete from lead_submissions where company_id = ${id} and received_at < ${days(spamDays)}
      and (state in ('spam', 'expired') or source_id in (select s.id from lead_sources s
        where s.company_id = ${id} and s.deleted_at < ${days(spamDays)}))`.execute(db)
    await sql`update lead_submissions set state = 'expired', next_attempt_at = null, reason = 'The email address was not confirmed.'
      where company_id = ${id} and state = 'unconfirmed' and received_at < ${days(confirmationDays)}`.execute(db)
    // Enough to see the country, not the person.
    await sql`update lead_submissions set user_agent = null, ip = case when ip like '%:%'
        then host(network(set_masklen(ip::inet, 48))) else host(network(set_masklen(ip::inet, 24))) end
      where company_id = ${id} and received_at < ${days(spamDays)} and user_agent is not null`.execute(db)
  })
