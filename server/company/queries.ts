import type { company } from '../../contract/company.ts'
import { Company } from '../../contract/company.ts'
import type { Output } from '../../contract/operation.ts'
import type { Actor } from '../kernel/context.ts'
import type { Db } from '../platform/db.ts'
import type { Companies } from '../platform/tables.ts'

type Shown = Output<typeof company.getCompany>

/** Selected by name, so that a column added by a later version does not change the result. */
const columns = Object.keys(Company.shape).filter((name) => name !== 'rates') as (keyof Companies)[]

export async function companyOf(db: Db, { company_id }: Pick<Actor, 'company_id'>) {
  const companies = db.selectFrom('companies').select(columns).where('id', '=', company_id)
  const rates = db.selectFrom('currency_rates').select(['currency', 'rate']).where('company_id', '=', company_id)
  const { created_at, ...company } = await companies.executeTakeFirstOrThrow()
  return {
    ...company,
    created_at: created_at.toISOString(),
    rates: (await rates.orderBy('currency').execute()).map(({ currency, rate }) => ({ currency, rate: Number(rate) })),
  } as Shown
}
