import { type Conversation, type Draft, type Message, subjectOf } from '../../../conversations/inbox.ts'
import type { Begun } from './use-draft.ts'

/** The message that a reply answers: the last one from outside, not what was forwarded to a third party since then. */
export function answered(messages: Message[], id?: string) {
  const chosen = messages.find((one) => one.id === id)
  if (chosen) return chosen
  const mails = messages.filter(({ kind, state }) => kind === 'message' && state !== 'cancelled' && state !== 'failed')
  return mails.findLast(({ direction, is_automatic }) => direction === 'in' && !is_automatic) ?? mails.at(-1)
}

/** Undefined also if it is not among these. */
export const answeredBy = ({ kind, reply_to_id }: Draft, messages: Message[]) =>
  kind === 'note' ? undefined : reply_to_id ? messages.find(({ id }) => id === reply_to_id) : answered(messages)

/** `own`: the addresses of the company's channels, which do not write to themselves. */
export function beginningOf(
  kind: Draft['kind'],
  conversation: Conversation,
  message: Message | undefined,
  own: string[],
): Begun {
  const isOurs = (address: string) => own.includes(address.toLowerCase())
  const by = (kind: 'to' | 'cc') =>
    (message?.recipients ?? []).filter((one) => one.kind === kind).map(({ address }) => address)
  const writer = message?.direction === 'in' ? (message.reply_address ?? message.from_address) : null
  const sender = writer ? [writer] : by('to')
  const usual = sender.length ? sender : conversation.participants.slice(0, 1).map(({ address }) => address)
  const others = [...by('to'), ...by('cc')].filter((address) => !isOurs(address) && !usual.includes(address))
  return {
    kind,
    without_file_ids: [],
    channel_id: conversation.channel_id,
    reply_to_id: kind === 'note' ? null : (message?.id ?? null),
    to: kind === 'reply' || kind === 'reply_all' ? usual : [],
    cc: kind === 'reply_all' ? [...new Set(others)] : [],
    bcc: [],
    subject: kind === 'note' ? '' : withPrefix(kind === 'forward' ? 'Fwd' : 'Re', conversation),
  }
}

const withPrefix = (prefix: string, conversation: Conversation) => {
  const subject = subjectOf(conversation)
  return new RegExp(`^${prefix}:`, 'i').test(subject) ? subject : `${prefix}: ${subject}`
}
