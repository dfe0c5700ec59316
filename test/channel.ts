// A channel for tests: a kind that delivers to a real mail server, or does what a test tells it to.
import { randomUUID, randomUUIDv7 } from 'node:crypto'
import nodemailer from 'nodemailer'
import { renewSubscriptions } from '../server/engine/subscriptions/save.ts'
import type { ChannelKind, Outgoing, SendResult } from '../server/inbox/channels/channel.ts'
import { readMessages } from '../server/inbox/receiving/read-messages.ts'
import { receive } from '../server/inbox/receiving/receive.ts'
import type { TestApp } from './app.ts'
import type { GivenUser } from './given.ts'

/** Told what to do next; without it, everything is sent. */
type Behaviour = (message: Outgoing) => Promise<SendResult | undefined> | SendResult | undefined

const keyOf = ({ messageId }: Outgoing) => `<${messageId}@test>`

export function testChannelKind(smtpPort?: number) {
  const sent: Outgoing[] = []
  const state: { next?: Behaviour | undefined } = {}
  const transport = smtpPort
    ? nodemailer.createTransport({ host: '127.0.0.1', port: smtpPort, ignoreTLS: true })
    : undefined
  const kind: ChannelKind = {
    can: { html: true, subject: true, cc: true, mostText: 200_000, mostFilesMb: 25 },
    async send(_channel, message) {
      const told = await state.next?.(message)
      if (told) return told
      sent.push(message)
      const to = (wanted: string) => message.recipients.filter((one) => one.kind === wanted).map((one) => one.address)
      await transport?.sendMail({
        messageId: keyOf(message),
        from: message.from.address,
        to: to('to'),
        cc: to('cc'),
        bcc: to('bcc'),
        subject: message.subject,
        text: message.text,
        html: message.html ?? undefined,
        references: message.references,
        attachments: message.files.map(({ name, content }) => ({ filename: name, content: Buffer.from(content) })),
        ...(message.unsubscribe && { list: { unsubscribe: message.unsubscribe } }),
      })
      return { state: 'sent', key: keyOf(message), providerId: keyOf(message) }
    },
  }
  return {
    kind,
    sent,
    /** Until the next call of this. */
    behave: (next?: Behaviour) => {
      state.next = next
    },
  }
}

type Values = {
  owner_id?: string
  agents?: string
  hourly_limit?: number
  state?: string
  signature?: string
  is_shared?: boolean
  name?: string
}

/** A channel of the team, or of one user. */
export async function givenChannel(
  { db, time }: TestApp,
  { company_id }: Pick<GivenUser, 'company_id'>,
  values: Values = {},
) {
  const id = randomUUIDv7()
  const row = { company_id, id, kind: 'test', name: 'Support', address: `support-${id}@acme.test`, state: 'synced' }
  await db
    .insertInto('channels')
    .values({ ...row, settings: '{}', created_at: time.now, ...values })
    .execute()
  await renewSubscriptions(db, company_id)
  return { ...row, owner_id: values.owner_id ?? null, settings: {}, secrets: null }
}

type Mail = {
  key?: string
  direction?: 'in' | 'out'
  subject?: string
  text?: string
  references?: string[]
  replyTo?: { address: string; name: string }
  name?: string
  cc?: string
  receipt?: string
  files?: { name: string; text: string }[]
}

/** A message of a customer, as a channel would bring it. */
export const arrivingAt =
  ({ db, services, time }: TestApp) =>
  async (channel: Awaited<ReturnType<typeof givenChannel>>, from: string, mail: Mail = {}) => {
    const { subject = 'Broken lamp', text = 'It does not work.', references = [], files = [], direction = 'in' } = mail
    const key = mail.key ?? `<${randomUUID()}@example.com>`
    const incoming = {
      key,
      providerId: key,
      references,
      conversationId: null,
      direction,
      subject,
      text,
      html: null,
      from: { address: from, name: mail.name ?? 'Cora Customer' },
      replyTo: mail.replyTo ?? null,
      receipt: mail.receipt ?? null,
      recipients: [
        { kind: 'to' as const, address: channel.address, name: null },
        ...(mail.cc ? [{ kind: 'cc' as const, address: mail.cc, name: null }] : []),
      ],
      at: time.now,
      isAutomatic: false,
      bounce: null,
      isRead: false,
      files: files.map(({ name, text }) => ({
        name,
        type: 'text/plain',
        content: Buffer.from(text),
        contentId: null,
        isInline: false,
      })),
    }
    const read = await readMessages(services, db, channel, [incoming], time.now)
    const [received] = await db.transaction().execute((tx) => receive(tx, channel, read, time.now))
    return { conversation_id: received!.conversationId, key }
  }
