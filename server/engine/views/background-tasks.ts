import type { BackgroundTasks } from '../../kernel/queue.ts'
import { addAllBuiltInViews } from './built-in.ts'
import { storeOldFilters } from './store-old-filters.ts'

export const viewTasks: BackgroundTasks = {
  /** For companies that a process of an earlier version created, or that had no Admin at startup. */
  add_built_in_views: {
    cron: '9 * * * *',
    atStart: true,
    run: ({ db, log, now }) => addAllBuiltInViews(db, log, now),
  },
  /** For views of older versions. Filters that cannot be converted are tried again at the next start. */
  store_view_filters: {
    atStart: true,
    run: ({ db, now }) => storeOldFilters(db, now),
  },
}
