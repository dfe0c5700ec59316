// Takes leads through the routes. One process at a time works on a lead: it holds a lease, which it renews while it does.
import { sql } from 'kysely'
import { announcing } from '../kernel/announcing.ts'
import type { Work } from '../kernel/worker.ts'
import { type Db, isUnavailable } from '../platform/db.ts'
import type { Log } from '../platform/log.ts'
import type { Services } from './deliver.ts'
import { leases } from './delivery.ts'
import { advance } from './router.ts'
import type { Routing } from './routing-state.ts'

const announceMs = 500
/** After an error of ours. */
const pauseMs = 60_000

const columns = sql`t.lead_id, t.destination_id, t.state, t.created_at, t.done_routes, t.waited_route, t.plan, t.trace`

type Parts = { db: Db; log: Log; clock: () => Date; services: Services }

export function leadWork({ db, log, clock, services }: Parts): Work<Routing> {
  const tell = announcing({ db, log }, announceMs)
  return {
    queue: 'leads',
    // Destinations may be slow.
    atOnce: 128,
    ofCompany: 16,
    find: (company_id, limit, now) =>
      leases.claim<Routing>(db, company_id, {
        where: sql`t.next_at <= ${now}`,
        order: sql`t.next_at, t.id`,
        limit,
        columns,
      }),
    async perform(routing, signal) {
      await advance({ db, services, clock, signal }, routing)
      await tell({ company_id: routing.company_id, event: 'lead_sending.changed', data: {} }, signal)
    },
    renewing: { everyMs: 4000, renew: (routing) => leases.renew(db, routing) },
    giveBack(routing, error) {
      const ms = isUnavailable(error) ? 0 : pauseMs
      return leases.release(db, routing, sql`next_at = ${new Date(clock().getTime() + ms)}`)
    },
    nextDue: (company_id, now) => leases.nextDue(db, company_id, now, { at: sql`t.next_at` }),
    failure: 'a lead could not be sent',
    graceMs: 3000,
  }
}
