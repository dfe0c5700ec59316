// The state of a message has one owner: what follows from a state, such as response times, follows however it is reached.
import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { arrivingAt, givenChannel, testChannelKind } from '../../../test/channel.ts'
import { soon, testWorker } from '../../../test/worker.ts'

const channel = testChannelKind()
const kith = await testApp({ channelKinds: { test: channel.kind } })
await testWorker(kith)
const arrives = arrivingAt(kith)

const sources = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return sources(path)
    return /(?<!\.test)\.ts$/.test(entry.name) ? [path] : []
  })

test('only message-state.ts changes the state of messages', () => {
  const server = join(import.meta.dirname, '..', '..')
  const writers = sources(server).filter((path) => {
    const source = readFileSync(path, 'utf8')
    const updates = [...source.matchAll(/update messages\b(?:(?!\bwhere\b)[\s\S]){0,1500}/g)].map(([text]) => text)
    const built = [...source.matchAll(/updateTable\('messages'\)[\s\S]{0,300}/g)].map(([text]) => text)
    return updates.some((text) => /\bstate\s*=/.test(text)) || built.some((text) => /\bstate\b/.test(text))
  })
  expect(writers.map((path) => path.slice(server.length + 1))).toEqual(['inbox/sending/message-state.ts'])
})

test('an answer whose copy is found in Sent counts as sent: it is in time, an activity and an event', async () => {
  const user = await kith.given.company()
  const api = kith.withSession(await kith.given.session(user))
  const support = await givenChannel(kith, user)
  const address = `${randomUUID()}@example.com`
  const { records } = await api.createRecords({
    object: 'people',
    records: [{ first_name: 'Cora', last_name: 'Customer', emails: [address] }],
  })
  const { conversation_id } = await arrives(support, address)
  channel.behave((message) => ({
    state: 'unknown',
    reason: 'The connection ended.',
    key: `<${message.messageId}@test>`,
    providerId: 'x',
  }))
  kith.minutes(5)
  const { message } = await api.sendMessage({ conversation_id, text: 'Hello' })
  const states = async () => (await api.getConversation({ id: conversation_id })).messages.map(({ state }) => state)
  await soon(async () => expect(await states()).toEqual(['received', 'unknown']))
  channel.behave()
  const before = await api.getConversation({ id: conversation_id })
  expect(before.conversation.first_response_at).toBe(null)
  kith.minutes(5)
  await arrives(support, support.address, { key: `<${message!.id}@test>`, direction: 'out' })
  const { conversation } = await api.getConversation({ id: conversation_id })
  expect(await states()).toEqual(['received', 'sent'])
  expect(conversation).toMatchObject({ first_response_at: kith.time.now.toISOString(), last_direction: 'out' })
  const person = await api.getRecord({ object: 'people', id: records[0]!.id })
  expect(person.last_activity_at).toBe(kith.time.now.toISOString())
  await soon(async () => {
    const { rows } = await sql<{ type: string }>`select type from inbox_events
      where company_id = ${user.company_id} and conversation_id = ${conversation_id} and type = 'message.sent'`.execute(
      kith.db,
    )
    expect(rows).toHaveLength(1)
  })
})

test('a message is read when its reader confirms it, in the same conversation', async () => {
  const user = await kith.given.company()
  const api = kith.withSession(await kith.given.session(user))
  const support = await givenChannel(kith, user)
  const { message, conversation_id } = await api.sendMessage({
    to: ['eve@example.com'],
    subject: 'Offer',
    text: 'Hello',
  })
  const states = async () => (await api.getConversation({ id: conversation_id })).messages.map(({ state }) => state)
  await soon(async () => expect(await states()).toEqual(['sent']))
  const receipt = { receipt: `<${message!.id}@test>`, subject: 'Read: Offer', text: 'Your message was displayed.' }
  expect((await arrives(support, 'eve@example.com', receipt)).conversation_id).toBe(conversation_id)
  expect(await states()).toEqual(['read', 'received'])
})

test('a message that some of its recipients did not get still names them after another one read it', async () => {
  const user = await kith.given.company()
  const api = kith.withSession(await kith.given.session(user))
  const support = await givenChannel(kith, user)
  const reason = 'gone@example.com did not get it.'
  channel.behave(({ messageId }) => ({ state: 'sent', key: `<${messageId}@test>`, providerId: messageId, reason }))
  const to = ['gone@example.com', 'eve@example.com']
  const { message, conversation_id } = await api.sendMessage({ to, subject: 'Offer', text: 'Hello' })
  const sent = async () => (await api.getConversation({ id: conversation_id })).messages[0]!
  await soon(async () => expect(await sent()).toMatchObject({ state: 'sent', state_reason: reason }))
  channel.behave()
  await arrives(support, 'eve@example.com', { receipt: `<${message!.id}@test>`, text: 'Your message was displayed.' })
  expect(await sent()).toMatchObject({ state: 'read', state_reason: reason })
})
