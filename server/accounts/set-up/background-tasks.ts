// The email with the sign-up link, for servers with open sign-up.
import type { EventPayload } from '../../../contract/shared/events.ts'
import { pages } from '../../../contract/shared/pages.ts'
import { noCompany, type OutboxEvent } from '../../kernel/outbox.ts'
import type { BackgroundTasks } from '../../kernel/queue.ts'
import { knownAddressMail, signUpMail } from '../../mail/email-texts.ts'
import { sendWithLink } from '../../mail/sender.ts'
import { transaction } from '../../platform/db.ts'
import type { LinkServices } from '../links/queries.ts'
import { isClaimed } from '../users/addresses.ts'
import { createSignUpLink, forgetSignUpLink, signUpUrl } from './links.ts'

export const signUpTasks = ({ baseUrl, mailer }: LinkServices): BackgroundTasks => ({
  send_sign_up: {
    async run(context, event: OutboxEvent) {
      const { email } = event.payload as EventPayload<'sign_up.requested'>
      const token = await transaction(context.db, (tx) => createSignUpLink(tx, email, context.now))
      if (!token) return
      const isKnown = await isClaimed(context.db, email)
      const to = { to: email, id: event.id }
      const mail = isKnown
        ? knownAddressMail({ ...to, link: baseUrl.origin + pages.signIn })
        : signUpMail({ ...to, link: signUpUrl(baseUrl, token) })
      const sender = { company_id: noCompany, send: mailer.sendAsInstallation }
      await sendWithLink(context, sender, mail, () => forgetSignUpLink(context.db, token))
    },
  },
})
