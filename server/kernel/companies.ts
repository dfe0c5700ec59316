import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../platform/db.ts'

const columns = ['id', 'created_at', 'audit_days', 'request_days', 'trash_days'] as const

export type Company = Awaited<ReturnType<typeof companiesIn>>[number]

const companiesIn = (db: Db) => db.selectFrom('companies').select(columns).orderBy('id').execute()

/** Work that concerns all companies is done for one after the other. A failure in one does not affect the others. */
export async function forEachCompany(db: Db, work: (company: Company) => Promise<unknown>) {
  const failures: unknown[] = []
  for (const company of await companiesIn(db)) await work(company).catch((error) => failures.push(error))
  if (failures.length) throw failures[0]
}

/** The companies that have rows in a queue with a time that has come. One step in the index for each company. */
export async function companiesWaiting(
  db: Db,
  queue:
    | 'deliveries'
    | 'reminders'
    | 'webhook_deliveries'
    | 'lead_submissions'
    | 'lead_routings'
    | 'lead_returns'
    | 'conversations'
    | 'conversation_openings'
    | 'channels'
    | 'messages',
  time: string,
  now: Date,
) {
  return companiesWith(db, queue, sql`${sql.ref(`d.${time}`)} <= ${now}`)
}

/** The companies that have a row `d` like this in a small table. */
export async function companiesWith(db: Db, name: string, condition: RawBuilder<unknown>) {
  const table = sql.table(name)
  const { rows } = await sql<{ company_id: string }>`
    with recursive waiting as (
      (select company_id from ${table} order by company_id limit 1)
      union all
      select (select d.company_id from ${table} d where d.company_id > w.company_id order by d.company_id limit 1)
      from waiting w where w.company_id is not null)
    select company_id from waiting w
    where exists (select from ${table} d where d.company_id = w.company_id and ${condition})`.execute(db)
  return rows.map(({ company_id }) => company_id)
}
