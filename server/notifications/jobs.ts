// Notifies people in the app and, if they chose it, by email.
import { sql } from 'kysely'
import { type NotificationKind, notificationKinds } from '../../contract/notifications.ts'
import type { Jobs } from '../kernel/jobs.ts'
import { announce } from '../kernel/live.ts'
import type { OutboxEvent } from '../kernel/outbox.ts'
import { notificationMail } from '../mail/compose.ts'
import type { Mailer } from '../mail/mailer.ts'
import { sending, sendOrGiveUp } from '../mail/sender.ts'
import { type Db, transaction } from '../platform/db.ts'
import { sha256 } from '../platform/secrets.ts'
import type { Vault } from '../platform/vault.ts'
import { type Draft, draftOf } from './drafts.ts'
import { isWarning, unsubscribeUrl } from './unsubscribe.ts'
import { choicesPage, wordsOf } from './words.ts'

type Services = { baseUrl: URL; mailer: Mailer; vault: Vault }
type Reader = { id: string; app: boolean; email: boolean }

export const notificationJobs = ({ baseUrl, mailer, vault }: Services): Jobs => ({
  notify: {
    async run({ db }, event: OutboxEvent) {
      const draft = await draftOf(db, event)
      if (!draft?.to.length) return
      const canMail = await mailer.canSend(db, event.company_id)
      const readers = await findReaders(db, event.company_id, draft, canMail)
      if (!readers.length) return
      await transaction(db, (tx) => write(tx, event, draft, readers))
      const { company_id } = event
      const inApp = readers.filter((reader) => reader.app)
      await announce(
        db,
        inApp.map(({ id }) => ({ company_id, user_id: id, event: 'notification' })),
      )
    },
  },

  send_notification: {
    async run(context, { company_id, payload }: OutboxEvent) {
      const { notification_id } = payload as { notification_id: string }
      const found = await findMail(context.db, company_id, notification_id)
      if (!found) return
      const { text, link } = wordsOf(found.kind, found.data as never, found.actor_name)
      const { kind, user_id } = found
      const advice = isWarning(kind) ? adviceOn(found) : null
      const unsubscribe = isWarning(kind) ? null : unsubscribeUrl(vault, baseUrl, { company_id, user_id, kind })
      const words = { to: found.email, id: notification_id, words: text, advice, unsubscribe }
      const links = { link: baseUrl.origin + link, choices: baseUrl.origin + choicesPage }
      await sendOrGiveUp(context, sending(mailer, context, company_id), notificationMail({ ...words, ...links }))
    },
  },
})

/** The active recipients who want this notification, and whether in the app or by email. */
async function findReaders(db: Db, company_id: string, { kind, to }: Draft, canMail: boolean) {
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

/** Running the job again creates the same ids and adds nothing. */
async function write(tx: Db, event: OutboxEvent, { kind, data, actor_id, key }: Draft, readers: Reader[]) {
  const { company_id, at, request_id } = event
  const values = readers.map(({ id: user_id, app }) => ({
    company_id,
    id: notificationId(key ?? event.id, user_id),
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
        ? conflict.columns(['company_id', 'id']).doUpdateSet((excluded) => ({ data: excluded.ref('excluded.data') }))
        : conflict.doNothing(),
    )
    .returning(['id', 'user_id', sql<boolean>`xmax = 0`.as('is_new')])
    .execute()
  const mailed = added.filter(
    ({ user_id, is_new }) => is_new && readers.some((reader) => reader.id === user_id && reader.email),
  )
  if (!mailed.length) return
  const events = mailed.map(({ id }) => ({
    id,
    company_id,
    event: 'notification.mail',
    payload: JSON.stringify({ notification_id: id }),
    actor_id,
    request_id,
    at,
  }))
  await tx.insertInto('outbox').values(events).execute()
}

/** A UUIDv7 with the time of the event; the rest is derived from the event and the reader. */
function notificationId(event_id: string, user_id: string) {
  const hex = sha256(`${event_id} ${user_id}`).toString('hex')
  return `${event_id.slice(0, 13)}-7${hex.slice(0, 3)}-8${hex.slice(3, 6)}-${hex.slice(6, 18)}`
}

type Mailed = {
  user_id: string
  kind: NotificationKind
  data: unknown
  at: Date
  time_zone: string
  language: string
  actor_name: string | null
  email: string
}

/** Helps the reader recognize whether they made the change themselves. */
function adviceOn({ at, time_zone, language }: Pick<Mailed, 'at' | 'time_zone' | 'language'>) {
  const when = at.toLocaleString(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: time_zone })
  return `On ${when} (${time_zone}). If this was not you, change your password, sign out everywhere under Profile, Security, and contact your Admin.`
}

async function findMail(db: Db, company_id: string, id: string) {
  const { rows } = await sql<Mailed>`
    select n.user_id, n.kind, n.data, n.at, coalesce(u.time_zone, c.time_zone) as time_zone, coalesce(u.language, c.language) as language, a.name as actor_name, u.email
    from notifications n
    join users u on u.company_id = n.company_id and u.id = n.user_id
    join companies c on c.id = n.company_id
    left join users a on a.company_id = n.company_id and a.id = n.actor_id
    where n.company_id = ${company_id} and n.id = ${id} and u.email is not null
      and u.deactivated_at is null and u.removed_at is null`.execute(db)
  return rows[0]
}
