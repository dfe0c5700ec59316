// Whether what is sent to name+tag@domain arrives in a mailbox. Only a message that was sent there can tell.
import { randomUUIDv7 } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { refused } from '../../kernel/app-error.ts'
import type { Context } from '../../kernel/context.ts'
import { type Imap, openMailbox } from './connect.ts'
import { credentialsOf } from './credentials.ts'
import { imapPorts, type Mailbox, type MailboxServices, smtpPorts } from './mailbox.ts'
import { MailboxError } from './mailbox-error.ts'
import { composeMail } from './mime/compose-mail.ts'
import { ownMessageId } from './mime/own-id.ts'
import { longestTagged, noConversation, replyAddress } from './mime/reply-address.ts'
import { sendBySmtp } from './smtp.ts'

const arrivalMs = 20_000
const lookMs = 500

export async function tryPlusAddresses(
  { db }: Pick<Context, 'db'>,
  services: MailboxServices,
  mailbox: Mailbox,
  waitMs = arrivalMs,
) {
  const { address, imap, smtp } = mailbox
  const to = replyAddress(address, noConversation, services.ownKey)
  if (!to)
    throw refused(
      'has_plus_addresses',
      `This address is too long for plus addressing: use at most ${longestTagged} characters before the @.`,
    )
  const domain = address.split('@').at(-1)!
  const message_id = ownMessageId({
    conversationId: noConversation,
    messageId: randomUUIDv7(),
    key: services.ownKey,
    domain,
  })
  const source = await composeMail({
    from: { address, name: 'Kith' },
    to: [{ address: to, name: '' }],
    subject: 'Replies reach this mailbox',
    text: `Kith sent this message to ${to} to test plus addressing. It works. You can delete this message.`,
    message_id,
    date: new Date(),
    isAutomatic: true,
  })
  try {
    const credentials = await credentialsOf(db, services, mailbox)
    const client = await openMailbox(imap, credentials, await services.wayTo(db, imapPorts))
    try {
      const { uidNext } = await client.mailboxOpen('INBOX', { readOnly: true })
      const way = await services.wayTo(db, smtpPorts)
      const handed = await sendBySmtp(smtp, credentials, { from: address, to: [to] }, source, way)
      if (handed.state !== 'sent') throw refused('has_plus_addresses', handed.reason)
      if (await arrives(client, uidNext, message_id, waitMs)) return
    } finally {
      client.close()
    }
  } catch (error) {
    throw error instanceof MailboxError ? refused('has_plus_addresses', error.message) : error
  }
  throw refused(
    'has_plus_addresses',
    `A message to ${to} did not arrive in the inbox, so replies could get lost. Your provider may not support plus addressing.`,
  )
}

async function arrives(client: Imap, uidNext: number, message_id: string, waitMs: number) {
  for (const end = performance.now() + waitMs; performance.now() < end; await sleep(lookMs)) {
    await client.noop()
    const found = await client.search({ uid: `${uidNext}:*`, header: { 'message-id': message_id } }, { uid: true })
    if (found && found.length > 0) return true
  }
  return false
}
