// What is removed after a while, and what is lost with the installation's key.
import { sql } from 'kysely'
import { keptDays } from '../../contract/webhooks.ts'
import { keptMs } from '../engine/history/events.ts'
import { forEachCompany } from '../kernel/companies.ts'
import { deleteOlder } from '../kernel/prune.ts'
import type { Db } from '../platform/db.ts'
import { dayMs } from '../platform/times.ts'

export const pruneWebhookDeliveries = (db: Db, now: Date) =>
  forEachCompany(db, ({ id }) => deleteOlder(db, 'webhook_deliveries', id, new Date(now.getTime() - keptDays * dayMs)))

/** Events of the inbox are listed and replayed as long as changes of records. */
export const pruneInboxEvents = (db: Db, now: Date) =>
  forEachCompany(db, ({ id }) => deleteOlder(db, 'inbox_events', id, new Date(now.getTime() - keptMs)))

/** FORGET_SECRETS: nothing can be signed until someone replaces the secrets. */
export async function forgetWebhookSecrets(db: Db) {
  await sql`update subscriptions set is_active = false where kind = 'webhook'`.execute(db)
  await sql`update webhooks set secret = null, old_secret = null, old_secret_expires_at = null, headers = null,
    header_names = '{}', disabled_at = now(), disabled_reason = 'Its signing secret was lost. Rotate it, then resume.'`.execute(
    db,
  )
}
