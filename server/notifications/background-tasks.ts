// Notifies people in the app and, if they chose it, by email.
import { sql } from 'kysely'
import type { NotificationKind } from '../../contract/notifications.ts'
import { dateFormat } from '../../contract/shared/date-format.ts'
import { own } from '../../contract/shared/own.ts'
import { findActorById } from '../accounts/users/queries.ts'
import type { Summary } from '../dashboards/summary.ts'
import { recordsById } from '../engine/read/by-id.ts'
import { seenBy } from '../engine/rights/rights.ts'
import { schemaOf } from '../engine/schema/schema.ts'
import type { OutboxEvent } from '../kernel/outbox.ts'
import type { BackgroundTasks, TaskContext } from '../kernel/queue.ts'
import { notificationMail } from '../mail/email-texts.ts'
import type { Mailer } from '../mail/mailer.ts'
import { sending, sendOrGiveUp } from '../mail/sender.ts'
import { type Db, transaction } from '../platform/db.ts'
import type { Vault } from '../platform/vault.ts'
import { choicesPage, wordsOf } from './notification-text.ts'
import { planNotification } from './plan.ts'
import { contextOf } from './readable-records.ts'
import { sendReminders } from './reminders.ts'
import { sendSummaries } from './summaries.ts'
import { isWarning, unsubscribeUrl } from './unsubscribe.ts'
import { announceTo, writeNotification } from './write.ts'

type Services = { baseUrl: URL; mailer: Mailer; vault: Vault }

export const notificationTasks = ({ baseUrl, mailer, vault }: Services): BackgroundTasks => ({
  notify: {
    async run({ db }, event: OutboxEvent) {
      const canMail = await mailer.canSend(db, event.company_id)
      const seen = await transaction(db, async (tx) => {
        const planned = await planNotification(tx, event)
        return planned?.to.length ? writeNotification(tx, event, planned, canMail) : []
      })
      await announceTo(db, seen)
    },
  },

  /** Every minute, because people choose times by the minute. */
  remind: {
    cron: '* * * * *',
    atStart: true,
    concurrency: 1,
    retries: 0,
    run: (context) => sendReminders(context, mailer),
  },

  /** Often, because it is Monday morning at different times in different time zones. */
  send_summaries: {
    cron: '*/15 * * * *',
    atStart: true,
    concurrency: 1,
    retries: 0,
    run: (context) => sendSummaries(context, mailer),
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
      const figures = kind === 'weekly_summary' ? (found.data as Summary).lines : []
      const rows = figures.map((line) => ({ ...line, url: baseUrl.origin + line.link }))
      const facts = await leadFacts(context, company_id, found)
      const words = { to: found.email, id: notification_id, words: text, advice, rows, facts, unsubscribe }
      const links = { link: baseUrl.origin + link, choices: baseUrl.origin + choicesPage }
      await sendOrGiveUp(context, sending(mailer, context, company_id), notificationMail({ ...words, ...links }))
    },
  },
})

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
  const when = dateFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: time_zone }).format(at)
  return `On ${when} (${time_zone}). If this was not you, change your password, sign out everywhere under Profile, Security, and contact your Admin.`
}

const factsOfLeads = ['company_name', 'email', 'phone', 'message']

/** What a new lead says, as far as the reader may see it. */
async function leadFacts({ db, now }: TaskContext, company_id: string, { user_id, data }: Mailed) {
  const { object: key, record_id, count = 1 } = data as { object?: string; record_id?: string; count?: number }
  const reader = key && record_id && count === 1 ? await findActorById(db, company_id, user_id) : undefined
  const schema = reader && (await schemaOf(db, reader))
  const object = schema?.objects.get(key!)
  if (!reader || object?.built_in_key !== 'leads') return []
  const lead = (await recordsById(contextOf({ reader, db, schema: schema!, now }), object, [record_id!])).get(
    record_id!,
  )
  if (!lead) return []
  const seen = seenBy(reader, object)
  const facts = factsOfLeads.flatMap((name) => {
    const field = seen.fields.find(({ built_in_key }) => built_in_key === name)
    const value = field && own(lead.values, field.key)
    return field && value ? [`${field.label}: ${value}`] : []
  })
  const owner = lead.owner_id && (await findActorById(db, company_id, lead.owner_id))
  return [...facts, ...(owner ? [`Owner: ${owner.name}`] : [])]
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
