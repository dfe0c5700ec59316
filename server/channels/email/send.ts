// How the inbox sends by a mailbox: composed with a Message-ID of ours, sent by SMTP, and kept in Sent.
import type { ChannelRow, Outgoing, SendResult } from '../../inbox/channels/channel.ts'
import type { Db } from '../../platform/db.ts'
import type { Log } from '../../platform/log.ts'
import { openMailbox } from './connect.ts'
import { credentialsOf } from './credentials.ts'
import { foldersOf } from './folders.ts'
import { imapPorts, type Mailbox, type MailboxServices, mailboxOf, smtpPorts } from './mailbox.ts'
import { MailboxError } from './mailbox-error.ts'
import { composeMail } from './mime/compose-mail.ts'
import { ownMessageId } from './mime/own-id.ts'
import { replyAddress } from './mime/reply-address.ts'
import { removeCopyDue } from './places.ts'
import { sendBySmtp } from './smtp.ts'

const againSeconds = 60
/** They keep what is sent through them in Sent by themselves. */
const keepingHosts = /(^|\.)(gmail|googlemail|office365|outlook)\.com$/

export type SendServices = { db: Db; services: MailboxServices; log: Log }

export const keyOf = (
  { services }: SendServices,
  address: string,
  { messageId, conversationId }: Pick<Outgoing, 'messageId' | 'conversationId'>,
) => ownMessageId({ messageId, conversationId, key: services.ownKey, domain: address.split('@').at(-1)! })

export async function send(parts: SendServices, channel: ChannelRow, message: Outgoing): Promise<SendResult> {
  const { db, services } = parts
  const mailbox = mailboxOf(channel)
  const key = keyOf(parts, message.from.address, message)
  const source = await sourceOf(parts, mailbox, message, key, new Date())
  try {
    const credentials = await credentialsOf(db, services, mailbox)
    const way = await services.wayTo(db, smtpPorts)
    const envelope = { from: message.from.address, to: message.recipients.map(({ address }) => address) }
    const handed = await sendBySmtp(mailbox.smtp, credentials, envelope, source, way)
    if (handed.state !== 'sent') return handed.state === 'unknown' ? { ...handed, key, providerId: key } : handed
    const isCopyDue = !keepingHosts.test(mailbox.smtp.host)
    if (isCopyDue) void keepInSent(parts, mailbox, source, message.messageId)
    return { state: 'sent', key, providerId: key, reason: handed.reason, isCopyDue }
  } catch (error) {
    if (!(error instanceof MailboxError)) throw error
    if (error.needs) return { state: 'failed', reason: error.message }
    return { state: 'again', afterSeconds: againSeconds, reason: error.message }
  }
}

export const sourceOf = (
  parts: Pick<SendServices, 'services'>,
  mailbox: Mailbox,
  message: Outgoing,
  key: string,
  date: Date,
): Promise<Buffer> => composeMail({ ...letterOf(message, key, date), reply_to: replyTo(parts, mailbox, message) })

function replyTo(
  { services }: Pick<SendServices, 'services'>,
  { has_plus_addresses }: Mailbox,
  { from, conversationId }: Outgoing,
) {
  const address = has_plus_addresses && replyAddress(from.address, conversationId, services.ownKey)
  return address ? [{ address, name: from.name ?? '' }] : []
}

function letterOf(
  { from, recipients, subject, text, html, files, references, unsubscribe, isAutomatic }: Outgoing,
  key: string,
  date: Date,
) {
  const party = ({ address, name }: { address: string; name: string | null }) => ({ address, name: name ?? '' })
  const of = (kind: 'to' | 'cc' | 'bcc') => recipients.filter((recipient) => recipient.kind === kind).map(party)
  return {
    from: party(from),
    to: of('to'),
    cc: of('cc'),
    // Recipients must not see who else got it; the envelope has them.
    bcc: [],
    subject,
    text,
    html,
    unsubscribe,
    isAutomatic,
    files: files.map(({ name, type, content, contentId }) => ({
      name,
      type,
      content: Buffer.from(content),
      content_id: contentId,
    })),
    message_id: key,
    in_reply_to: references[0] ?? null,
    references: references.toReversed(),
    date,
  }
}

/** Other mail programs show it then. If it does not work, the process that holds the mailbox does it later. */
async function keepInSent({ db, services, log }: SendServices, mailbox: Mailbox, source: Buffer, messageId: string) {
  try {
    const way = await services.wayTo(db, imapPorts)
    const client = await openMailbox(mailbox.imap, await credentialsOf(db, services, mailbox), way)
    try {
      const sent = (await foldersOf(client)).find(({ role }) => role === 'sent')
      if (sent) await client.append(sent.path, source, ['\\Seen'])
      await removeCopyDue(db, mailbox, messageId)
      await client.logout()
    } finally {
      client.close()
    }
  } catch (error) {
    log.warn(
      { err: error, company_id: mailbox.company_id, channel_id: mailbox.id },
      'a message could not be kept in Sent',
    )
  }
}
