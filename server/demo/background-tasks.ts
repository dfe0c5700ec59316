import { announce } from '../kernel/live-channel.ts'
import type { OutboxEvent, Subscriptions } from '../kernel/outbox.ts'
import type { BackgroundTasks } from '../kernel/queue.ts'
import type { Db } from '../platform/db.ts'
import { beginAuditEarlier, fillCompany } from './fill.ts'

/** Fills a new company if DEMO=1 is set. */
export const demoTasks = ({ demo, ownerDb }: { demo: boolean; ownerDb: Db }): BackgroundTasks => ({
  fill_demo: {
    async run({ db, now }, { company_id }: OutboxEvent) {
      if (!demo || !(await fillCompany(db, { company_id, now, seed: company_id }))) return
      await beginAuditEarlier(ownerDb, { company_id, now })
      // The person who set the company up may already be looking at an empty list.
      await announce(db, [{ company_id, event: 'resync' }])
    },
  },
})

export const demoSubscriptions = { 'company.created': ['fill_demo'] } satisfies Subscriptions
