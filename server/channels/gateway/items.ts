// What gateways report, in one form for all of them, and what the inbox gets of it.

import type { reportedStates } from '../../../contract/gateways.ts'
import { emailAddress } from '../../../contract/messages.ts'
import type { ChannelRow, Incoming, Party } from '../../inbox/channels/channel.ts'
import { escapeHtml } from '../../kernel/html.ts'
import type { Files } from './load-files.ts'

export type Item =
  | ({
      kind: 'message'
      id: string
      thread: string
      /** Another name of the same chat. */
      otherThread?: string
      direction: 'in' | 'out'
      from: Party | null
      to: Party[]
      at: Date
      text: string
      html: string | null
      replyTo: string | null
      isAutomatic: boolean
    } & Files)
  | {
      kind: 'state'
      /** Ours. */
      messageId: string | null
      id: string | null
      state: (typeof reportedStates)[number]
      reason: string | null
      thread: string | null
      at: Date
    }
  | { kind: 'edited'; id: string; text: string; at: Date }
  | { kind: 'deleted'; id: string; at: Date }
  | { kind: 'typing'; thread: string }

export type MessageItem = Extract<Item, { kind: 'message' }>

/** A message of ours that something is said about. */
export type Found = { company_id: string; id: string; conversation_id: string; audience: string }

/** Keys of different channels must differ, because an audience has many. */
export const keyOf = ({ id }: Pick<ChannelRow, 'id'>, theirId: string) => `${id} ${theirId}`

export function incomingOf(channel: ChannelRow, item: MessageItem): Incoming {
  const own: Party = { address: channel.address, name: item.from?.name ?? channel.name }
  const isIn = item.direction === 'in'
  const recipients = item.to.length || !isIn ? item.to : [{ address: channel.address, name: null }]
  return {
    key: keyOf(channel, item.id),
    providerId: item.id,
    references: item.replyTo === null ? [] : [keyOf(channel, item.replyTo)],
    thread: item.thread,
    ...(item.otherThread !== undefined && { otherThread: item.otherThread }),
    conversationId: null,
    direction: item.direction,
    from: isIn ? item.from : own,
    recipients: recipients.map((party) => ({ ...party, kind: 'to' })),
    subject: '',
    at: item.at,
    ...contentOf(item),
    files: item.files,
    isAutomatic: item.isAutomatic,
    bounce: null,
    isRead: false,
  }
}

/** With a note in the place of each file that could not be loaded. */
function contentOf({ text, html, missing }: MessageItem) {
  const notes = missing.map(({ name }) => `[${name.replace(/\s+/g, ' ').trim()} could not be loaded]`)
  if (html !== null)
    return {
      text: text.trim() && [text, ...notes].join('\n'),
      html: html + notes.map((note) => `<p>${escapeHtml(note)}</p>`).join(''),
    }
  return { text: [text, ...notes].filter(Boolean).join('\n'), html }
}

type PostedParty = { address: string; name?: string | null; email?: string | null; phone?: string | null }

export function partyOf({ address, name, email, phone }: PostedParty): Party {
  const also = [email && emailAddress.test(email) ? email.toLowerCase() : '', phone ? tidy(phone) : '']
  return { address: tidy(address), name: name?.trim() || null, also: also.filter((one) => one && one !== address) }
}

/** Phone numbers are compared without spaces. */
const tidy = (text: string) => (/^\+[\d\s()./-]{5,}$/.test(text.trim()) ? `+${text.replace(/\D/g, '')}` : text.trim())
