import { forEachWaiting } from '../../kernel/companies.ts'
import type { OutboxEvent } from '../../kernel/outbox.ts'
import type { BackgroundTasks } from '../../kernel/queue.ts'
import { renewTargets, reportOverdue } from './overdue.ts'

export const targetTasks: BackgroundTasks = {
  report_overdue_conversations: {
    cron: '* * * * *',
    concurrency: 1,
    retries: 0,
    run: ({ db, now }) =>
      forEachWaiting(db, 'conversation_openings', 'due_at', now, (company_id) => reportOverdue(db, company_id, now)),
  },

  renew_targets: {
    concurrency: 1,
    run: ({ db, now }, { company_id }: OutboxEvent) => renewTargets(db, company_id, now),
  },
}
