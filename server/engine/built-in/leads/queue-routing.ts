// Queues new leads for the routes, in the transaction that creates them, so that each is sent on exactly once.
import { randomUUIDv7 } from 'node:crypto'
import { actorOf } from '../../../kernel/context.ts'
import type { Target } from '../../schema/target.ts'
import { actionOf, type Change } from '../../values/change.ts'

/** Leads of an import are old ones. They are sent on only if someone says so. */
export function queueRoutings({ context, schema, object }: Target, changes: Change[]) {
  if (object.built_in_key !== 'leads' || !schema.has_lead_routes || context.door === 'import') return
  const now = context.now.toISOString()
  const rows = changes
    .filter((change) => actionOf(change) === 'created')
    .map(({ after }) => ({
      company_id: actorOf(context).company_id,
      id: randomUUIDv7(),
      lead_id: after.id,
      created_at: now,
      next_at: now,
      state: 'waiting',
      trace: [{ at: now, what: 'started' }],
    }))
  if (!rows.length) return
  context.insert('lead_routings', rows)
  context.emit('lead.queued', {})
}
