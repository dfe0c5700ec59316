import type { Jobs } from '../../kernel/jobs.ts'
import { storeOldFilters } from './store-old-filters.ts'

export const viewJobs: Jobs = {
  /** Views from before filters were kept with ids. Those that cannot be read are tried again at the next start. */
  store_view_filters: {
    atStart: true,
    run: ({ db, now }) => storeOldFilters(db, now),
  },
}
