import { sql } from 'kysely'
import type { EventPayload } from '../../contract/shared/events.ts'
import { forEachCompany, forEachWaiting } from '../kernel/companies.ts'
import { firstIdAt } from '../kernel/first-id.ts'
import type { OutboxEvent, Subscriptions } from '../kernel/outbox.ts'
import { deleteOlder, inBatches } from '../kernel/prune.ts'
import type { BackgroundTasks } from '../kernel/queue.ts'
import { type Db, transaction } from '../platform/db.ts'
import { dayMs } from '../platform/times.ts'
import { decide } from './returns.ts'

export const sendingSubscriptions: Subscriptions = {
  'lead.unplaced': ['notify'],
  'lead.not_accepted': ['notify'],
  'lead.return_requested': ['notify'],
}

export const sendingTasks: BackgroundTasks = {
  accept_returns: {
    cron: '* * * * *',
    concurrency: 1,
    retries: 0,
    run: ({ db, now }) =>
      forEachWaiting(db, 'lead_returns', 'accepts_at', now, async (company_id) => {
        const { rows } = await sql<{ id: string }>`
          select id from lead_returns where company_id = ${company_id} and accepts_at <= ${now} order by id limit 500`.execute(
          db,
        )
        for (const { id } of rows) await transaction(db, (tx) => decide(tx, { company_id, id }, 'accepted', null, now))
      }),
  },

  /** When the owner of a destination leaves, it goes to the one who gets their records. */
  pass_on_lead_destinations: {
    async run({ db }, { company_id, payload }: OutboxEvent) {
      const { user_id, reassign_to } = payload as EventPayload<'user.removed'>
      await sql`update lead_destinations set owner_id = ${reassign_to}
        where company_id = ${company_id} and owner_id = ${user_id}`.execute(db)
    },
  },
}

const keptDays = 90

/** What was sent and why stays for a while; the figures stay. */
export const pruneLeadDeliveries = (db: Db, now: Date) =>
  forEachCompany(db, async ({ id }) => {
    const before = new Date(now.getTime() - keptDays * dayMs)
    await inBatches((limit) =>
      sql`update lead_deliveries set log = '[]', email = null, phone = null where company_id = ${id} and id in (
        select d.id from lead_deliveries d where d.company_id = ${id} and d.id < ${firstIdAt(before)} and d.log <> '[]'
        order by d.id limit ${limit})`.execute(db),
    )
    await deleteOlder(db, 'lead_routings', id, before, sql`t.next_at is null`)
  })

/** FORGET_SECRETS: nothing can be sent until someone enters them again. */
export const forgetDestinationSecrets = (db: Db) =>
  sql`update lead_destinations set secrets = null where secrets is not null`.execute(db)
