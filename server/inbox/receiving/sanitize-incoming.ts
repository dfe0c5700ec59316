// Messages come from outside, so nothing about them is certain.

import { emailAddress } from '../../../contract/messages.ts'
import { dayMs } from '../../platform/times.ts'
import type { Incoming } from '../channels/channel.ts'

const aheadMs = dayMs

/** All but its content. PostgreSQL stores no NUL and no half characters. Addresses are compared in lower case. */
export function cleaned(mail: Incoming, now: Date): Incoming {
  // What gateways call people may depend on the case.
  const hasHandles = mail.thread !== undefined
  const addressOf = (text: string) => {
    const address = clean(text).trim().slice(0, 320)
    return hasHandles && !emailAddress.test(address) ? address : address.toLowerCase()
  }
  const party = <P extends { address: string; name: string | null; also?: string[] }>(one: P): P => ({
    ...one,
    address: addressOf(one.address),
    ...(one.also && { also: one.also.map(addressOf).filter((address) => address !== '') }),
    name: one.name === null ? null : clean(one.name).replace(/\s+/g, ' ').trim().slice(0, 200) || null,
  })
  return {
    ...mail,
    // A clock that is ahead must not keep a conversation on top.
    at: mail.at.getTime() <= now.getTime() + aheadMs ? mail.at : now,
    key: clean(mail.key).slice(0, 1000),
    providerId: mail.providerId === null ? null : clean(mail.providerId).slice(0, 1000),
    ...(mail.thread !== undefined && { thread: clean(mail.thread).slice(0, 1000) }),
    ...(mail.otherThread !== undefined && { otherThread: clean(mail.otherThread).slice(0, 1000) }),
    references: [...new Set(mail.references.map((key) => clean(key).slice(0, 1000)))],
    from: mail.from && party(mail.from),
    replyTo: (mail.replyTo && party(mail.replyTo)) || null,
    recipients: mail.recipients.map(party).filter(({ address }) => address !== ''),
    subject: clean(mail.subject).replace(/\s+/g, ' ').trim().slice(0, 1000),
  }
}

const clean = (text: string) => text.replaceAll('\0', '').toWellFormed()
