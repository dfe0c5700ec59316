// How a job sends a mail: through which server, and what happens when nobody takes it.
import type { JobContext } from '../kernel/jobs.ts'
import { MailError } from './mail-error.ts'
import type { Mailer, Message } from './mailer.ts'

export type Sender = { company_id: string; send: (message: Message) => Promise<void> }

export const sending = (mailer: Mailer, { db }: JobContext, company_id: string): Sender => ({
  company_id,
  send: (message) => mailer.send(db, company_id, message),
})

/** What can never arrive is given up; for anything else the queue tries again. */
export async function sendOrGiveUp({ log }: JobContext, { company_id, send }: Sender, message: Message) {
  try {
    await send(message)
  } catch (error) {
    if (!(error instanceof MailError && error.isPermanent)) throw error
    log.warn({ company_id, message_id: message.id, reason: error.message }, 'a mail was given up')
    return false
  }
  return true
}

/** A link that reached nobody must not go on working, nor count. */
export async function sendWithLink(context: JobContext, sender: Sender, mail: Message, forget: () => Promise<unknown>) {
  try {
    if (!(await sendOrGiveUp(context, sender, mail))) await forget()
  } catch (error) {
    await forget()
    throw error
  }
}
