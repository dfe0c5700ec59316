import { sql } from 'kysely'
import { type NotificationKind, notificationKinds } from '../../contract/notifications.ts'
import { forEachCompany } from '../kernel/companies.ts'
import { deleteOlder } from '../kernel/prune.ts'
import type { Db } from '../platform/db.ts'
import { dayMs } from '../platform/times.ts'

type Owner = { company_id: string; user_id: string }

export const kinds = Object.keys(notificationKinds) as NotificationKind[]

/** A user's notifications in the app. Rows for email only are kept so that the email is sent once. */
export const notificationsOf = (db: Db, { company_id, user_id }: Owner) =>
  db
    .selectFrom('notifications as n')
    .where('n.company_id', '=', company_id)
    .where('n.user_id', '=', user_id)
    .where('n.kind', 'in', kinds)
    .where('n.in_app', '=', true)

export async function countUnread(db: Db, owner: Owner) {
  const { count } = await notificationsOf(db, owner)
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('n.read_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

const keptDays = 90

export const pruneNotifications = (db: Db, now: Date) =>
  forEachCompany(db, ({ id }) => {
    const before = new Date(now.getTime() - keptDays * dayMs)
    // The ID of a notification that was late has the time when it was due.
    return deleteOlder(db, 'notifications', id, before, sql`t.at < ${before}`)
  })

export async function choicesOf(db: Db, { company_id, user_id }: Owner) {
  const chosen = await db
    .selectFrom('notification_choices')
    .select(['kind', 'app', 'email'])
    .where('company_id', '=', company_id)
    .where('user_id', '=', user_id)
    .execute()
  return kinds.map((kind) => {
    const { app, email } = chosen.find((choice) => choice.kind === kind) ?? notificationKinds[kind]
    return { kind, app, email }
  })
}
