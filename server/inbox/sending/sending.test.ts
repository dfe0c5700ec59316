import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { type Api, testApp } from '../../../test/app.ts'
import { arrivingAt, givenChannel, testChannelKind } from '../../../test/channel.ts'
import type { GivenUser } from '../../../test/given.ts'
import { testSmtp } from '../../../test/smtp.ts'
import { soon, testWorker } from '../../../test/worker.ts'
import { nextDue } from './claim.ts'

const smtp = await testSmtp()
const channel = testChannelKind(smtp.port)
const kith = await testApp({ channelKinds: { test: channel.kind } })
const worker = await testWorker(kith)
const { given, withSession, db } = kith

const someone = async () => {
  const user = await given.company()
  return { user, api: withSession(await given.session(user)), support: await givenChannel(kith, user) }
}
const anAddress = () => `${randomUUID()}@example.com`
const arrives = arrivingAt(kith)

const stateOf = async ({ company_id }: GivenUser, id: string) =>
  db
    .selectFrom('messages')
    .select(['state', 'state_reason', 'attempts', 'send_at', 'provider_id'])
    .where('company_id', '=', company_id)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
const becomes = (user: GivenUser, id: string, state: string) =>
  soon(async () => expect(await stateOf(user, id)).toMatchObject({ state }))

/** When this one is sent, all that was due before has been looked at. */
async function laterIsSent(user: GivenUser, api: Api) {
  const { message } = await api.sendMessage({ to: [anAddress()], subject: 'Later', text: 'Later' })
  await becomes(user, message!.id, 'sent')
}

/** Messages of this user hang until they are let go. */
function hangingFor(user: GivenUser) {
  const held = Promise.withResolvers<void>()
  const hanging: string[] = []
  channel.behave(async ({ company_id, messageId }) => {
    if (company_id !== user.company_id) return undefined
    hanging.push(messageId)
    await held.promise
    return undefined
  })
  return { hanging, letGo: () => held.resolve() }
}

test('channels that hang use up the share of their company, and another company sends meanwhile', async () => {
  const { user, api } = await someone()
  const other = await someone()
  const { hanging, letGo } = hangingFor(user)
  for (let i = 0; i < 5; i++) {
    const { id } = await givenChannel(kith, user)
    for (let n = 0; n < 4; n++) await api.sendMessage({ channel_id: id, to: [anAddress()], subject: 'Hi', text: 'Hi' })
  }
  // Four channels use it up, and the fifth may still send one.
  await soon(async () => expect(hanging).toHaveLength(17))
  await laterIsSent(other.user, other.api)
  expect(hanging).toHaveLength(17)
  letGo()
  await soon(async () =>
    expect(channel.sent.filter(({ company_id }) => company_id === user.company_id)).toHaveLength(20),
  )
  channel.behave()
})

test('a long queue of a channel that hangs delays no other channel of the company', async () => {
  const { user, api, support } = await someone()
  const { hanging, letGo } = hangingFor(user)
  const { id } = await givenChannel(kith, user)
  for (let i = 0; i < 80; i++) await api.sendMessage({ channel_id: id, to: [anAddress()], subject: 'Hi', text: 'Hi' })
  const { message } = await api.sendMessage({ channel_id: support.id, to: [anAddress()], subject: 'Hi', text: 'Hi' })
  await soon(async () => expect(hanging).toContain(message!.id))
  expect(hanging).toHaveLength(5)
  letGo()
  await becomes(user, message!.id, 'sent')
  channel.behave()
})

test('a reply arrives with its text as HTML, the signature, the quoted message and the thread it belongs to', async () => {
  const { user, api, support } = await someone()
  await db
    .updateTable('channels')
    .set({ signature: 'Ada, **Acme**' })
    .where('company_id', '=', user.company_id)
    .execute()
  const customer = anAddress()
  const { conversation_id, key } = await arrives(support, customer)
  const { message } = await api.sendMessage({
    conversation_id,
    text: 'Hello **Cora**, <script>alert(1)</script> try this.',
  })
  expect(message).toMatchObject({ state: 'waiting', direction: 'out', text: expect.stringContaining('Hello **Cora**') })
  const mail = await smtp.mailTo(customer)
  expect(mail).toMatchObject({ subject: 'Re: Broken lamp', references: key })
  expect(mail.html).toContain('<strong>Cora</strong>')
  expect(mail.html).toContain('&lt;script&gt;')
  expect(mail.html).toContain('<strong>Acme</strong>')
  expect(mail.html).toContain('Cora Customer')
  expect(mail.text).toContain('Hello Cora, <script>alert(1)</script> try this.\n\n-- \nAda, Acme')
  expect(mail.text).toContain('> It does not work.')
  await becomes(user, message!.id, 'sent')
  const read = await api.getConversation({ id: conversation_id })
  expect(read.conversation).toMatchObject({ last_direction: 'out', message_count: 2, is_unread: false })
  expect(read.conversation.first_response_at).not.toBe(null)
  expect(read.messages.at(-1)).toMatchObject({
    state: 'sent',
    provider_id: `<${message!.id}@test>`,
    quote: expect.stringContaining('> It does not work.'),
  })
})

test('mail from a team mailbox names the mailbox or, if it is set to, the person who wrote with it', async () => {
  const user = await given.company({ adminName: 'Karla Brandt' })
  const api = withSession(await given.session(user))
  const { id } = await givenChannel(kith, user, { name: 'Vertrieb' })
  const from = async () => {
    const { message } = await api.sendMessage({ channel_id: id, to: [anAddress()], subject: 'Hi', text: 'Hi' })
    await becomes(user, message!.id, 'sent')
    return channel.sent.find(({ messageId }) => messageId === message!.id)!.from.name
  }
  expect(await api.getChannel({ id })).toMatchObject({ sender_name: 'channel' })
  expect(await from()).toBe('Vertrieb')
  expect(await api.updateChannel({ id, sender_name: 'person' })).toMatchObject({ sender_name: 'person' })
  expect(await from()).toBe('Karla Brandt (Vertrieb)')
})

test('a reply goes to the customer who wrote last, where they want it, and not to whom it was forwarded', async () => {
  const { user, api, support } = await someone()
  const [wanted, third] = [anAddress(), anAddress()]
  const { conversation_id } = await arrives(support, anAddress(), { replyTo: { address: wanted, name: 'Form' } })
  const { message } = await api.sendMessage({ conversation_id, mode: 'forward', to: [third], text: 'Secret words' })
  await becomes(user, message!.id, 'sent')
  const reply = await api.sendMessage({ conversation_id, text: 'Thank you.' })
  expect(reply.message!.recipients).toMatchObject([{ kind: 'to', address: wanted }])
  expect((await smtp.mailTo(wanted)).text).not.toContain('Secret words')
})

test('a new message begins a conversation with the person, and the answer to it is in the same one', async () => {
  const { user, api, support } = await someone()
  const customer = anAddress()
  const { records } = await api.createRecords({
    object: 'people',
    records: [{ first_name: 'Cora', last_name: 'Customer', emails: [customer] }],
  })
  const person_id = records[0]!.id
  const { conversation_id, message } = await api.sendMessage({ person_id, subject: 'Your offer', text: 'Here it is.' })
  await becomes(user, message!.id, 'sent')
  const { conversation, links } = await api.getConversation({ id: conversation_id })
  expect(conversation).toMatchObject({ subject: 'Your offer', participants: [{ address: customer, person_id }] })
  expect(links).toMatchObject([{ object: 'people', id: person_id, title: 'Cora Customer' }])
  const person = await api.getRecord({ object: 'people', id: person_id })
  expect(person.last_activity_at).toBe(kith.time.now.toISOString())
  expect(support.address).toContain('@acme.test')
})

test('a message can be forwarded without a word, but no other message is empty', async () => {
  const { api, support } = await someone()
  const { conversation_id } = await arrives(support, anAddress())
  const colleague = anAddress()
  await api.sendMessage({ conversation_id, mode: 'forward', to: [colleague] })
  expect((await smtp.mailTo(colleague)).text).toMatch(/^---------- Forwarded message/)
  await expect(api.sendMessage({ conversation_id })).toBeRefused(422)
})

test('a forwarded message goes with its files', async () => {
  const { user, api, support } = await someone()
  const { conversation_id } = await arrives(support, anAddress(), { files: [{ name: 'lamp.txt', text: 'a lamp' }] })
  const colleague = anAddress()
  await expect(api.sendMessage({ conversation_id, mode: 'forward', text: 'See below.' })).toBeRefused(422)
  const { message } = await api.sendMessage({ conversation_id, mode: 'forward', to: [colleague], text: 'See below.' })
  const mail = await smtp.mailTo(colleague)
  expect(mail.subject).toBe('Fwd: Broken lamp')
  expect(mail.text).toContain('Forwarded message')
  expect(mail.attachments.map(({ filename, content }) => [filename, content.toString()])).toEqual([
    ['lamp.txt', 'a lamp'],
  ])
  await becomes(user, message!.id, 'sent')
})

test('a message can be cancelled until it is sent, and a new conversation goes with it', async () => {
  const { user, api, support } = await someone()
  const { conversation_id } = await arrives(support, anAddress())
  const to = [anAddress()]
  const first = await api.sendMessage({ conversation_id, text: 'Too early', undo_seconds: 10 })
  expect(await api.cancelMessage({ id: first.message!.id })).toMatchObject({ state: 'cancelled' })
  expect((await api.getConversation({ id: conversation_id })).conversation).toMatchObject({
    message_count: 1,
    last_direction: 'in',
  })
  const second = await api.sendMessage({ to, subject: 'New', text: 'Too early', undo_seconds: 10 })
  await api.cancelMessage({ id: second.message!.id })
  await expect(api.getConversation({ id: second.conversation_id })).toBeRefused(404)
  const third = await api.sendMessage({ conversation_id, text: 'Now' })
  await becomes(user, third.message!.id, 'sent')
  await expect(api.cancelMessage({ id: third.message!.id })).toBeRefused(409)
  kith.minutes(1)
  await laterIsSent(user, api)
  expect(smtp.mailsTo(to[0]!)).toEqual([])
  expect(await stateOf(user, first.message!.id)).toMatchObject({ state: 'cancelled' })
})

test('a channel that is down gets its messages later, then gives up with a reason, and they can be sent again', async () => {
  const { user, api } = await someone()
  let isDown = true
  const attempts: number[] = []
  const wanted = anAddress()
  channel.behave(({ recipients }) => {
    if (recipients[0]!.address !== wanted || !isDown) return undefined
    attempts.push(1)
    return { state: 'again', afterSeconds: 0, reason: 'The mail server does not answer.' }
  })
  const { message } = await api.sendMessage({ to: [wanted], subject: 'Hello', text: 'Hello' })
  for (const minutes of [1, 5, 30, 120, 360]) {
    await soon(async () =>
      expect(await stateOf(user, message!.id)).toMatchObject({
        state: 'waiting',
        attempts: attempts.length,
        state_reason: 'The mail server does not answer.',
      }),
    )
    expect((await api.listConversations({})).items).toMatchObject([{ is_delayed: true, has_failed: false }])
    kith.minutes(minutes)
    worker.sendMessages()
    await soon(async () =>
      expect((await stateOf(user, message!.id)).send_at?.getTime() ?? 0).not.toBe(kith.time.now.getTime()),
    )
  }
  await becomes(user, message!.id, 'failed')
  expect(attempts).toHaveLength(6)
  expect((await api.listConversations({})).items).toMatchObject([{ is_delayed: false, has_failed: true }])
  const text = 'Your message in “Hello” was not sent. The mail server does not answer.'
  await soon(async () =>
    expect((await api.listNotifications({})).items).toMatchObject([{ kind: 'message_failed', text }]),
  )
  isDown = false
  await api.retryMessage({ id: message!.id })
  await becomes(user, message!.id, 'sent')
  expect(smtp.mailsTo(wanted)).toHaveLength(1)
  await expect(api.retryMessage({ id: message!.id })).toBeRefused(409)
  channel.behave()
})

test('a message that waits for its next attempt can be sent at once', async () => {
  const { user, api } = await someone()
  const wanted = anAddress()
  channel.behave(({ recipients }) =>
    recipients[0]!.address === wanted ? { state: 'again', afterSeconds: 0, reason: 'Down.' } : undefined,
  )
  const { message } = await api.sendMessage({ to: [wanted], subject: 'Hello', text: 'Hello' })
  await soon(async () => expect(await stateOf(user, message!.id)).toMatchObject({ state_reason: 'Down.' }))
  channel.behave()
  await api.retryMessage({ id: message!.id })
  await becomes(user, message!.id, 'sent')
  expect(smtp.mailsTo(wanted)).toHaveLength(1)
})

test('a message whose result is unknown is never sent again by itself', async () => {
  const { user, api } = await someone()
  const to = [anAddress()]
  let calls = 0
  channel.behave(({ recipients }) => {
    if (recipients[0]!.address !== to[0]) return undefined
    calls++
    throw new Error('connection lost after DATA')
  })
  const { message } = await api.sendMessage({ to, subject: 'Hello', text: 'Hello' })
  await becomes(user, message!.id, 'unknown')
  expect(kith.logged.join('')).toContain('connection lost after DATA')
  kith.minutes(600)
  await laterIsSent(user, api)
  expect(calls).toBe(1)
  expect(await stateOf(user, message!.id)).toMatchObject({ state: 'unknown' })
  channel.behave()
})

test('what a process was sending when it died is unknown, not sent twice', async () => {
  const { user, api } = await someone()
  const to = [anAddress()]
  const { message } = await api.sendMessage({ to, subject: 'Hello', text: 'Hello', undo_seconds: 60 })
  // As a process leaves it that was killed in the middle of it.
  await db
    .updateTable('messages')
    .set({ state: 'sending', leased_by: randomUUID(), leased_until: new Date(Date.now() - 1000) })
    .where('company_id', '=', user.company_id)
    .where('id', '=', message!.id)
    .execute()
  // Also by a clock that is behind that of the process that died.
  expect(await nextDue(db, user.company_id, kith.time.now)).toBeInstanceOf(Date)
  kith.minutes(2)
  worker.sendMessages()
  await becomes(user, message!.id, 'unknown')
  expect(smtp.mailsTo(to[0]!)).toEqual([])
})

test('two processes send each message once', async () => {
  const { user, api } = await someone()
  const other = await testWorker(kith)
  const before = channel.sent.length
  const ids = await Promise.all(
    Array.from(
      { length: 8 },
      async (_, i) => (await api.sendMessage({ to: [anAddress()], subject: `${i}`, text: 'Hello' })).message!.id,
    ),
  )
  other.sendMessages()
  for (const id of ids) await becomes(user, id, 'sent')
  const sent = channel.sent.slice(before).map(({ messageId }) => messageId)
  expect(sent.toSorted()).toEqual(ids.toSorted())
})

test('a channel sends no more than its limit in an hour; the others wait for the next', async () => {
  const { user, api } = await someone()
  await db.updateTable('channels').set({ hourly_limit: 3 }).where('company_id', '=', user.company_id).execute()
  const ids: string[] = []
  for (let i = 0; i < 5; i++)
    ids.push((await api.sendMessage({ to: [anAddress()], subject: `${i}`, text: 'Hello' })).message!.id)
  const states = async () =>
    (await Promise.all(ids.map((id) => stateOf(user, id)))).map(({ state }) => state).toSorted()
  await soon(async () => expect(await states()).toEqual(['sent', 'sent', 'sent', 'waiting', 'waiting']))
  await soon(async () =>
    expect(
      (await Promise.all(ids.map((id) => stateOf(user, id)))).filter(({ state_reason }) =>
        state_reason?.includes('limit'),
      ),
    ).toHaveLength(2),
  )
  kith.minutes(61)
  worker.sendMessages()
  await soon(async () => expect(await states()).toEqual(Array(5).fill('sent')))
})

test('a scheduled message waits for its time, which can be given in any offset', async () => {
  const { user, api } = await someone()
  const send_at = new Date(kith.time.now.getTime() + 3_600_000).toISOString()
  const inParis = new Date(kith.time.now.getTime() + 7_200_000).toISOString().replace('Z', '+01:00')
  const { message } = await api.sendMessage({ to: [anAddress()], subject: 'Later', text: 'Hello', send_at: inParis })
  expect(message).toMatchObject({ state: 'waiting', send_at })
  const scheduled = async () => (await api.listConversations({ filter: 'is_scheduled = true' })).items.length
  expect(await scheduled()).toBe(1)
  kith.minutes(61)
  worker.sendMessages()
  await becomes(user, message!.id, 'sent')
  expect(await scheduled()).toBe(0)
  const ask = api.sendMessage({ to: [anAddress()], subject: 'Later', text: 'Hello', send_at: 'tomorrow' })
  await expect(ask).rejects.toThrow('Use a time such as 2026-11-17T09:00:00Z')
})

test('line breaks in subjects and addresses are refused', async () => {
  const { api } = await someone()
  await expect(
    api.sendMessage({ to: [anAddress()], subject: 'Hello\r\nBcc: eve@example.com', text: 'Hello' }),
  ).toBeRefused(422)
  await expect(
    api.sendMessage({ to: ['a@example.com\r\nBcc: eve@example.com'], subject: 'Hello', text: 'Hello' }),
  ).toBeRefused(422)
})

test('only the owner sends by a personal mailbox, even if it is shared', async () => {
  const { user, api } = await someone()
  const colleague = await given.user(user, { role: 'Admin' })
  const personal = await givenChannel(kith, user, { owner_id: colleague.user_id, is_shared: true })
  await expect(
    api.sendMessage({ channel_id: personal.id, to: [anAddress()], subject: 'Hello', text: 'Hello' }),
  ).toBeRefused(403)
  const theirs = withSession(await given.session(colleague))
  const { message } = await theirs.sendMessage({
    channel_id: personal.id,
    to: [anAddress()],
    subject: 'Hello',
    text: 'Hello',
  })
  await becomes(user, message!.id, 'sent')
})

test('a message of which a copy turns up in Sent was sent', async () => {
  const { user, api, support } = await someone()
  const to = anAddress()
  channel.behave((message) =>
    message.recipients[0]!.address === to
      ? { state: 'unknown', reason: 'The connection ended.', key: `<${message.messageId}@test>`, providerId: 'x' }
      : undefined,
  )
  const { message } = await api.sendMessage({ to: [to], subject: 'Hello', text: 'Hello' })
  await becomes(user, message!.id, 'unknown')
  await arrives(support, support.address, { key: `<${message!.id}@test>`, direction: 'out' })
  await becomes(user, message!.id, 'sent')
  expect((await api.getConversation({ id: message!.conversation_id })).messages).toHaveLength(1)
  channel.behave()
})

test('who wrote a message is notified if some of its recipients did not get it', async () => {
  const { user, api } = await someone()
  const to = [anAddress(), anAddress()]
  const reason = `Not delivered to ${to[0]}. The mail server responded: 550 No such user`
  channel.behave(({ messageId, recipients }) =>
    recipients[0]!.address === to[0] ? { state: 'sent', key: messageId, providerId: messageId, reason } : undefined,
  )
  const { message } = await api.sendMessage({ to, subject: 'Offer', text: 'Hello' })
  await becomes(user, message!.id, 'sent')
  channel.behave()
  expect(await stateOf(user, message!.id)).toMatchObject({ state_reason: reason })
  await soon(async () =>
    expect((await api.listNotifications({})).items).toMatchObject([
      { kind: 'message_failed', text: expect.stringContaining(`did not reach everyone. ${reason}`) },
    ]),
  )
})
