// Mail that lets somebody in. A link's token is nowhere in the database, so the job that mails one makes it.
import { sql } from 'kysely'
import type { EventPayload } from '../../contract/events.ts'
import { createLink, linkUrl } from '../account-links/queries.ts'
import { type Db, transaction } from '../kernel/db.ts'
import type { JobContext, Jobs } from '../kernel/jobs.ts'
import type { OutboxEvent } from '../kernel/outbox.ts'
import { findUserByEmail } from '../sessions/queries.ts'
import { invitationMail, resetMail } from './compose.ts'
import { MailError } from './mail-error.ts'
import type { Mailer, Message } from './mailer.ts'

type House = { baseUrl: URL; mailer: Mailer }

const hour = 60 * 60 * 1000
const resetsAnHour = 3

export const mailJobs = ({ baseUrl, mailer }: House): Jobs => ({
  send_invitation: {
    async run(context, event: OutboxEvent) {
      const { user_id, send } = event.payload as EventPayload<'user.invited'>
      if (!send) return
      const { company_id } = event
      const invited = await findInvited(context.db, company_id, user_id, event.actor_id)
      if (!invited) return
      const link = await transaction(context.db, (tx) => makeInvitation(tx, event, user_id, context.now))
      if (!link) return
      const words = { ...invited, id: event.id, link: linkUrl(baseUrl, 'invitation', link.token) }
      await sendWithLink(context, mailer, company_id, invitationMail(words), link.id)
    },
  },

  send_reset: {
    async run(context, event: OutboxEvent) {
      const { email } = event.payload as EventPayload<'password.reset_requested'>
      const user = await findUserByEmail(context.db, email)
      // Who never had a password was invited: that is the link they need.
      if (!user?.password_hash) return
      const { company_id, user_id, name } = user
      if (!(await mailer.canSend(context.db, company_id))) return
      const link = await transaction(context.db, (tx) => makeReset(tx, event, { company_id, user_id }, context.now))
      if (!link) return
      const words = { to: email, id: event.id, name, link: linkUrl(baseUrl, 'reset', link.token) }
      await sendWithLink(context, mailer, company_id, resetMail(words), link.id)
    },
  },
})

/** What can never arrive is given up; for anything else the queue tries again. */
export async function sendOrGiveUp({ db, log }: JobContext, mailer: Mailer, company_id: string, message: Message) {
  try {
    await mailer.send(db, company_id, message)
  } catch (error) {
    if (!(error instanceof MailError && error.isPermanent)) throw error
    log.warn({ company_id, message_id: message.id, reason: error.message }, 'a mail was given up')
    return false
  }
  return true
}

/** A link that reached nobody must not go on working, nor count. */
async function sendWithLink(context: JobContext, mailer: Mailer, company_id: string, mail: Message, link_id: string) {
  const forget = () => context.db.deleteFrom('account_links').where('id', '=', link_id).execute()
  try {
    if (!(await sendOrGiveUp(context, mailer, company_id, mail))) await forget()
  } catch (error) {
    await forget()
    throw error
  }
}

async function findInvited(db: Db, company_id: string, user_id: string, actor_id: string | null) {
  const { rows } = await sql<{ to: string; company: string; invited_by: string | null }>`
    select u.email as to, c.name as company, a.name as invited_by
    from users u
    join companies c on c.id = u.company_id
    left join users a on a.company_id = u.company_id and a.id = ${actor_id}
    where u.company_id = ${company_id} and u.id = ${user_id} and u.email is not null`.execute(db)
  return rows[0]
}

async function makeInvitation(tx: Db, { company_id, actor_id }: OutboxEvent, user_id: string, now: Date) {
  const user = await hold(tx, { company_id, user_id })
  // Joined by the link that was passed on by hand, or turned away, before this mail got its turn.
  if (!user || user.password_hash) return null
  return createLink(tx, { company_id, user_id, kind: 'invitation', created_by: actor_id, now })
}

type Owner = { company_id: string; user_id: string }

async function makeReset(tx: Db, { id, request_id }: OutboxEvent, owner: Owner, now: Date) {
  if (!(await hold(tx, owner))) return null
  const { company_id, user_id } = owner
  const made = await tx
    .selectFrom('account_links')
    .select('id')
    .where('company_id', '=', company_id)
    .where('user_id', '=', user_id)
    .where('kind', '=', 'reset')
    .where('created_by', 'is', null)
    .where('created_at', '>', new Date(now.getTime() - hour))
    .execute()
  if (made.length >= resetsAnHour) return null
  await tx
    .insertInto('audit_events')
    .values({
      company_id,
      id,
      at: now,
      action: 'password.reset_requested',
      target_id: user_id,
      door: 'web',
      request_id,
      data: '{}',
    })
    // Written already when this try is not the first.
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return createLink(tx, { company_id, user_id, kind: 'reset', created_by: null, now })
}

/** Held, so that whoever joins or asks at the same moment comes before or after, not in between. */
const hold = (tx: Db, { company_id, user_id }: Owner) =>
  tx
    .selectFrom('users')
    .select('password_hash')
    .where('company_id', '=', company_id)
    .where('id', '=', user_id)
    .where('deactivated_at', 'is', null)
    .where('removed_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
