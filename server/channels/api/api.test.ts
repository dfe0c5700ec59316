import { randomUUID } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { givenGateway, written } from '../../../test/gateway.ts'
import { sized } from '../../../test/long.ts'
import { hasty, testReceiver } from '../../../test/receiver.ts'
import { onStatement } from '../../../test/statements.ts'
import { soon, testWorker } from '../../../test/worker.ts'

const receiver = await testReceiver()
/** Of a gateway with a path that begins with /hasty. Only a slow one is given up soon. */
let trouble: 'slow' | 'down' | 'busy' | 'none' = 'slow'
const kith = await testApp({ outbound: hasty(300, () => trouble === 'slow') })
const worker = await testWorker(kith)
const { given, db } = kith

const someone = async (settings: { webhook_url?: string } = {}) => givenGateway(kith, await given.company(), settings)

const messagesIn = async (api: Awaited<ReturnType<typeof someone>>['api'], id: string) =>
  (await api.getConversation({ id, limit: 100 })).messages.filter(({ kind }) => kind === 'message')

const pass = (minutes: number) => {
  kith.minutes(minutes)
  worker.sendMessages()
}

test('a message is in the inbox with who wrote it, and one chat is one conversation, also after it was closed', async () => {
  const { api, post, channel } = await someone()
  const { status, items } = await post([written({ text: 'Is anyone there?' }), written({ text: 'Hello?' })])
  expect({ status, results: items.map(({ result }) => result) }).toEqual({ status: 200, results: ['stored', 'stored'] })
  const id = items[0]!.conversation_id
  await api.updateConversations({ ids: [id], state: 'closed' })
  const later = await post([written({ text: 'Again' })])
  expect(later.items[0]!.conversation_id).toBe(id)
  const { conversation } = await api.getConversation({ id })
  expect(conversation).toMatchObject({
    state: 'open',
    message_count: 3,
    preview: 'Again',
    channel_id: channel.id,
    is_unread: true,
    participants: [{ address: 'ada', name: 'Ada Stone' }],
  })
  const other = await post([written({ thread: 'chat-2', from: { address: 'ben' } })])
  expect(other.items[0]!.conversation_id).not.toBe(id)
})

test('wrong signatures, times that are off and bodies that were changed are refused, and store nothing', async () => {
  const { api, post } = await someone()
  const minutes = (count: number) => new Date(kith.time.now.getTime() + count * 60_000)
  const other = `whsec_${Buffer.from('x'.repeat(32)).toString('base64')}`
  expect(await post([written()], { secret: other })).toMatchObject({ status: 401 })
  expect(await post([written()], { at: minutes(-6) })).toMatchObject({ status: 401 })
  expect(await post([written()], { at: minutes(6) })).toMatchObject({ status: 401 })
  expect(await post([written()], { body: '{"items":[]}' })).toMatchObject({ status: 401 })
  const unsigned = await kith.send(`/public/channels/${'x'.repeat(43)}/messages`, { method: 'POST', body: '{}' })
  expect(unsigned.status).toBe(404)
  expect((await api.listConversations({})).items).toEqual([])
  expect(await post([written()], { at: minutes(-4) })).toMatchObject({ status: 200 })
})

test('what is sent twice has an effect once: by the ID of the post, and by the ID of the message', async () => {
  const { api, post } = await someone()
  const message = written()
  const first = await post([message], { id: 'post-1' })
  const replayed = await post([message], { id: 'post-1' })
  expect(replayed).toEqual(first)
  expect(await post([message], { id: 'post-2' })).toMatchObject({ items: [{ ...first.items[0], result: 'known' }] })
  expect(await post([written()], { id: 'post-1' })).toMatchObject({ status: 409 })
  expect(await messagesIn(api, first.items[0]!.conversation_id)).toHaveLength(1)
})

const many = sized(200, 1000)
test(`${many} posts twice each, 100 at a time, are ${many} messages`, async () => {
  const { api, post } = await someone()
  const posts = Array.from({ length: many }, (_, i) => ({
    id: `post-${i}`,
    items: [written({ id: `m-${i}`, thread: `chat-${i % 50}`, from: { address: `guest-${i % 50}` } })],
  }))
  const waiting = [...posts, ...posts]
  const statuses: number[] = []
  const work = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop())
      statuses.push((await post(next.items, { id: next.id })).status)
  }
  await Promise.all(Array.from({ length: 100 }, work))
  expect(new Set(statuses)).toEqual(new Set([200]))
  const { items } = await api.listConversations({ limit: 100 })
  expect(items).toHaveLength(50)
  expect(items.reduce((sum, { message_count }) => sum + message_count, 0)).toBe(many)
})

test('people are found by the email address or the phone number that a gateway knows, also if they are added later', async () => {
  const { api, post } = await someone()
  const { records } = await api.createRecords({
    object: 'people',
    records: [{ last_name: 'Stone', phones: ['+442079460018'] }],
  })
  const { items } = await post([
    written({ from: { address: '+44 20 7946 0018', name: 'Ada' } }),
    written({ thread: 'chat-2', from: { address: 'u-77', name: 'Ben', email: 'Ben@Customer.example' } }),
  ])
  const linksOf = async (id: string) => (await api.getConversation({ id })).links.map((link) => link.id)
  expect(await linksOf(items[0]!.conversation_id)).toEqual([records[0]!.id])
  const ben = await api.createRecords({
    object: 'people',
    records: [{ last_name: 'Later', emails: ['ben@customer.example'] }],
  })
  await soon(async () => expect(await linksOf(items[1]!.conversation_id)).toEqual([ben.records[0]!.id]))
})

test('a message goes to the webhook, signed, and its states only move forward', async () => {
  const path = `/${randomUUID()}`
  const { api, post, isSigned } = await someone({ webhook_url: receiver.url + path })
  receiver.answer = (_, response) => response.end(JSON.stringify({ id: 'their-1' }))
  const { items } = await post([written()])
  const conversation_id = items[0]!.conversation_id
  const { message } = await api.sendMessage({
    conversation_id,
    text: 'Hello **Ada**',
    reply_to_id: items[0]!.message_id,
  })
  const got = await soon(async () => {
    const [one] = receiver.at(path)
    expect(one).toBeDefined()
    return one!
  })
  expect(isSigned(got.body, got.headers)).toBe(true)
  expect(got.payload).toMatchObject({
    type: 'message',
    id: message!.id,
    conversation_id,
    thread: 'chat-1',
    text: 'Hello Ada',
    to: [{ address: 'ada' }],
  })
  const stateOf = async () => (await messagesIn(api, conversation_id)).at(-1)!
  await soon(async () => expect(await stateOf()).toMatchObject({ state: 'sent', provider_id: 'their-1' }))
  const report = async (state: string, by: object = { id: 'their-1' }) =>
    (await post([{ kind: 'state', ...by, state }])).items[0]!.result
  expect(await report('delivered')).toBe('changed')
  expect(await report('sent')).toBe('unchanged')
  expect(await report('failed')).toBe('unchanged')
  expect(await report('read', { message_id: message!.id })).toBe('changed')
  expect(await report('delivered')).toBe('unchanged')
  expect(await report('read', { id: 'nobody' })).toBe('not_found')
  expect(await stateOf()).toMatchObject({ state: 'read' })
})

test('an answer given on the phone is in the conversation, and a message that Kith sent and hears of again is not there twice', async () => {
  const { api, post } = await someone()
  const { items } = await post([written()])
  const { conversation_id } = items[0]!
  await post([written({ direction: 'out', from: undefined, to: [{ address: 'ada' }], text: 'On my way', id: 'o-1' })])
  const all = await messagesIn(api, conversation_id)
  expect(all.map(({ direction, state }) => [direction, state])).toEqual([
    ['in', 'received'],
    ['out', 'sent'],
  ])
  expect((await api.getConversation({ id: conversation_id })).conversation).toMatchObject({
    is_unread: false,
    participants: [{ address: 'ada' }],
  })
})

test('edits replace the text and keep the earlier one; what the sender deletes is gone', async () => {
  const { api, post } = await someone()
  const at = kith.time.now.toISOString()
  const { items } = await post([written({ id: 'm-1', text: 'Teh lamp' })])
  const { conversation_id } = items[0]!
  await post([{ kind: 'edited', id: 'm-1', text: 'The\0 lamp', at }])
  const old = new Date(kith.time.now.getTime() - 60_000).toISOString()
  expect(await post([{ kind: 'edited', id: 'm-1', text: 'Older', at: old }])).toMatchObject({
    items: [{ result: 'unchanged' }],
  })
  const [message] = await messagesIn(api, conversation_id)
  expect(message).toMatchObject({ text: 'The lamp', edited_at: at, earlier_texts: ['Teh lamp'] })
  await post([{ kind: 'deleted', id: 'm-1' }])
  const [gone] = await messagesIn(api, conversation_id)
  expect(gone).toMatchObject({ text: '', earlier_texts: [], deleted_at: at })
  expect((await api.listConversations({ q: 'lamp' })).items).toEqual([])
})

test('the inbox shows that a guest is typing, for some seconds', async () => {
  const { api, post } = await someone()
  const { conversation_id } = (await post([written()])).items[0]!
  await post([{ kind: 'typing', thread: 'chat-1' }])
  expect((await api.getConversation({ id: conversation_id })).typing_until).not.toBe(null)
  kith.minutes(1)
  expect((await api.getConversation({ id: conversation_id })).typing_until).toBe(null)
})

test('a gateway that is down, slow or asks for patience gets every message once, in order, with the same ID', async () => {
  const path = `/hasty-${randomUUID()}`
  const { api, post } = await someone({ webhook_url: receiver.url + path })
  const { conversation_id } = (await post([written()])).items[0]!
  const sent = new Map<string, string>()
  trouble = 'slow'
  receiver.answer = ({ headers, payload, path: there }, response) => {
    if (there !== path) return response.end()
    if (trouble === 'down') return response.writeHead(500).end()
    if (trouble === 'busy') return response.writeHead(429, { 'retry-after': '120' }).end()
    // It recognizes what it has sent.
    sent.set(String(headers['webhook-id']), (payload as unknown as { text: string }).text)
    // Slow: it has sent it, but its answer comes too late.
    return trouble === 'slow' ? undefined : response.end()
  }
  for (const text of ['one', 'two', 'three']) await api.sendMessage({ conversation_id, text })
  const tried = (count: number) => soon(async () => expect(receiver.at(path).length).toBeGreaterThanOrEqual(count))
  const states = async () => (await messagesIn(api, conversation_id)).slice(1).map(({ state }) => state)
  const waits = () => soon(async () => expect(await states()).toEqual(['waiting', 'waiting', 'waiting']))
  await tried(1)
  await waits()
  trouble = 'down'
  pass(2)
  await tried(2)
  await waits()
  trouble = 'busy'
  pass(6)
  await tried(3)
  await waits()
  pass(1)
  // When a message of another gateway is sent, this one would have been tried too.
  const other = await someone({ webhook_url: `${receiver.url}/${randomUUID()}` })
  const chat = (await other.post([written()])).items[0]!
  await other.api.sendMessage({ conversation_id: chat.conversation_id, text: 'Later' })
  await soon(async () =>
    expect((await messagesIn(other.api, chat.conversation_id)).at(-1)).toMatchObject({ state: 'sent' }),
  )
  expect(receiver.at(path)).toHaveLength(3)
  trouble = 'none'
  pass(3)
  await soon(async () => expect(await states()).toEqual(['sent', 'sent', 'sent']))
  expect([...sent.values()]).toEqual(['one', 'two', 'three'])
  const details = await api.getChannel({ id: (await api.listChannels({})).items[0]!.id })
  expect(details).toMatchObject({ state: 'synced', gateway: { last_error: expect.any(String) } })
})

test('a gateway without an address fetches its messages; what it does not acknowledge is offered again', async () => {
  const { api, fetch, post } = await someone()
  const { conversation_id } = (await post([written()])).items[0]!
  const { message } = await api.sendMessage({ conversation_id, text: 'One' })
  await api.sendMessage({ conversation_id, text: 'Two' })
  const { items } = await fetch()
  expect(items).toMatchObject([{ id: message!.id, thread: 'chat-1', text: 'One', to: [{ address: 'ada' }] }])
  expect((await fetch()).items).toEqual([])
  // Its time is over.
  await db
    .updateTable('messages')
    .set({ leased_until: new Date(0) })
    .where('id', '=', message!.id)
    .execute()
  const again = await fetch({}, { id: 'fetch-1' })
  expect(again.items).toMatchObject([{ id: message!.id }])
  expect(await fetch({}, { id: 'fetch-1' })).toMatchObject({ status: 409 })
  await post([{ kind: 'state', message_id: message!.id, id: 'their-9', state: 'sent' }])
  expect((await fetch()).items).toMatchObject([{ text: 'Two' }])
  expect((await messagesIn(api, conversation_id))[1]).toMatchObject({ state: 'sent', provider_id: 'their-9' })
})

test('gateways that wait for messages are looked up together, and get one soon after it was queued', async () => {
  const admin = await given.company()
  const all = [await givenGateway(kith, admin), await givenGateway(kith, admin), await givenGateway(kith, admin)]
  const sent: string[] = []
  onStatement(kith.pools.work, ({ text }) => sent.push(text))
  const looks = () => sent.filter((text) => text.includes('select distinct channel_id from messages')).length
  const lookedAtOne = () => sent.filter((text) => text.includes('select m.company_id, m.id, m.channel_id')).length
  const [{ api, post }] = all as [(typeof all)[0]]
  const { conversation_id } = (await post([written()])).items[0]!
  const waiting = all.map(({ fetch }) => fetch({ wait_seconds: 25 }))
  await vi.waitFor(() => expect(looks()).toBeGreaterThanOrEqual(2), { timeout: 15_000, interval: 10 })
  expect(lookedAtOne()).toBe(3)
  await api.sendMessage({ conversation_id, text: 'One' })
  expect((await waiting[0])!.items).toMatchObject([{ text: 'One' }])
  for (const { api, channel } of all.slice(1))
    await api.sendMessage({ channel_id: channel.id, to: ['ben'], text: 'Hi' })
  await Promise.all(waiting)
})

test('a message to a person, or to an address, goes into their chat', async () => {
  const { api, post, fetch, channel } = await someone()
  const { records } = await api.createRecords({
    object: 'people',
    records: [{ last_name: 'Stone', emails: ['ada@customer.example'] }],
  })
  const from = { address: 'ada', email: 'ada@customer.example' }
  const { conversation_id } = (await post([written({ from })])).items[0]!
  const person_id = records[0]!.id
  const toPerson = await api.sendMessage({ channel_id: channel.id, person_id, text: 'Hello' })
  expect(toPerson).toMatchObject({ conversation_id, message: { recipients: [{ address: 'ada' }] } })
  const toAddress = await api.sendMessage({ channel_id: channel.id, to: ['Zed-7'], text: 'You do not know me' })
  expect(toAddress.conversation_id).not.toBe(conversation_id)
  const { items } = await fetch()
  expect(items.find(({ thread }) => thread === null)).toMatchObject({ to: [{ address: 'Zed-7' }] })
  const answer = await post([written({ thread: 'chat-z', from: { address: 'Zed-7' } })])
  expect(answer.items[0]!.conversation_id).toBe(toAddress.conversation_id)
})

test('a message sent again by a person has a new ID for the gateway; a message to a person who opted out is not sent', async () => {
  const path = `/${randomUUID()}`
  const { api, post } = await someone({ webhook_url: receiver.url + path })
  receiver.answer = (_, response) => response.writeHead(422).end(JSON.stringify({ reason: 'Blocked by Ada' }))
  const { conversation_id } = (await post([written({ from: { address: 'ada', phone: '+442079460018' } })])).items[0]!
  const { message } = await api.sendMessage({ conversation_id, text: 'Hello' })
  const last = async () => (await messagesIn(api, conversation_id)).at(-1)!
  await soon(async () => expect(await last()).toMatchObject({ state: 'failed', state_reason: 'Blocked by Ada' }))
  await api.retryMessage({ id: message!.id })
  await soon(async () => expect(receiver.at(path)).toHaveLength(2))
  const ids = receiver.at(path).map(({ headers }) => headers['webhook-id'])
  expect(ids).toEqual([message!.id, `${message!.id}-1`])
  await api.createRecords({
    object: 'people',
    records: [{ last_name: 'Stone', phones: ['+442079460018'], do_not_contact: true }],
  })
  await soon(async () =>
    expect((await api.getConversation({ id: conversation_id })).links).toMatchObject([{ object: 'people' }]),
  )
  const handle = await post([written({ thread: 'chat-5', from: { address: '+442079460018' } })])
  await expect(api.sendMessage({ conversation_id: handle.items[0]!.conversation_id, text: 'Hello' })).toBeRefused(409)
})

test('a new secret counts at once, the one before it for a day; a test says what is wrong', async () => {
  const path = `/${randomUUID()}`
  const { api, post, channel, secret } = await someone({ webhook_url: receiver.url + path })
  receiver.answer = (_, response) => response.writeHead(401).end()
  expect(await api.testApiChannel({ id: channel.id })).toMatchObject({ is_success: false, status: 401 })
  await api.updateApiChannel({ id: channel.id, webhook_url: 'http://127.0.0.1:9' })
  expect(await api.testApiChannel({ id: channel.id })).toMatchObject({
    is_success: false,
    status: null,
    reason: expect.stringContaining('could not be reached'),
  })
  const rotated = await api.renewChannelSecret({ id: channel.id })
  expect(await post([written()], { secret: rotated.secret })).toMatchObject({ status: 200 })
  expect(await post([written()], { secret })).toMatchObject({ status: 200 })
  kith.minutes(25 * 60)
  expect(await post([written()], { secret })).toMatchObject({ status: 401 })
  await api.disconnectChannel({ id: channel.id, messages: 'delete' })
  expect(await post([written()], { secret: rotated.secret })).toMatchObject({ status: 404 })
})
