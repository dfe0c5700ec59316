import type { Jobs } from '../../kernel/jobs.ts'
import { storeOldFilters } from './store-old-filters.ts'

export const viewJobs: Jobs = {
  /** For views of older versions. Filters that cannot be converted are tried again at the next start. */
  store_view_filters: {
    atStart: true,
    run: ({ db, now }) => storeOldFilters(db, now),
  },
}
