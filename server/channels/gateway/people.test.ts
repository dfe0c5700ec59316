// Who is behind the handles of a channel, and whom customers see.
import { expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { givenGateway, written } from '../../../test/gateway.ts'
import { soon, testWorker } from '../../../test/worker.ts'

const kith = await testApp({ own: true })
await testWorker(kith)
const someone = async (values: { name?: string; adminName?: string } = {}) =>
  givenGateway(kith, await kith.given.company(values))
type Api = Awaited<ReturnType<typeof someone>>['api']

const person = async (api: Api, values: object) =>
  (await api.createRecords({ object: 'people', records: [{ last_name: 'Stone', ...values }] })).records[0]!.id
const linksOf = async (api: Api, id: string) => (await api.getConversation({ id })).links.map((link) => link.id)

test('someone who is known only by a handle is reached by it, once a conversation is linked to them', async () => {
  const { api, post, fetch, channel } = await someone()
  const id = await person(api, {})
  const send = () => api.sendMessage({ channel_id: channel.id, person_id: id, text: 'Hello' })
  await expect(send()).rejects.toMatchObject({
    problem: { status: 422, detail: expect.stringContaining('has not written via Chat yet and has no phone number') },
  })
  const first = (await post([written({ from: { address: 'old-handle' }, thread: 'old' })])).items[0]!
  await api.linkConversation({ id: first.conversation_id, add: [{ object: 'people', id }] })
  kith.minutes(1)
  const { conversation_id } = (await post([written()])).items[0]!
  await api.linkConversation({ id: conversation_id, add: [{ object: 'people', id }] })
  expect((await api.getConversation({ id: conversation_id })).conversation.participants).toMatchObject([
    { address: 'ada', person_id: id },
  ])
  expect(await send()).toMatchObject({ conversation_id, message: { recipients: [{ address: 'ada' }] } })
  expect((await fetch()).items).toMatchObject([{ thread: 'chat-1', to: [{ address: 'ada' }] }])
})

test('after people were merged, their conversations are called like the one who is kept, until that is undone', async () => {
  const { api, post } = await someone()
  const [bob, bobby] = [await person(api, { last_name: 'Bob' }), await person(api, { last_name: 'Bobby' })]
  const { conversation_id: id } = (await post([written()])).items[0]!
  await api.linkConversation({ id, add: [{ object: 'people', id: bob }] })
  const called = (name: string, person_id: string) =>
    soon(async () =>
      expect((await api.getConversation({ id })).conversation.participants).toMatchObject([{ name, person_id }]),
    )
  await called('Bob', bob)
  const { change_set_id } = await api.mergeRecords({ object: 'people', id: bobby, merge: [bob] })
  await called('Bobby', bobby)
  await api.undoChanges({ change_set_ids: [change_set_id!] })
  await called('Bob', bob)
})

test('a phone number stands in for a handle', async () => {
  const { api, channel } = await someone()
  const person_id = await person(api, { phones: ['+442079460018'] })
  const { message } = await api.sendMessage({ channel_id: channel.id, person_id, text: 'Hello' })
  expect(message).toMatchObject({ recipients: [{ address: '+442079460018' }] })
})

test('new conversations with a handle are linked to whom the earlier ones belong to, in this channel only', async () => {
  const { api, post } = await someone()
  const id = await person(api, {})
  const { conversation_id } = (await post([written()])).items[0]!
  await api.linkConversation({ id: conversation_id, add: [{ object: 'people', id }] })
  const next = (await post([written({ thread: 'chat-2' })])).items[0]!
  expect(await linksOf(api, next.conversation_id)).toEqual([id])
  const other = await api.connectApiChannel({ name: 'Other' })
  const begun = await api.sendMessage({ channel_id: other.channel.id, to: ['ada'], text: 'Are you Ada?' })
  expect(await linksOf(api, begun.conversation_id)).toEqual([])
  // A sender who is unlinked everywhere is not Ada any more.
  for (const one of [conversation_id, next.conversation_id]) await api.linkConversation({ id: one, remove: [id] })
  const last = (await post([written({ thread: 'chat-3' })])).items[0]!
  expect(await linksOf(api, last.conversation_id)).toEqual([])
})

test('a person is added once for a handle that writes in several chats', async () => {
  const { api, post, channel } = await someone()
  await api.updateChannel({ id: channel.id, unknown_senders: 'person' })
  const { items } = await post([written(), written({ thread: 'chat-2' })])
  await soon(async () => expect(await linksOf(api, items[1]!.conversation_id)).toHaveLength(1))
  await soon(async () => expect(await linksOf(api, items[0]!.conversation_id)).toHaveLength(1))
  expect(await linksOf(api, items[1]!.conversation_id)).toEqual(await linksOf(api, items[0]!.conversation_id))
})

test('customers see the first name of who wrote, or the company, and never the name of the channel', async () => {
  const { api, post, fetch, channel } = await someone({ name: 'Lamps Ltd', adminName: 'Grace Hopper' })
  const { conversation_id } = (await post([written()])).items[0]!
  await api.sendMessage({ conversation_id, text: 'Hello' })
  expect((await fetch()).items).toMatchObject([{ from: { name: 'Grace' } }])
  expect(channel.name).toBe('Chat')
})

test('the calls of docs/messaging.md find a person and let keys send', async () => {
  const admin = await kith.given.company()
  const { api, channel } = await givenGateway(kith, admin)
  const id = await person(api, { emails: ['ada@example.com'], phones: ['+442079460018'] })
  const key = { 'x-api-key': await kith.given.key(admin) }
  const filter = new URLSearchParams({ filter: 'emails = "ada@example.com"' })
  const found = await kith.send(`/api/v1/records/people?${filter}`, { headers: key })
  expect(await found.json()).toMatchObject({ records: [{ id }] })
  const send = async () => {
    const body = JSON.stringify({ person_id: id, channel_id: channel.id, text: 'Your lamp is on its way.' })
    const headers = { ...key, 'content-type': 'application/json' }
    return (await kith.send('/api/v1/messages', { method: 'POST', headers, body })).json()
  }
  expect(await send()).toMatchObject({ message: null, proposal: { state: 'waiting' } })
  await api.updateChannel({ id: channel.id, agents: 'send' })
  expect(await send()).toMatchObject({ message: { state: 'waiting' }, proposal: null })
})
