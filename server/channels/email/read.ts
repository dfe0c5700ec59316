// What the inbox gets of an email.
import type { ChannelRow, Incoming } from '../../inbox/channels/channel.ts'
import type { FolderRole } from './folders.ts'
import type { Address, Mail } from './mime/mail.ts'
import { readOwnId } from './mime/own-id.ts'
import { noConversation, readReplyAddress, withoutTag } from './mime/reply-address.ts'

export type Found = { role: FolderRole; flags: Set<string>; arrivedAt: Date; size?: number | undefined; ownKey: Buffer }

export function incomingOf(mail: Mail, { address }: Pick<ChannelRow, 'address'>, found: Found): Incoming {
  const { from, bounce } = mail
  const [replyTo] = mail.reply_to
  const conversationId = namedBy(mail, found.ownKey)
  const direction = conversationId === noConversation || isOurs(mail, address, found.role) ? 'out' : 'in'
  const party = (one: Address) => ({ address: withoutTag(one.address), name: one.name || null })
  const parties = (kind: 'to' | 'cc' | 'bcc') => mail[kind].map((one) => ({ kind, ...party(one) }))
  return {
    key: mail.key,
    isNamedBySender: mail.message_id !== null,
    ...(found.size !== undefined && { size: found.size }),
    providerId: mail.message_id,
    references: mail.references,
    conversationId,
    direction,
    from: from && party(from),
    replyTo: replyTo && replyTo.address !== from?.address ? party(replyTo) : null,
    recipients: [...parties('to'), ...parties('cc'), ...parties('bcc')],
    subject: mail.subject,
    at: (direction === 'out' && mail.sent_at) || found.arrivedAt,
    text: mail.text,
    html: mail.html,
    files: mail.files.map(({ name, type, content, content_id, is_inline }) => ({
      name,
      type,
      content,
      contentId: content_id,
      isInline: is_inline,
    })),
    isAutomatic: mail.automatic !== null || bounce !== null,
    noReply: mail.no_reply,
    bounce: bounce && {
      key: bounce.original_id,
      recipient: bounce.recipient ?? '',
      isFinal: bounce.is_final,
      reason: bounce.reason,
    },
    receipt: mail.receipt,
    isRead: found.flags.has('\\Seen'),
    notice: mail.notice,
  }
}

/** By a Message-ID of ours, or by the address that replies go to. */
function namedBy({ message_id, references, to, cc }: Mail, key: Buffer) {
  const own = readOwnId(message_id ?? '', key)
  if (own) return own
  const byId = references.map((id) => readOwnId(id, key))
  const byAddress = [...to, ...cc].map(({ address }) => readReplyAddress(address, key))
  return [...byId, ...byAddress].find((id) => id && id !== noConversation) ?? null
}

/** Anyone can write our address as the sender of what they put into our inbox. */
const isOurs = ({ from }: Mail, address: string, role: FolderRole) =>
  role === 'sent' || (role !== 'inbox' && from?.address === address)
