import { sql } from 'kysely'
import { ruleRunDays } from '../../../contract/inbox-rules.ts'
import type { EventPayload } from '../../../contract/shared/events.ts'
import { forEachCompany } from '../../kernel/companies.ts'
import type { OutboxEvent } from '../../kernel/outbox.ts'
import { deleteOlder } from '../../kernel/prune.ts'
import type { BackgroundTasks } from '../../kernel/queue.ts'
import type { Db } from '../../platform/db.ts'
import { dayMs } from '../../platform/times.ts'
import { handleMessage, type RuleServices } from './run.ts'

export const ruleTasks = (services: RuleServices): BackgroundTasks => ({
  apply_inbox_rules: {
    concurrency: 2,
    mayOverlap: true,
    run({ db, now }, { company_id, payload }: OutboxEvent) {
      const { message_id } = payload as EventPayload<'message.received'>
      return handleMessage(db, services, { company_id, message_id }, now)
    },
  },

  /** When someone leaves, their rules act with the rights of the one who gets their records. */
  pass_on_inbox_rules: {
    async run({ db }, { company_id, payload }: OutboxEvent) {
      const { user_id, reassign_to } = payload as EventPayload<'user.removed'>
      await sql`update inbox_rules set owner_id = ${reassign_to}
        where company_id = ${company_id} and owner_id = ${user_id}`.execute(db)
    },
  },
})

export const pruneRuleRuns = (db: Db, now: Date) =>
  forEachCompany(db, ({ id }) => deleteOlder(db, 'inbox_rule_runs', id, new Date(now.getTime() - ruleRunDays * dayMs)))
