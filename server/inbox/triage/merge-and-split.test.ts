// What follows a conversation when it is merged, and returns when that is undone.
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { arrivingAt, givenChannel, testChannelKind } from '../../../test/channel.ts'

const kith = await testApp({ channelKinds: { test: testChannelKind().kind } })
const { given, withSession } = kith
const arrives = arrivingAt(kith)

async function twoConversations() {
  const user = await given.company()
  const support = await givenChannel(kith, user)
  const [a, b] = [await arrives(support, 'a@customer.example'), await arrives(support, 'b@customer.example')]
  return { user, api: withSession(await given.session(user)), a: a.conversation_id, b: b.conversation_id }
}
type Api = Awaited<ReturnType<typeof twoConversations>>['api']

const write = (api: Api, conversation_id: string, text: string) =>
  api.saveMessageDraft({ id: randomUUID(), conversation_id, kind: 'reply', text })
const draftsIn = async (api: Api, conversation_id: string) =>
  (await api.listMessageDrafts({ conversation_id })).items.map(({ text }) => text)

test('a draft follows its conversation into another one, and back', async () => {
  const { api, a, b } = await twoConversations()
  await write(api, b, 'Dear B')
  const { move_id } = await api.mergeConversations({ id: b, into_id: a })
  expect(await draftsIn(api, a)).toEqual(['Dear B'])
  expect((await api.getConversation({ id: a })).conversation.has_draft).toBe(true)
  await api.undoConversationMove({ id: move_id })
  expect([await draftsIn(api, a), await draftsIn(api, b)]).toEqual([[], ['Dear B']])
})

test('of two drafts of one user none is lost', async () => {
  const { user, api, a, b } = await twoConversations()
  const colleague = withSession(await given.session(await given.user(user)))
  await write(colleague, b, 'From a colleague')
  await write(api, a, 'Dear A')
  await write(api, b, 'Dear B')
  const { move_id } = await api.mergeConversations({ id: b, into_id: a })
  expect(await draftsIn(api, a)).toEqual(['Dear A'])
  expect(await draftsIn(colleague, a)).toEqual(['From a colleague'])
  const all = (await api.listMessageDrafts({})).items
  expect(all.find(({ text }) => text === 'Dear B')).toMatchObject({ conversation_id: null })
  await api.undoConversationMove({ id: move_id })
  expect([await draftsIn(api, a), await draftsIn(api, b)]).toEqual([['Dear A'], ['Dear B']])
  expect(await draftsIn(colleague, b)).toEqual(['From a colleague'])
})

test('a draft that was begun after a split stays when the split is undone', async () => {
  const { api, a, b } = await twoConversations()
  await api.mergeConversations({ id: b, into_id: a })
  const { messages } = await api.getConversation({ id: a })
  const some = messages.filter(({ kind }) => kind === 'message').slice(1)
  const split = await api.splitConversation({ id: a, message_ids: some.map(({ id }) => id) })
  await write(api, split.conversation_id, 'Begun later')
  await api.undoConversationMove({ id: split.move_id })
  expect(await draftsIn(api, a)).toEqual(['Begun later'])
})

test('a proposal that waits is decided where its conversation is', async () => {
  const { user, api, a, b } = await twoConversations()
  const agent = kith.withKey(await given.key(user))
  const { proposal } = await agent.sendMessage({ conversation_id: b, text: 'Dear B' })
  const { move_id } = await api.mergeConversations({ id: b, into_id: a })
  expect((await api.listProposals({ conversation_id: a })).items.map(({ id }) => id)).toEqual([proposal!.id])
  await api.undoConversationMove({ id: move_id })
  expect((await api.listProposals({ conversation_id: a })).items).toEqual([])
  const decided = await api.decideProposal({ id: proposal!.id, decision: 'approve', anyway: true })
  expect(decided).toMatchObject({ state: 'approved', conversation_id: b })
})

test('undoing a merge takes back the labels that it added, and no others', async () => {
  const { api, a, b } = await twoConversations()
  const [both, own, added] = [
    await api.createConversationLabel({ name: 'Both' }),
    await api.createConversationLabel({ name: 'Own' }),
    await api.createConversationLabel({ name: 'Added' }),
  ]
  await api.updateConversations({ ids: [a], add_label_ids: [both.id, own.id] })
  await api.updateConversations({ ids: [b], add_label_ids: [both.id, added.id] })
  const labels = async (id: string) => (await api.getConversation({ id })).conversation.label_ids.toSorted()
  const { move_id } = await api.mergeConversations({ id: b, into_id: a })
  expect(await labels(a)).toEqual([both.id, own.id, added.id].sort())
  await api.undoConversationMove({ id: move_id })
  expect(await labels(a)).toEqual([both.id, own.id].sort())
  expect(await labels(b)).toEqual([both.id, added.id].sort())
})

test('what was answered in between returns with the conversation that it answers', async () => {
  const user = await given.company()
  const support = await givenChannel(kith, user)
  const api = withSession(await given.session(user))
  const a = await arrives(support, 'a@customer.example', { text: 'I am A' })
  const b = await arrives(support, 'b@customer.example', { text: 'I am B' })
  const { move_id } = await api.mergeConversations({ id: b.conversation_id, into_id: a.conversation_id })
  await arrives(support, 'b@customer.example', { text: 'B again', references: [b.key] })
  await arrives(support, 'a@customer.example', { text: 'A again', references: [a.key] })
  await api.undoConversationMove({ id: move_id })
  const texts = async (id: string) =>
    (await api.getConversation({ id })).messages.filter(({ kind }) => kind === 'message').map(({ text }) => text)
  expect(await texts(b.conversation_id)).toEqual(['I am B', 'B again'])
  expect(await texts(a.conversation_id)).toEqual(['I am A', 'A again'])
})
