import type { company } from '../../contract/company.ts'
import { actorOf } from '../kernel/context.ts'
import { differences } from '../kernel/differences.ts'
import type { Handlers } from '../kernel/run.ts'
import { companyOf } from './queries.ts'

export const companyOperations: Handlers<typeof company> = {
  async getCompany(context) {
    return companyOf(context.db, actorOf(context))
  },

  async updateCompany(context, input) {
    const actor = actorOf(context)
    const before = await companyOf(context.db, actor)
    const fields = differences(before, input)
    if (!fields) return before
    await context.db.updateTable('companies').set(input).where('id', '=', actor.company_id).execute()
    const after = { ...before, ...input }
    context.changed({ object: 'company', record_id: actor.company_id, action: 'updated', fields })
    context.emit('company.updated', { name: after.name })
    context.audit('company.updated', { target_id: actor.company_id, data: { fields: Object.keys(fields) } })
    return after
  },
}
