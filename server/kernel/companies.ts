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
export const forEachCompany = async (db: Db, work: (company: Company) => Promise<unknown>) =>
  forEachOf(await companiesIn(db), work)

export async function forEachOf<T>(companies: T[], work: (company: T) => Promise<unknown>) {
  const failures: unknown[] = []
  for (const company of companies) await work(company).catch((error) => failures.push(error))
  if (failures.length > 1) throw new AggregateError(failures, `It failed for ${failures.length} companies.`)
  if (failures.length) throw failures[0]
}

type Queue = 'reminders' | 'lead_submissions' | 'lead_returns' | 'conversations' | 'conversation_openings'

/** Each company that has rows in a queue with a time that has come. */
export const forEachWaiting = async (
  db: Db,
  queue: Queue,
  time: string,
  now: Date,
  work: (company_id: string) => Promise<unknown>,
) => forEachOf(await companiesWaiting(db, queue, time, now), work)

/** Its index begins with the time. */
const companiesWaiting = (db: Db, queue: Queue, time: string, now: Date) =>
  companiesWith(db, queue, sql`${sql.ref(`d.${time}`)} <= ${now}`)

/** The companies that have a row `d` like this in a small table, or in the small part of it that an index has. */
export async function companiesWith(
  db: Db,
  table: 'channels' | 'proposals' | 'audit_events' | 'notification_choices' | Queue,
  condition: RawBuilder<unknown>,
) {
  const { rows } = await sql<{ company_id: string }>`
    select distinct d.company_id from ${sql.table(table)} d where ${condition}`.execute(db)
  return rows.map(({ company_id }) => company_id)
}
