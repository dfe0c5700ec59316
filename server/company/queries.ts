import type { Actor } from '../kernel/context.ts'
import type { Db } from '../kernel/db.ts'

export async function companyOf(db: Db, { company_id }: Pick<Actor, 'company_id'>) {
  const companies = db.selectFrom('companies').select(['id', 'name', 'created_at']).where('id', '=', company_id)
  const { created_at, ...company } = await companies.executeTakeFirstOrThrow()
  return { ...company, created_at: created_at.toISOString() }
}
