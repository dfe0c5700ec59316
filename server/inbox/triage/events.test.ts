import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { webhookPayload } from '../../../contract/record-events.ts'
import { testApp } from '../../../test/app.ts'
import { arrivingAt, givenChannel, testChannelKind } from '../../../test/channel.ts'
import { testHooks, testReceiver } from '../../../test/receiver.ts'
import { soon } from '../../../test/worker.ts'

const channel = testChannelKind()
const kith = await testApp({ channelKinds: { test: channel.kind } })
const receiver = await testReceiver()
const hooks = await testHooks(kith)
const { given, withSession } = kith
const arrives = arrivingAt(kith)
const anAddress = () => `${randomUUID()}@example.com`

test('webhooks are told of conversations and messages, without their text and never of private mailboxes', async () => {
  const user = await given.company()
  const api = withSession(await given.session(user))
  const colleague = await given.user(user, { role: 'Admin' })
  const path = `/${randomUUID()}`
  const { id } = await api.createWebhook({ target_url: receiver.url + path })
  await api.createWebhook({ target_url: `${receiver.url}/people`, object: 'people' })
  const support = await givenChannel(kith, user)
  const personal = await givenChannel(kith, user, { owner_id: user.user_id })
  await arrives(personal, anAddress(), { subject: 'Private', text: 'Secret words' })
  const { conversation_id } = await arrives(support, anAddress(), { text: 'Secret words' })
  await api.assignConversation({ id: conversation_id, user_id: colleague.user_id })
  await api.sendMessage({ conversation_id, text: 'Secret answer', close: true })
  const types = () => receiver.at(path).map(({ payload }) => payload.type)
  await soon(async () =>
    expect(types().toSorted()).toEqual([
      'conversation.assigned',
      'conversation.closed',
      'conversation.created',
      'message.received',
      'message.sent',
    ]),
  )
  for (const { body, payload } of receiver.at(path)) {
    webhookPayload.parse(payload)
    expect(payload).toMatchObject({ object: 'conversations', record_id: conversation_id })
    expect(payload.record).toMatchObject({ subject: 'Broken lamp', channel_id: support.id })
    expect(body).not.toContain('Secret')
  }
  expect(receiver.at(path).find(({ payload }) => payload.type === 'message.sent')!.payload.record).toMatchObject({
    message: { direction: 'out', state: 'sent' },
  })
  expect(receiver.at('/people')).toEqual([])
  const test = await api.testWebhook({ id, type: 'message.received' })
  await soon(async () =>
    expect(receiver.at(path).at(-1)!.payload).toMatchObject({ test: true, type: 'message.received' }),
  )
  expect(test).toMatchObject({ object: 'conversations', record_title: 'Broken lamp' })
  expect((await api.listWebhookDeliveries({ id })).items).toHaveLength(6)
})

test('the assignee is told when the customer writes again, once until they have read it', async () => {
  const user = await given.company()
  const colleague = await given.user(user)
  const api = withSession(await given.session(user))
  const support = await givenChannel(kith, user)
  const customer = anAddress()
  const { conversation_id, key } = await arrives(support, customer)
  await api.assignConversation({ id: conversation_id, user_id: colleague.user_id })
  const theirs = withSession(await given.session(colleague))
  const kinds = async () => (await theirs.listNotifications({})).items.map(({ kind }) => kind).toSorted()
  for (const _ of [1, 2]) await arrives(support, customer, { references: [key] })
  await soon(async () => expect(await kinds()).toEqual(['conversation_assigned', 'message_received']))
  const { items } = await theirs.listNotifications({})
  expect(items.map(({ text }) => text)).toContain('Cora Customer wrote in “Broken lamp”')
})

test('events of the inbox are listed with those of records, newest first, page after page', async () => {
  const user = await given.company()
  const api = withSession(await given.session(user))
  const [support, personal] = [
    await givenChannel(kith, user),
    await givenChannel(kith, user, { owner_id: user.user_id }),
  ]
  await arrives(personal, anAddress())
  const { conversation_id } = await arrives(support, anAddress(), { text: 'Secret words' })
  const types = async (asked: Parameters<typeof api.listEvents>[0]) =>
    (await api.listEvents(asked)).items.map(({ type }) => type)
  await soon(async () => expect(await types({ object: 'conversations' })).toHaveLength(2))
  const { records } = await api.createRecords({ object: 'products', records: [{ name: 'Lamp' }] })
  await api.updateConversations({ ids: [conversation_id], state: 'closed' })
  await soon(async () => expect(await types({ object: 'conversations' })).toHaveLength(3))
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const page = await api.listEvents({ limit: 1, ...(cursor && { cursor }) })
    seen.push(...page.items.map(({ type }) => type))
    cursor = page.next_cursor ?? undefined
  } while (cursor)
  expect(seen[0]).toBe('conversation.closed')
  expect(seen[1]).toBe('record.created')
  expect(seen.slice(2).toSorted()).toEqual(['conversation.created', 'message.received'])
  expect(await types({ record_id: records[0]!.id })).toEqual(['record.created'])
  expect(await types({ record_id: conversation_id, type: 'message.received' })).toEqual(['message.received'])
  expect(await types({ object: 'products' })).toEqual(['record.created'])
  const { items } = await api.listEvents({ type: 'message.received' })
  expect(JSON.stringify(items)).not.toContain('Secret')
  expect(items[0]).toMatchObject({
    object: 'conversations',
    record_id: conversation_id,
    replay: false,
    // As it was then.
    record: { state: 'open', subject: 'Broken lamp', message: { direction: 'in', state: 'received' } },
  })
  const then = kith.time.now
  kith.daysLater(31)
  const later = withSession(await given.session(user))
  expect((await later.listEvents({})).items).toEqual([])
  await hooks.run('prune', {})
  kith.time.now = then
  const again = withSession(await given.session(user))
  expect((await again.listEvents({})).items.map(({ type }) => type)).toEqual(['record.created'])
})

test('events of the inbox are replayed to a new webhook with the same IDs, in order with those of records', async () => {
  const user = await given.company()
  const api = withSession(await given.session(user))
  const path = `/${randomUUID()}`
  await api.createWebhook({ target_url: receiver.url + path })
  const support = await givenChannel(kith, user)
  const { conversation_id } = await arrives(support, anAddress())
  await soon(async () => expect(receiver.at(path)).toHaveLength(2))
  await api.createRecords({ object: 'products', records: [{ name: 'Lamp' }] })
  await api.updateConversations({ ids: [conversation_id], state: 'closed' })
  await soon(async () => expect(receiver.at(path)).toHaveLength(4))
  const replayed = async (events: ('*' | 'message.received')[], object: string | null, done: number) => {
    const to = `/${randomUUID()}`
    const { id } = await api.createWebhook({ target_url: receiver.url + to, events, object })
    const { job_id } = await api.replayWebhookEvents({ id })
    await soon(async () => expect(await api.getJob({ id: job_id })).toMatchObject({ state: 'done', done }))
    await soon(async () => expect(receiver.at(to)).toHaveLength(done))
    return receiver.at(to).map(({ payload }) => payload)
  }
  const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1)
  const sent = receiver.at(path).map(({ payload }) => ({ ...payload, replay: true }))
  expect((await replayed(['*'], null, 4)).toSorted(byId)).toEqual(sent.toSorted(byId))
  expect((await replayed(['message.received'], null, 1)).map(({ type }) => type)).toEqual(['message.received'])
  expect((await replayed(['*'], 'products', 1)).map(({ type }) => type)).toEqual(['record.created'])
})
