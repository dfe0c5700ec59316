// The mails of one conversation of the demo.
import type { ChannelRow, Incoming, Party } from '../inbox/channels/channel.ts'
import { idAt } from './times.ts'

export type Customer = Party & { name: string; first: string }
type Written = { at: Date; text: string; isOurs: boolean }
type About = { channel: ChannelRow; customer: Customer; subject: string; began: Date }

export function mailsBetween(
  { channel, customer, subject, began }: About,
  written: Written[],
  marks: Pick<Incoming, 'isAutomatic' | 'isRead'>,
): Incoming[] {
  const us = { address: channel.address, name: channel.name }
  const them = { address: customer.address, name: customer.name }
  const keys = written.map(() => `<${idAt(began)}@${channel.address.split('@')[1]}>`)
  return written.map(({ at, text, isOurs }, i) => ({
    key: keys[i]!,
    providerId: keys[i]!,
    references: keys.slice(0, i).toReversed(),
    conversationId: null,
    direction: isOurs ? 'out' : 'in',
    from: isOurs ? us : them,
    recipients: [{ kind: 'to', ...(isOurs ? them : us) }],
    subject: i ? `Re: ${subject}` : subject,
    at,
    text: text.replaceAll('{name}', customer.first),
    html: null,
    files: [],
    bounce: null,
    ...marks,
  }))
}
