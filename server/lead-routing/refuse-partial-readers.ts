import { refuse, rightsFor } from '../engine/rights/rights.ts'
import { schemaOf } from '../engine/schema/schema.ts'
import { actorOf, type Context } from '../kernel/context.ts'
import { leadsOf } from '../leads/leads-object.ts'

/** Destinations and routes pass on any lead, so people who save them must be able to read every lead. */
export async function refusePartialReaders(context: Context) {
  const actor = actorOf(context)
  const leads = leadsOf(await schemaOf(context.db, actor))
  if (rightsFor(actor, leads.key).read !== 'all') throw refuse(actor, 'read', leads)
}
