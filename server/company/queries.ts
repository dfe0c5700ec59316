import type { company } from '../../contract/company.ts'
import type { Output } from '../../contract/operation.ts'
import type { Actor } from '../kernel/context.ts'
import type { Db } from '../kernel/db.ts'

type Company = Output<typeof company.getCompany>

export async function companyOf(db: Db, { company_id }: Pick<Actor, 'company_id'>) {
  const companies = db.selectFrom('companies').selectAll().where('id', '=', company_id)
  const rates = db.selectFrom('currency_rates').select(['currency', 'rate']).where('company_id', '=', company_id)
  const { created_at, schema_version: _, ...found } = await companies.executeTakeFirstOrThrow()
  return {
    ...found,
    created_at: created_at.toISOString(),
    rates: (await rates.orderBy('currency').execute()).map(({ currency, rate }) => ({ currency, rate: Number(rate) })),
  } as Company
}
