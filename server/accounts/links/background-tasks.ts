// Emails with a link that gives access. The database keeps only a token's hash, so the job that sends a link creates it.
import type { EventPayload } from '../../../contract/shared/events.ts'
import type { OutboxEvent } from '../../kernel/outbox.ts'
import type { BackgroundTasks } from '../../kernel/queue.ts'
import { confirmationMail, emailChangedMail, invitationMail, resetMail } from '../../mail/email-texts.ts'
import { sending, sendOrGiveUp, sendWithLink } from '../../mail/sender.ts'
import { transaction } from '../../platform/db.ts'
import { findUserByEmail } from '../users/queries.ts'
import {
  findInvited,
  findPerson,
  forgetting,
  makeConfirmation,
  makeInvitation,
  makeReset,
  sendingProof,
} from './mailed-links.ts'
import { type LinkServices, linkUrl } from './queries.ts'

export const accountLinkTasks = (services: LinkServices): BackgroundTasks => {
  const { baseUrl, mailer } = services
  return {
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
        const sender = sendingProof(services, context, company_id)
        await sendWithLink(context, sender, invitationMail(words), forgetting(context, company_id, link))
      },
    },

    send_email_confirmation: {
      async run(context, event: OutboxEvent) {
        const { user_id, email } = event.payload as EventPayload<'user.email_change_requested'>
        const { company_id } = event
        const person = await findPerson(context.db, company_id, user_id)
        if (!person) return
        const link = await transaction(context.db, (tx) => makeConfirmation(tx, event, { user_id, email }, context.now))
        if (!link) return
        const words = { ...person, to: email, id: event.id, link: linkUrl(baseUrl, 'email', link.token) }
        const sender = sendingProof(services, context, company_id)
        await sendWithLink(context, sender, confirmationMail(words), forgetting(context, company_id, link))
      },
    },

    send_email_changed: {
      async run(context, { id, company_id, payload }: OutboxEvent) {
        const { user_id, old_email } = payload as EventPayload<'user.email_changed'>
        const person = await findPerson(context.db, company_id, user_id)
        if (!person || !(await mailer.canSend(context.db, company_id))) return
        const mail = emailChangedMail({ ...person, to: old_email, id })
        await sendOrGiveUp(context, sending(mailer, context, company_id), mail)
      },
    },

    send_reset: {
      async run(context, event: OutboxEvent) {
        const { email } = event.payload as EventPayload<'password.reset_requested'>
        const user = await findUserByEmail(context.db, email)
        // A user without a password has not joined yet. They need their invitation link instead.
        if (!user?.password_hash) return
        const { company_id, user_id, name } = user
        if (!(await mailer.canSend(context.db, company_id))) return
        const link = await transaction(context.db, (tx) => makeReset(tx, event, { company_id, user_id }, context.now))
        if (!link) return
        const words = { to: email, id: event.id, name, link: linkUrl(baseUrl, 'reset', link.token) }
        await sendWithLink(
          context,
          sending(mailer, context, company_id),
          resetMail(words),
          forgetting(context, company_id, link),
        )
      },
    },
  }
}
