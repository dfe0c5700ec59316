// How jobs send mail, and what happens if it cannot be delivered.
import type { TaskContext } from '../kernel/queue.ts'
import { MailError } from './mail-error.ts'
import type { Mailer, Message } from './mailer.ts'

export type Sender = { company_id: string; send: (message: Message) => Promise<void> }

export const sending = (mailer: Mailer, { db }: TaskContext, company_id: string): Sender => ({
  company_id,
  send: (message) => mailer.send(db, company_id, message),
})

/** Gives up on permanent errors. For all others it throws, so that the queue retries. */
export async function sendOrGiveUp({ log }: TaskContext, { company_id, send }: Sender, message: Message) {
  try {
    await send(message)
  } catch (error) {
    if (!(error instanceof MailError && error.isPermanent)) throw error
    log.warn(
      { company_id, message_id: message.id, reason: error.message },
      'an email could not be delivered and will not be retried',
    )
    return false
  }
  return true
}

/** If the email is not sent, deletes its link, which must neither work nor count towards a limit. */
export async function sendWithLink(
  context: TaskContext,
  sender: Sender,
  mail: Message,
  forget: () => Promise<unknown>,
) {
  try {
    if (!(await sendOrGiveUp(context, sender, mail))) await forget()
  } catch (error) {
    await forget()
    throw error
  }
}
