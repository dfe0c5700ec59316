// Tries a mailbox before it is saved, so that what does not work is said where it was entered.
import { refused } from '../../kernel/app-error.ts'
import type { Context } from '../../kernel/context.ts'
import { trySmtp } from '../../mail/deliver.ts'
import { MailError } from '../../mail/mail-error.ts'
import { type Credentials, openMailbox } from './connect.ts'
import { imapPorts, type MailboxServices, type Server, smtpPorts } from './mailbox.ts'
import { MailboxError } from './mailbox-error.ts'
import { authOf } from './smtp.ts'

export async function tryMailbox(
  { db }: Context,
  services: MailboxServices,
  { imap, smtp, credentials }: { imap: Server; smtp: Server; credentials: Credentials },
) {
  try {
    const client = await openMailbox(imap, credentials, await services.wayTo(db, imapPorts))
    await client.logout().finally(() => client.close())
  } catch (error) {
    if (!(error instanceof MailboxError)) throw error
    throw refused(error.needs === 'settings' ? 'password' : 'imap', error.message)
  }
  try {
    await trySmtp(smtp, authOf(credentials), await services.wayTo(db, smtpPorts))
  } catch (error) {
    if (!(error instanceof MailError)) throw error
    throw refused('smtp', error.message)
  }
}
