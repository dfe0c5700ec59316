// What the tests of people in the inbox share.
import type { ChannelRow } from '../../server/inbox/channels/channel.ts'
import { testWeb } from '../browser.ts'
import { inboxFor } from '../inbox.ts'
import { testWorker } from '../worker.ts'

export async function testInboxPeople() {
  const web = await testWeb({ own: true })
  const { kith, at } = web
  await testWorker(kith)
  const inbox = inboxFor(kith)

  /** An API channel in which Ann has written, who is known by a handle only. */
  async function shop(options: Parameters<typeof at>[1] = {}) {
    const made = await at('/inbox', options)
    const { channel } = await made.api.connectApiChannel({ name: 'Shop chat' })
    const { id, name, address } = channel
    const place: ChannelRow = {
      company_id: made.owner.company_id,
      id,
      kind: 'api',
      name,
      address,
      owner_id: null,
      settings: {},
      secrets: null,
    }
    const writes = (text: string, more: object = {}) =>
      inbox.arrives(place, { from: { address: 'ann_77', name: null }, thread: 'c-1', subject: '', text, ...more })
    return { ...made, writes }
  }
  return { ...web, inbox, shop }
}
