import type { company } from '../../contract/company.ts'
import type { Output } from '../../contract/operation.ts'
import type { Actor } from '../kernel/context.ts'

export const companyOf = (actor: Actor): Output<typeof company.getCompany> => ({
  id: actor.company_id,
  name: actor.company_name,
  created_at: actor.company_created_at.toISOString(),
})
