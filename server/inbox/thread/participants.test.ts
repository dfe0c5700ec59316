// Who is on the other end, and what lists say about a conversation.
import { beforeEach, expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import type { GivenUser } from '../../../test/given.ts'
import { inboxFor } from '../../../test/inbox.ts'
import { soon, testWorker } from '../../../test/worker.ts'
import type { ChannelRow } from '../channels/channel.ts'

const kith = await testApp({ own: true })
await testWorker(kith)
const { given } = kith
const inbox = inboxFor(kith)
let admin: GivenUser
let api: ReturnType<typeof kith.withKey>
let team: ChannelRow

beforeEach(async () => {
  admin = await given.company()
  api = kith.withKey(await given.key(admin))
  team = await inbox.channel(admin)
})

const person = async (values: object) =>
  (await api.createRecords({ object: 'people', records: [values] } as never)).records[0]!.id
const conversation = async (id: string) => (await api.getConversation({ id })).conversation
const from = (address: string, name: string | null = null) => ({ from: { address, name }, subject: '' })

test('linking a person says who a sender is that is known by a handle only, until they are unlinked', async () => {
  const { conversationId: id } = await inbox.arrives(team, from('ann_77', 'annie'))
  const ann = await person({ first_name: 'Ann', last_name: 'Becker' })
  await api.linkConversation({ id, add: [{ object: 'people', id: ann }] })
  expect((await conversation(id)).participants).toEqual([{ address: 'ann_77', name: 'Ann Becker', person_id: ann }])
  expect((await api.listConversations({ filter: 'participant ~ "becker"' })).items).toHaveLength(1)
  await inbox.arrives(team, { ...from('ann_77', 'annie'), conversationId: id })
  expect((await conversation(id)).participants).toMatchObject([{ name: 'Ann Becker', person_id: ann }])
  await api.linkConversation({ id, remove: [ann] })
  expect((await conversation(id)).participants).toEqual([{ address: 'ann_77', name: 'annie', person_id: null }])
})

test('of several senders, the one that is named is the person', async () => {
  const { conversationId: id } = await inbox.arrives(team, { ...from('ann_77'), thread: 'c-1' })
  await inbox.arrives(team, { ...from('bob_12'), thread: 'c-1' })
  const bob = await person({ last_name: 'Hill' })
  await api.linkConversation({ id, add: [{ object: 'people', id: bob, address: 'bob_12' }] })
  expect((await conversation(id)).participants).toMatchObject([
    { address: 'ann_77', person_id: null },
    { address: 'bob_12', name: 'Hill', person_id: bob },
  ])
})

test('a sender with an email address does not become a person who is linked for another reason', async () => {
  const { conversationId: id } = await inbox.arrives(team)
  const other = await person({ last_name: 'Hill' })
  await api.linkConversation({ id, add: [{ object: 'people', id: other }] })
  expect((await conversation(id)).participants).toMatchObject([{ name: 'Ada Stone', person_id: null }])
})

test('a number is shown by the name of the person who has it, also if the person was added later', async () => {
  const known = await person({ first_name: 'Ann', last_name: 'Becker', phones: ['+4930123456'] })
  const first = await inbox.arrives(team, from('+4930123456'))
  expect((await conversation(first.conversationId)).participants).toMatchObject([
    { name: 'Ann Becker', person_id: known },
  ])
  const second = await inbox.arrives(team, from('+4930777777', 'bobby'))
  const later = await person({ last_name: 'Hill', phones: ['+4930777777'] })
  await soon(async () =>
    expect((await conversation(second.conversationId)).participants).toMatchObject([
      { name: 'Hill', person_id: later },
    ]),
  )
})

test('a person who gets another name has it in conversations, but for mail, where people name themselves', async () => {
  const ann = await person({ first_name: 'Ann', last_name: 'Becker', emails: ['ann@home.test'] })
  const chat = await inbox.arrives(team, from('ann_78'))
  await api.linkConversation({ id: chat.conversationId, add: [{ object: 'people', id: ann }] })
  const mail = await inbox.arrives(team, from('ann@home.test', 'Annie'))
  const names = () =>
    Promise.all(
      [chat, mail].map(async ({ conversationId }) => (await conversation(conversationId)).participants[0]!.name),
    )
  expect(await names()).toEqual(['Ann Becker', 'Annie'])
  await api.updateRecords({ object: 'people', records: [{ id: ann, values: { last_name: 'Lind' } }] })
  await soon(async () => expect(await names()).toEqual(['Ann Lind', 'Annie']))
})

test('a message of files is listed by their names', async () => {
  const file = (name: string) => ({
    name,
    type: 'image/jpeg',
    content: Buffer.from('x'),
    contentId: null,
    isInline: false,
  })
  const one = await inbox.arrives(team, { text: '', files: [file('photo.jpg')] })
  const two = await inbox.arrives(team, { text: '', files: [file('a.jpg'), file('b.jpg')] })
  expect(await conversation(one.conversationId)).toMatchObject({ preview: 'photo.jpg' })
  expect(await conversation(two.conversationId)).toMatchObject({ preview: '2 files' })
})

test('events stored as text by older versions stay readable, new ones are data', async () => {
  const { conversationId: id } = await inbox.arrives(team)
  await api.updateConversations({ ids: [id], state: 'closed' })
  await kith.db
    .updateTable('messages')
    .set({ data: null, text: 'Closed' })
    .where('company_id', '=', admin.company_id)
    .where('conversation_id', '=', id)
    .where('kind', '=', 'event')
    .execute()
  await api.updateConversations({ ids: [id], state: 'open' })
  const { messages } = await api.getConversation({ id })
  expect(messages.filter(({ kind }) => kind === 'event')).toMatchObject([
    { text: 'Closed', event: null },
    { text: 'Reopened this', event: { type: 'reopened' } },
  ])
})

test('a closed conversation that opens again says so in its thread', async () => {
  const first = await inbox.arrives(team)
  const { conversationId: id } = first
  await api.updateConversations({ ids: [id], state: 'closed' })
  await inbox.arrives(team, { references: [first.mail.key], text: 'One more thing' })
  const { conversation, messages } = await api.getConversation({ id })
  expect(conversation.state).toBe('open')
  expect(messages.filter(({ kind }) => kind === 'event').map(({ text }) => text)).toEqual([
    'Closed this',
    'Reopened by a new message',
  ])
})

test('a conversation is marked while a message of it could not be sent, until one is', async () => {
  const { conversationId: id, mail } = await inbox.arrives(team)
  const out = { direction: 'out' as const, from: { address: team.address, name: null }, references: [mail.key] }
  const sent = await inbox.arrives(team, { ...out, text: 'First' })
  expect(await conversation(id)).toMatchObject({ has_failed: false })
  await kith.db
    .updateTable('messages')
    .set({ state: 'failed', state_at: kith.time.now })
    .where('company_id', '=', admin.company_id)
    .where('id', '=', sent.messageId)
    .execute()
  expect(await conversation(id)).toMatchObject({ has_failed: true })
  expect((await api.listConversations({})).items).toMatchObject([{ has_failed: true }])
  kith.time.now = new Date(kith.time.now.getTime() + 120_000)
  await inbox.arrives(team, { ...out, text: 'Third' })
  expect(await conversation(id)).toMatchObject({ has_failed: false })
})
