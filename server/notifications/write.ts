// Writes notifications, and queues the emails of those who chose them.
import { sql } from 'kysely'
import { notificationKinds } from '../../contract/notifications.ts'
import { announce } from '../kernel/live.ts'
import { emitIn, type OutboxEvent } from '../kernel/outbox.ts'
import type { Db } from '../platform/db.ts'
import { sha256 } from '../platform/secrets.ts'
import type { PlannedNotification } from './plan.ts'

type EventRef = Pick<OutboxEvent, 'id' | 'company_id' | 'at' | 'request_id'>
type Reader = { id: string; app: boolean; email: boolean }
type Seen = { company_id: string; user_id: string }

export const announceTo = (db: Db, seen: Seen[]) =>
  announce(
    db,
    seen.map((one) => ({ ...one, event: 'notification' })),
  )

/** The active recipients who want this notification, and whether in the app or by email. */
async function findReaders(db: Db, company_id: string, { kind, to }: PlannedNotification, canMail: boolean) {
  const usual = notificationKinds[kind]
  const { rows } = await sql<Reader>`
    select u.id, coalesce(c.app, ${usual.app}) as app,
      coalesce(c.email, ${usual.email}) and u.email is not null and u.password_hash is not null and ${canMail} as email
    from users u
    left join notification_choices c on c.company_id = u.company_id and c.user_id = u.id and c.kind = ${kind}
    where u.company_id = ${company_id} and u.id = any(${to}::uuid[])
      and u.deactivated_at is null and u.removed_at is null`.execute(db)
  return rows.filter(({ app, email }) => app || email)
}

/** Doing it again creates the same ids and adds nothing. Returns who sees it in the app. */
export async function writeNotification(
  tx: Db,
  about: EventRef,
  planned: PlannedNotification,
  canMail: boolean,
): Promise<Seen[]> {
  const { company_id, at, request_id } = about
  const { kind, data, actor_id, key } = planned
  const readers = await findReaders(tx, company_id, planned, canMail)
  const seen = readers.filter(({ app }) => app).map(({ id: user_id }) => ({ company_id, user_id }))
  if (!readers.length) return seen
  const values = readers.map(({ id: user_id, app }) => ({
    company_id,
    id: notificationId(key ?? about.id, user_id),
    user_id,
    kind,
    data: JSON.stringify(data),
    actor_id,
    at,
    in_app: app,
  }))
  const added = await tx
    .insertInto('notifications')
    .values(values)
    .onConflict((conflict) =>
      key
        ? conflict.columns(['company_id', 'id']).doUpdateSet({ data: planned.isAdded ? withSum : sql`excluded.data` })
        : conflict.doNothing(),
    )
    .returning(['id', 'user_id', sql<boolean>`xmax = 0`.as('is_new')])
    .execute()
  const mailed = added.filter(
    ({ user_id, is_new }) => is_new && readers.some((reader) => reader.id === user_id && reader.email),
  )
  if (!mailed.length) return seen
  const event = { event: 'notification.mail_queued', company_id, actor_id, request_id, at } as const
  await emitIn(
    tx,
    mailed.map(({ id }) => ({ ...event, id, payload: { notification_id: id } })),
  )
  return seen
}

export const isWritten = async (db: Db, company_id: string, user_id: string, key: string) =>
  (await db
    .selectFrom('notifications')
    .select('id')
    .where('company_id', '=', company_id)
    .where('id', '=', notificationId(key, user_id))
    .executeTakeFirst()) !== undefined

/** A UUIDv7 with the time of the event; the rest is derived from the event and the reader. */
function notificationId(event_id: string, user_id: string) {
  const hex = sha256(`${event_id} ${user_id}`).toString('hex')
  return `${event_id.slice(0, 13)}-7${hex.slice(0, 3)}-8${hex.slice(3, 6)}-${hex.slice(6, 18)}`
}

/** The newer data, with the records of both counted. */
const withSum = sql<string>`jsonb_set(excluded.data, '{count}',
  ((notifications.data ->> 'count')::int + (excluded.data ->> 'count')::int)::text::jsonb)`
