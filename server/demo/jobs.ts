import type { Jobs } from '../kernel/jobs.ts'
import type { OutboxEvent, Subscriptions } from '../kernel/outbox.ts'
import { fillCompany } from './fill.ts'

/** Where DEMO=1 is set, a new company is filled; elsewhere the job has nothing to do. */
export const demoJobs = ({ demo }: { demo: boolean }): Jobs => ({
  fill_demo: {
    async run({ db, now }, { company_id }: OutboxEvent) {
      if (demo) await fillCompany(db, { company_id, now, seed: company_id })
    },
  },
})

export const demoSubscriptions = { 'company.created': ['fill_demo'] } satisfies Subscriptions
