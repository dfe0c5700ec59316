// People and leads who come after their messages.
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

const create = async (object: string, values: object) =>
  (await api.createRecords({ object, records: [values] } as never)).records[0]!.id
const timeline = async (object: string, id: string, reader = api) =>
  (await reader.getTimeline({ object, id, kinds: ['message'] })).items.length
const linksOf = async (id: string) => (await api.getConversation({ id })).links.map((link) => link.id).sort()

test('a person who is created later has the older messages, and so have their organization and deals', async () => {
  const first = await inbox.arrives(team)
  await inbox.arrives(team, { references: [first.mail.key], text: 'Hello?' })
  const other = await inbox.arrives(team, { sender: 'bob@other.example' })
  const organization = await create('organizations', { name: 'Customer' })
  const person = await create('people', { last_name: 'Stone', emails: ['Ada@Customer.example'], organization })
  await soon(async () => expect(await timeline('people', person)).toBe(2))
  expect(await timeline('organizations', organization)).toBe(2)
  const { conversation, links } = await api.getConversation({ id: first.conversationId })
  expect(conversation.participants).toEqual([{ address: 'ada@customer.example', name: 'Ada Stone', person_id: person }])
  expect(links.map(({ id }) => id).sort()).toEqual([organization, person].sort())
  expect((await api.getRecord({ object: 'people', id: person })).last_activity_at).toBe(kith.time.now.toISOString())
  expect(await linksOf(other.conversationId)).toEqual([])
  const bob = await create('people', { first_name: 'Bob', last_name: 'Hill', emails: ['bob@other.example'] })
  const participants = async () => (await api.getConversation({ id: other.conversationId })).conversation.participants
  await soon(async () => expect(await participants()).toMatchObject([{ name: 'Bob Hill', person_id: bob }]))
})

test('an address that a person or a lead gets later counts, too', async () => {
  const first = await inbox.arrives(team)
  const [person, lead] = [await create('people', { last_name: 'Stone' }), await create('leads', { last_name: 'Stone' })]
  await api.updateRecords({ object: 'people', records: [{ id: person, values: { emails: ['ada@customer.example'] } }] })
  await api.updateRecords({ object: 'leads', records: [{ id: lead, values: { email: 'ada@customer.example' } }] })
  await soon(async () => expect(await linksOf(first.conversationId)).toEqual([person, lead].sort()))
  expect((await api.listConversations({ record_id: lead })).items).toHaveLength(1)
})

test('of a mailbox that is private, only its owner learns it, and the person shows no trace', async () => {
  const owner = await given.user(admin)
  const own = await inbox.channel(owner, { is_personal: true })
  const { conversationId: id } = await inbox.arrives(own)
  const person = await create('people', { last_name: 'Stone', emails: ['ada@customer.example'] })
  const ofOwner = kith.withKey(await given.key(owner))
  await soon(async () => expect(await timeline('people', person, ofOwner)).toBe(1))
  expect((await ofOwner.getConversation({ id })).conversation.participants[0]!.person_id).toBe(person)
  expect(await timeline('people', person)).toBe(0)
  expect((await api.listConversations({ record_id: person })).items).toEqual([])
  expect((await api.getRecord({ object: 'people', id: person })).last_activity_at ?? null).toBeNull()
})

test('deleting, restoring and permanently deleting a person breaks no conversation', async () => {
  const session = kith.withSession(await given.session(admin))
  const person = await create('people', { last_name: 'Stone', emails: ['ada@customer.example'] })
  const first = await inbox.arrives(team)
  await api.deleteRecords({ object: 'people', ids: [person] })
  expect(await linksOf(first.conversationId)).toEqual([])
  const second = await inbox.arrives(team)
  await api.restoreRecords({ object: 'people', ids: [person] })
  await soon(async () => expect(await linksOf(second.conversationId)).toEqual([person]))
  expect(await linksOf(first.conversationId)).toEqual([person])
  await api.deleteRecords({ object: 'people', ids: [person] })
  await session.purgeRecords({ object: 'people', ids: [person] })
  const { conversation } = await api.getConversation({ id: first.conversationId })
  expect(conversation.participants[0]!.person_id).toBeNull()
  expect((await api.listConversations({ filter: 'person is empty' })).items).toHaveLength(2)
  const next = await create('people', { last_name: 'Stone', emails: ['ada@customer.example'] })
  await soon(async () => expect(await linksOf(first.conversationId)).toEqual([next]))
})

test('a conversation that was merged has the person after the merge is undone', async () => {
  const [a, b] = [await inbox.arrives(team, { sender: 'bob@other.example' }), await inbox.arrives(team)]
  const { move_id } = await api.mergeConversations({ id: b.conversationId, into_id: a.conversationId })
  const person = await create('people', { last_name: 'Stone', emails: ['ada@customer.example'] })
  await soon(async () => expect(await linksOf(a.conversationId)).toEqual([person]))
  await api.undoConversationMove({ id: move_id })
  expect(await linksOf(b.conversationId)).toEqual([person])
})
