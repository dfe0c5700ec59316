// A visitor of a website and the team, by the operations that the widget and the inbox use.
import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { type Api, testApp } from '../../../test/app.ts'
import type { GivenUser } from '../../../test/given.ts'
import { soon, testWorker } from '../../../test/worker.ts'
import { createRates } from '../../leads/forms/spam.ts'
import { sealSecret } from './chat.ts'

const kith = await testApp({ own: true })
await testWorker(kith)
const { given } = kith
const site = 'https://www.shop.example'

let admin: GivenUser
let api: Api
let web: Api
let chat: Awaited<ReturnType<Api['createChat']>>['chat']
let secret: string

beforeEach(async () => {
  admin = await given.company()
  api = kith.withKey(await given.key(admin))
  web = kith.withSession(await given.session(admin))
  const made = await web.createChat({ name: 'Shop', allowed_origins: [`${site}/contact`], greeting: 'Hello!' })
  chat = made.chat
  secret = made.identity_secret
})

// biome-ignore lint/suspicious/noExplicitAny: each answer is compared with what is expected of it
type Answer = { status: number; origin: string | undefined; body: Record<string, any> }
async function send(path: string, values: Record<string, string>, origin = site): Promise<Answer> {
  const { statusCode, headers, body } = await kith.app.inject({
    method: 'POST',
    url: `/public/chats/${chat.chat_id}/${path}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin },
    payload: new URLSearchParams(values).toString(),
  })
  return { status: statusCode, origin: headers['access-control-allow-origin'] as string, body: JSON.parse(body) }
}
const open = async (identity: Record<string, string> = {}) => (await send('opening', identity)).body
let count = 0
const write = (visitor: string, text: string, more: Record<string, string> = {}) =>
  send('messages', { visitor, text, client_id: `message-${++count}`, ...more })
const signed = (text: string) => createHmac('sha256', secret).update(text).digest('hex')
const conversations = async () => (await api.listConversations({})).items

test('a visitor and the team write to each other in one conversation', async () => {
  const { visitor, state, greeting } = await open()
  expect({ greeting, isOpen: state.is_open, messages: state.messages }).toEqual({
    greeting: 'Hello!',
    isOpen: true,
    messages: [],
  })
  const first = await write(visitor, 'Do you ship to Italy?')
  expect(first.body.chat.messages).toMatchObject([{ from: 'visitor', text: 'Do you ship to Italy?' }])
  await write(visitor, 'And to Spain?')
  const [conversation, ...others] = await conversations()
  expect([conversation!.message_count, others]).toEqual([2, []])
  const { cursor } = (await send('poll', { visitor })).body
  const polled = pollUntilAnswered(visitor, cursor)
  await web.sendMessage({ conversation_id: conversation!.id, text: 'Yes, **both**.', undo_seconds: 10 })
  const body = await polled
  expect(body.messages.at(-1)).toMatchObject({ from: 'team', text: expect.stringContaining('both') })
  expect(body.messages).toHaveLength(3)
})

/** A poll may also end because the answer was written, before it is sent. */
async function pollUntilAnswered(visitor: string, cursor: string): Promise<Answer['body']> {
  const { body } = await send('poll', { visitor, cursor })
  const isAnswered = body.messages.some(({ from }: { from: string }) => from === 'team')
  return isAnswered ? body : pollUntilAnswered(visitor, body.cursor)
}

test('a message that is sent again is one message', async () => {
  const { visitor } = await open()
  for (let i = 0; i < 3; i++) await send('messages', { visitor, text: 'Hello', client_id: 'the-same-one' })
  expect((await conversations()).map((one) => one.message_count)).toEqual([1])
})

test('only listed sites can use it, and a token counts only for its chat', async () => {
  expect(await send('opening', {})).toMatchObject({ status: 200, origin: site })
  expect((await send('opening', {}, 'https://evil.example')).status).toBe(403)
  expect((await send('poll', { visitor: 'made up' })).status).toBe(404)
  const { visitor } = await open()
  const other = await web.createChat({ name: 'Other', allowed_origins: [site] })
  chat = other.chat
  expect((await write(visitor, 'Hello')).status).toBe(404)
})

test('each side sees that the other one types, and the team sees what was read', async () => {
  const { visitor } = await open()
  await write(visitor, 'Hello')
  const [conversation] = await conversations()
  const { id } = conversation!
  await send('typing', { visitor })
  expect((await api.getConversationChat({ id })).visitor).toMatchObject({ is_typing: true })
  const { cursor } = (await send('poll', { visitor })).body
  await web.reportTyping({ id })
  expect((await send('poll', { visitor, cursor })).body.is_typing).toBe(true)
  await web.sendMessage({ conversation_id: id, text: 'Hi' })
  const last = async () => (await api.getConversation({ id })).messages.at(-1)!
  await soon(async () => expect((await last()).state).toBe('sent'))
  expect((await send('poll', { visitor })).body.is_typing).toBe(false)
  await send('reading', { visitor })
  expect((await last()).state).toBe('read')
})

test('an address that was typed is shown as not verified, one that the site signed as verified', async () => {
  await api.createRecords({ object: 'people', records: [{ last_name: 'Stone', emails: ['ada@shop.example'] }] })
  const typed = await open()
  await write(typed.visitor, 'Hello', { email: 'ada@shop.example' })
  const [first] = await conversations()
  const events = async (id: string) =>
    (await api.getConversation({ id })).messages.filter(({ kind }) => kind === 'event').map(({ text }) => text)
  expect(await events(first!.id)).toEqual(['Visitor gave the address ada@shop.example, not verified'])
  expect((await api.getConversation({ id: first!.id })).messages.flatMap(({ warnings }) => warnings)).toEqual([])
  expect((await api.getConversationChat({ id: first!.id })).visitor).toMatchObject({ is_verified: false })
  const signature = signed('id:42\nemail:ada@shop.example\n')
  const identity = { user_id: '42', email: 'ada@shop.example', name: 'Ada', signature }
  const proved = await open(identity)
  await write(proved.visitor, 'It is me')
  const again = await open(identity)
  expect(again.state.messages).toMatchObject([{ text: 'It is me' }])
  const [second] = (await conversations()).filter(({ id }) => id !== first!.id)
  expect((await api.getConversationChat({ id: second!.id })).visitor).toMatchObject({ is_verified: true, name: 'Ada' })
  for (const wrong of [{ user_id: '43' }, { signature: 'abc' }])
    expect(await send('opening', { ...identity, ...wrong })).toMatchObject({
      status: 422,
      origin: site,
      body: { detail: expect.stringContaining('data-signature does not match data-user-id and data-email') },
    })
  await web.renewChatSecret({ id: chat.id, overlap_hours: 0 })
  expect((await send('opening', identity)).status).toBe(422)
})

test('a secret that was replaced stays valid for 24 hours', async () => {
  const statusOf = async (signature: string) => (await send('opening', { user_id: '42', signature })).status
  const before = signed('id:42\n')
  secret = (await web.renewChatSecret({ id: chat.id })).identity_secret
  expect([await statusOf(before), await statusOf(signed('id:42\n'))]).toEqual([200, 200])
  kith.minutes(24 * 60 + 1)
  expect([await statusOf(before), await statusOf(signed('id:42\n'))]).toEqual([422, 200])
})

test('a signed ID proves no address, and control characters are refused', async () => {
  const email = 'ada@shop.example'
  expect((await send('opening', { email, signature: signed(`email:${email}\n`) })).status).toBe(200)
  expect((await send('opening', { user_id: '42', signature: signed('id:42\n') })).status).toBe(200)
  for (const text of [`id:${email}\n`, email]) {
    expect((await send('opening', { email, signature: signed(text) })).status).toBe(422)
    expect((await send('opening', { user_id: `42\nemail:${email}`, signature: signed(text) })).status).toBe(422)
  }
  const forged = `42\nemail:${email}`
  expect(await send('opening', { user_id: forged, signature: signed(`id:${forged}\n`) })).toMatchObject({
    status: 422,
    body: { detail: expect.stringContaining('control characters') },
  })
})

test('a secret from before signatures had names counts for the earlier form until it is replaced', async () => {
  secret = 'an-earlier-secret'
  const { company_id } = admin
  const secrets = sealSecret(kith.services.vault, { company_id, id: chat.id }, secret)
  await kith.db
    .updateTable('channels')
    .set({ secrets })
    .where('company_id', '=', company_id)
    .where('id', '=', chat.id)
    .execute()
  const identity = { user_id: '42', email: 'ada@shop.example' }
  const statusOf = async (text: string) => (await send('opening', { ...identity, signature: signed(text) })).status
  const [earlier, now] = ['42\nada@shop.example', 'id:42\nemail:ada@shop.example\n']
  expect([await statusOf(earlier), await statusOf(now)]).toEqual([200, 200])
  secret = (await web.renewChatSecret({ id: chat.id })).identity_secret
  expect([await statusOf(earlier), await statusOf(now)]).toEqual([422, 200])
})

test('if no one is there, a message with an address becomes a lead with its conversation', async () => {
  await web.updateChat({ id: chat.id, is_paused: true })
  const { visitor, state } = await open()
  expect(state).toMatchObject({ is_open: false, needs_email: true })
  expect((await write(visitor, 'Call me')).status).toBe(422)
  const answer = await write(visitor, 'Call me', { email: 'bob@home.example', name: 'Bob Stone' })
  expect(answer.body).toMatchObject({ state: 'accepted', chat: { needs_email: false } })
  const { records } = await api.queryRecords({ object: 'leads', filter: 'email = "bob@home.example"' })
  expect(records).toMatchObject([{ title: 'Bob Stone', message: 'Call me', source: 'Shop' }])
  const [conversation] = (await api.listConversations({ record_id: records[0]!.id })).items
  expect(conversation!.message_count).toBe(1)
})

test('if no one is there, a visitor whom the site signed becomes a lead, too', async () => {
  await web.updateChat({ id: chat.id, is_paused: true })
  const signature = signed('id:42\nemail:ada@shop.example\n')
  const { visitor } = await open({ user_id: '42', email: 'ada@shop.example', name: 'Ada Stone', signature })
  await write(visitor, 'Call me')
  await write(visitor, 'Today, please')
  const { records } = await api.queryRecords({ object: 'leads', filter: 'email = "ada@shop.example"' })
  expect(records).toMatchObject([{ title: 'Ada Stone', message: 'Call me' }])
})

test('a visitor without a name is not greeted by one', async () => {
  const { id: template_id } = await web.createMessageTemplate({ name: 'Hi', text: 'Hello {{ first_name }},\n\nthanks' })
  const { visitor } = await open()
  await write(visitor, 'Hello')
  const [{ id: conversation_id } = { id: '' }] = await conversations()
  expect(await web.fillMessageTemplate({ id: template_id, conversation_id })).toMatchObject({
    text: 'Hello,\n\nthanks',
    missing: [],
  })
})

test('a message is kept if the company’s unique values keep it from becoming a lead', async () => {
  await web.updateChat({ id: chat.id, is_paused: true })
  await sql`update fields set is_unique = true where company_id = ${admin.company_id} and built_in_key = 'source'
    and object_id = (select id from objects where company_id = ${admin.company_id} and built_in_key = 'leads')`.execute(
    kith.db,
  )
  await sql`update companies set schema_version = schema_version + 1 where id = ${admin.company_id}`.execute(kith.db)
  for (const email of ['bob@home.example', 'eve@home.example']) {
    const { visitor } = await open()
    expect((await write(visitor, 'Call me', { email })).body).toMatchObject({ state: 'accepted' })
  }
  expect((await api.queryRecords({ object: 'leads' })).records).toHaveLength(1)
  const all = await conversations()
  expect(all.map(({ message_count }) => message_count)).toEqual([1, 1])
})

test('if no one is there, a message with the address of a person is linked to them, and no lead is made', async () => {
  const person = { last_name: 'Miller', emails: ['bob@home.example'] }
  const { records } = await api.createRecords({ object: 'people', records: [person] })
  await web.updateChat({ id: chat.id, is_paused: true })
  const { visitor } = await open()
  await write(visitor, 'Call me', { email: 'bob@home.example' })
  const [conversation] = await conversations()
  const { links } = await api.getConversation({ id: conversation!.id })
  expect(links).toMatchObject([{ object: 'people', id: records[0]!.id, via: null }])
  expect((await api.queryRecords({ object: 'leads' })).records).toEqual([])
})

test('an answer is text for the visitor and for no one else, also while the chat is closed', async () => {
  const { visitor } = await open()
  await write(visitor, 'Hello?', { email: 'bob@home.example' })
  const [{ id } = { id: '' }] = await conversations()
  await web.updateChat({ id: chat.id, is_paused: true })
  await expect(web.sendMessage({ conversation_id: id, to: ['bob@home.example'], text: 'Hi' })).toBeRefused(422)
  await web.sendMessage({ conversation_id: id, text: '**Five** days, see https://shop.example/a\\_b' })
  await soon(async () =>
    expect((await send('poll', { visitor, cursor: '' })).body.messages.at(-1)).toMatchObject({
      from: 'team',
      text: 'Five days, see https://shop.example/a_b',
    }),
  )
})

test('outside of its working hours, no one is there', async () => {
  const days = {
    monday: [{ from: '00:00', to: '00:01' }],
    tuesday: [],
    wednesday: [],
    thursday: [],
    friday: [],
    saturday: [],
    sunday: [],
  }
  await web.updateChannelHours({ id: chat.id, hours: { days } })
  expect((await open()).state).toMatchObject({ is_open: false, needs_email: true })
})

test('too many new chats of a network must solve a puzzle first, and too many messages must wait', async () => {
  const rates = createRates()
  expect(rates.isFrequent('a', '1.2.3.4')).toBe(false)
  const states: string[] = []
  for (let i = 0; i < 8; i++) {
    const { visitor } = await open()
    states.push((await write(visitor, `Hello ${i}`)).body.state)
  }
  expect(states.filter((state) => state === 'challenge').length).toBeGreaterThan(0)
  const { visitor } = await open()
  expect((await write(visitor, 'x'.repeat(4001))).status).toBe(422)
})

test('only people who manage channels see and change a chat', async () => {
  const member = kith.withSession(await given.session(await given.user(admin)))
  await expect(member.getChat({ id: chat.id })).toBeRefused(403)
  expect(chat.snippet).toContain(`data-chat="${chat.chat_id}"`)
  expect(JSON.stringify(await api.getChat({ id: chat.id }))).not.toContain(secret)
})

test('only visitors begin a chat, and nothing is forwarded by it', async () => {
  const message = { text: 'Hello', to: ['ada@shop.example'], subject: 'Offer' }
  await expect(api.sendMessage(message)).toBeRefused(409)
  await expect(api.sendMessage({ ...message, channel_id: chat.id })).toBeRefused(422)
  const { visitor } = await open()
  await write(visitor, 'Hello')
  const [conversation] = await conversations()
  const forward = { ...message, conversation_id: conversation!.id, mode: 'forward' as const }
  await expect(api.sendMessage(forward)).toBeRefused(422)
})
