import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../platform/db.ts'

const columns = [
  'id',
  'created_at',
  'schema_version',
  'audit_days',
  'request_days',
  'trash_days',
  'lead_response_minutes',
] as const

export type Company = Awaited<ReturnType<typeof companiesIn>>[number]

const companiesIn = (db: Db) => db.selectFrom('companies').select(columns).orderBy('id').execute()

/** Work that concerns all companies is done for one after the other. A failure in one does not affect the others. */
export async function forEachCompany(db: Db, work: (company: Company) => Promise<unknown>) {
  const failures: unknown[] = []
  for (const company of await companiesIn(db)) await work(company).catch((error) => failures.push(error))
  if (failures.length > 1) throw new AggregateError(failures, `It failed for ${failures.length} companies.`)
  if (failures.length) throw failures[0]
}

/** The companies that have rows in a queue with a time that has come. One step in the index of the queue for each. */
export const companiesWaiting = (
  db: Db,
  queue: 'reminders' | 'lead_submissions' | 'lead_returns' | 'conversations' | 'conversation_openings' | 'messages',
  time: string,
  now: Date,
) => {
  const at = sql.ref(`d.${time}`)
  // Rows that wait for nothing are not in the index, so companies that have only such rows cost nothing.
  return companiesWith(db, queue, sql`${at} <= ${now}`, sql`${at} is not null`)
}

/** The companies that have a row `d` like this in a small table, or in the small part of it that an index has. */
export async function companiesWith(
  db: Db,
  name: string,
  condition: RawBuilder<unknown>,
  isIndexed: RawBuilder<unknown> = sql`true`,
) {
  const table = sql.table(name)
  const { rows } = await sql<{ company_id: string }>`
    with recursive waiting as (
      (select d.company_id from ${table} d where ${isIndexed} order by d.company_id limit 1)
      union all
      select (select d.company_id from ${table} d where d.company_id > w.company_id and ${isIndexed}
        order by d.company_id limit 1)
      from waiting w where w.company_id is not null)
    select company_id from waiting w
    where exists (select from ${table} d where d.company_id = w.company_id and ${condition})`.execute(db)
  return rows.map(({ company_id }) => company_id)
}
