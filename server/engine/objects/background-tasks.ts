import type { BackgroundTasks } from '../../kernel/queue.ts'
import { updateAllBuiltIn } from './built-in.ts'

export const objectTasks: BackgroundTasks = {
  /** For companies that a process of an earlier version created, or that failed to update at startup. */
  update_built_in: {
    cron: '7 * * * *',
    atStart: true,
    run: ({ db, log }) => updateAllBuiltIn(db, log),
  },
}
