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
