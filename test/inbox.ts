// Channels and messages for tests, as a mailbox would bring them.
import { randomUUIDv7 } from 'node:crypto'
import { renewSubscriptions } from '../server/engine/subscriptions/save.ts'
import type { ChannelRow, Incoming } from '../server/inbox/channels/channel.ts'
import { readMessages } from '../server/inbox/receiving/read-messages.ts'
import { type ReceiveOptions, receive } from '../server/inbox/receiving/receive.ts'
import { transaction } from '../server/platform/db.ts'
import type { TestApp } from './app.ts'
import type { GivenUser } from './given.ts'

type Settings = {
  address?: string
  name?: string
  is_personal?: boolean
  is_shared?: boolean
  unknown_senders?: string
  joins_subjects?: boolean
}

export function inboxFor({ db, services, time }: TestApp) {
  let count = 0

  async function channel(owner: GivenUser, settings: Settings = {}): Promise<ChannelRow> {
    const { address = `team${++count}@acme.example`, is_personal, ...more } = settings
    const row = {
      company_id: owner.company_id,
      id: randomUUIDv7(),
      kind: 'email',
      name: settings.name ?? address,
      address,
      owner_id: is_personal ? owner.user_id : null,
      settings: {},
      secrets: null,
    }
    await db
      .insertInto('channels')
      .values({ ...row, ...more, settings: '{}', state: 'synced', created_at: time.now, created_by: owner.user_id })
      .execute()
    await renewSubscriptions(db, owner.company_id)
    return row
  }

  /** A message from Ada at a customer to the channel, with what is different about it. */
  const mail = (to: ChannelRow, values: Partial<Incoming> & { sender?: string } = {}): Incoming => {
    const { sender = 'ada@customer.example', ...more } = values
    const key = `<${++count}@customer.example>`
    return {
      key,
      providerId: key,
      references: [],
      conversationId: null,
      direction: 'in' as const,
      from: { address: sender, name: sender === 'ada@customer.example' ? 'Ada Stone' : null },
      recipients: [{ kind: 'to', address: to.address, name: null }],
      subject: `Question ${count}`,
      at: time.now,
      text: 'Do you deliver to Paris?',
      html: null,
      files: [],
      isAutomatic: false,
      bounce: null,
      isRead: false,
      ...more,
    }
  }

  const receiveAll = async (to: ChannelRow, mails: Incoming[], options?: ReceiveOptions) => {
    const read = await readMessages(services, db, to, mails, time.now)
    return transaction(db, (tx) => receive(tx, to, read, time.now, options))
  }

  /** Receives one message. */
  const arrives = async (to: ChannelRow, values: Parameters<typeof mail>[1] = {}, options?: ReceiveOptions) => {
    const one = mail(to, values)
    const [received] = await receiveAll(to, [one], options)
    return { ...received!, mail: one }
  }

  return { channel, mail, receiveAll, arrives }
}
