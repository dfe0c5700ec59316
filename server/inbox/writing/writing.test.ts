import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { arrivingAt, givenChannel, testChannelKind } from '../../../test/channel.ts'
import { mcpFor } from '../../../test/mcp.ts'
import { soon, testWorker } from '../../../test/worker.ts'

const channel = testChannelKind()
const kith = await testApp({ channelKinds: { test: channel.kind } })
const worker = await testWorker(kith)
const { given, withSession, withKey } = kith
const { legacy } = await mcpFor(kith)
const arrives = arrivingAt(kith)
const anAddress = () => `${randomUUID()}@example.com`

const someone = async () => {
  const user = await given.company()
  const support = await givenChannel(kith, user, { agents: 'send' })
  return { user, support, api: withSession(await given.session(user)) }
}
const sentTo = (address: string) =>
  channel.sent.filter(({ recipients }) => recipients.some((one) => one.address === address))

describe('a draft', () => {
  test('is continued on another device, which cannot overwrite what it has not seen', async () => {
    const { user, support, api } = await someone()
    const phone = withSession(await given.session(user))
    const { conversation_id } = await arrives(support, anAddress())
    const draft = { id: randomUUID(), conversation_id, kind: 'reply' as const }
    expect(await api.saveMessageDraft({ ...draft, text: 'Hel' })).toMatchObject({ version: 1, text: 'Hel' })
    const [found] = (await phone.listMessageDrafts({ conversation_id })).items
    expect(await phone.saveMessageDraft({ ...draft, text: 'Hello', version: found!.version })).toMatchObject({
      version: 2,
    })
    await expect(api.saveMessageDraft({ ...draft, text: 'Help', version: 1 })).toBeRefused(409)
    await expect(api.saveMessageDraft({ ...draft, id: randomUUID(), text: 'Another' })).toBeRefused(409)
    expect((await api.listMessageDrafts({})).items).toMatchObject([{ text: 'Hello', version: 2 }])
    const colleague = withSession(await given.session(await given.user(user, { role: 'Admin' })))
    expect((await colleague.listMessageDrafts({ conversation_id })).items).toEqual([])
    expect((await colleague.getConversation({ id: conversation_id })).conversation.has_draft).toBe(false)
    await expect(colleague.deleteMessageDraft({ id: draft.id })).toBeRefused(404)
  })

  test('keeps its files and becomes the message', async () => {
    const { support, api } = await someone()
    const customer = anAddress()
    const { conversation_id } = await arrives(support, customer)
    const upload = (name: string) => api.uploadFile({ purpose: 'message', name, file: new Blob([name]) })
    const [kept, dropped] = [await upload('kept.txt'), await upload('dropped.txt')]
    const id = randomUUID()
    await api.saveMessageDraft({ id, conversation_id, kind: 'reply', text: 'See', file_ids: [kept.id, dropped.id] })
    await api.saveMessageDraft({ id, conversation_id, kind: 'reply', text: 'See', file_ids: [kept.id], version: 1 })
    const before = kith.time.now
    kith.minutes(3 * 24 * 60)
    await worker.run('prune', {})
    await expect(api.sendMessage({ conversation_id, text: 'See', file_ids: [dropped.id] })).toBeRefused(422)
    await api.sendMessage({ conversation_id, text: 'See', file_ids: [kept.id], draft_id: id })
    await soon(async () => expect(sentTo(customer)).toHaveLength(1))
    expect(sentTo(customer)[0]!.files.map(({ name, content }) => [name, Buffer.from(content).toString()])).toEqual([
      ['kept.txt', 'kept.txt'],
    ])
    expect((await api.listMessageDrafts({})).items).toEqual([])
    kith.time.now = before
  })
})

describe('a template', () => {
  test('fills in what it can and says what is missing', async () => {
    const { api } = await someone()
    const { records } = await api.createRecords({ object: 'organizations', records: [{ name: 'Lamps Ltd' }] })
    const people = await api.createRecords({
      object: 'people',
      records: [{ first_name: 'Cora', last_name: 'Customer', emails: [anAddress()], organization: records[0]!.id }],
    })
    const text = 'Hello {{ first_name }} of {{ organization }}, {{ my_name }} here. {{ person.city }}'
    const { id } = await api.createMessageTemplate({ name: 'Welcome', subject: 'Hi {{ name }}', text, is_shared: true })
    expect(await api.fillMessageTemplate({ id, person_id: people.records[0]!.id })).toEqual({
      subject: 'Hi Cora Customer',
      text: 'Hello Cora of Lamps Ltd, Ada Admin here. [person.city]',
      missing: ['person.city'],
    })
    await expect(api.sendMessage({ person_id: people.records[0]!.id, template_id: id })).toBeRefused(422)
    await api.updateMessageTemplate({ id, text: 'Hello {{ first_name }}' })
    const { message } = await api.sendMessage({ person_id: people.records[0]!.id, template_id: id })
    expect(message).toMatchObject({ subject: 'Hi Cora Customer', text: 'Hello Cora' })
  })

  test('greets who gets it, not who the conversation is with', async () => {
    const { support, api } = await someone()
    const [nils, legal, other] = [anAddress(), anAddress(), anAddress()]
    await api.createRecords({
      object: 'people',
      records: [
        { first_name: 'Nils', emails: [nils] },
        { first_name: 'Olga', emails: [other] },
      ],
    })
    const { id } = await api.createMessageTemplate({ name: 'Hi', text: 'Hi {{ first_name }}' })
    const { conversation_id, key } = await arrives(support, nils)
    kith.minutes(1)
    await arrives(support, legal, { references: [key], cc: nils, name: 'Legal Team' })
    const texts = async (to?: string) => {
      const given = { conversation_id, ...(to && { to: [to] }) }
      const { message } = await api.sendMessage({ ...given, template_id: id, undo_seconds: 60 })
      const filled = await api.fillMessageTemplate({ id, conversation_id, ...(to && { to }) })
      expect(filled.text).toBe(message!.text)
      return [message!.recipients[0]!.address, filled.text]
    }
    expect(await texts()).toEqual([legal, 'Hi Legal'])
    expect(await texts(nils)).toEqual([nils, 'Hi Nils'])
    expect(await texts(other)).toEqual([other, 'Hi Olga'])
  })

  test('with an unknown variable is refused with the list of those that exist', async () => {
    const { api } = await someone()
    const failure = await api
      .createMessageTemplate({ name: 'Welcome', text: 'Hello {{ frist_name }}' })
      .catch((error) => error)
    expect(failure.problem).toMatchObject({
      status: 422,
      errors: [{ path: 'text', message: expect.stringContaining('Did you mean {{ first_name }}?') }],
    })
    expect(failure.problem.errors[0].message).toContain('person.city')
  })

  test('of someone else is neither seen nor changed, unless it is shared', async () => {
    const { user, api } = await someone()
    const colleague = withSession(await given.session(await given.user(user)))
    const { id } = await api.createMessageTemplate({ name: 'Mine', text: 'Hello' })
    expect((await colleague.listMessageTemplates({})).items).toEqual([])
    await api.updateMessageTemplate({ id, is_shared: true })
    expect((await colleague.listMessageTemplates({})).items).toMatchObject([{ id, is_mine: false, is_shared: true }])
    await expect(colleague.deleteMessageTemplate({ id })).toBeRefused(403)
  })
})

test('a note stays inside, and the people it mentions are told', async () => {
  const { user, support, api } = await someone()
  const colleague = await given.user(user, { name: 'Max Member' })
  const customer = anAddress()
  const { conversation_id } = await arrives(support, customer)
  await api.createConversationNote({ id: conversation_id, text: `Look, [@Max](mention:${colleague.user_id})` })
  const theirs = withSession(await given.session(colleague))
  await soon(async () =>
    expect((await theirs.listNotifications({})).items).toMatchObject([
      { kind: 'mentioned', text: 'Ada Admin mentioned you in “Broken lamp”', link: `/inbox/${conversation_id}` },
    ]),
  )
  expect(sentTo(customer)).toEqual([])
  expect((await api.getConversation({ id: conversation_id })).messages.at(-1)).toMatchObject({ kind: 'note' })
})

test('someone who must not be contacted gets no message, no matter who writes or how', async () => {
  const { user, support, api } = await someone()
  const customer = anAddress()
  const { records } = await api.createRecords({
    object: 'people',
    records: [{ first_name: 'Cora', emails: [customer] }],
  })
  const { conversation_id } = await arrives(support, customer)
  const later = await api.sendMessage({ conversation_id, text: 'Later', undo_seconds: 30 })
  await api.updateRecords({ object: 'people', records: [{ id: records[0]!.id, values: { do_not_contact: true } }] })
  const key = await given.key(user)
  const toolCall = await legacy(key, 'tools/call', {
    name: 'send_message',
    arguments: { conversation_id, text: 'Hello' },
  })
  expect(JSON.stringify(toolCall.rpc.result)).toContain('must not be contacted')
  for (const one of [api, withKey(key)]) {
    await expect(one.sendMessage({ conversation_id, text: 'Hello' })).toBeRefused(409)
    await expect(one.draftReply({ conversation_id, text: 'Hello' })).toBeRefused(409)
    await expect(one.sendMessage({ person_id: records[0]!.id, subject: 'Hello', text: 'Hello' })).toBeRefused(409)
    await expect(one.sendMessage({ to: [anAddress()], cc: [customer], subject: 'Hello', text: 'Hello' })).toBeRefused(
      409,
    )
  }
  kith.minutes(1)
  worker.sendMessages()
  await soon(async () =>
    expect((await api.getConversation({ id: conversation_id })).messages.at(-1)).toMatchObject({
      id: later.message!.id,
      state: 'failed',
      state_reason: expect.stringContaining('must not be contacted'),
    }),
  )
  expect(sentTo(customer)).toEqual([])
})

test('an unsubscribe link asks first, then marks the person, and goes out with what templates and agents send', async () => {
  const { user, api } = await someone()
  const customer = anAddress()
  const { records } = await api.createRecords({
    object: 'people',
    records: [{ first_name: 'Cora', emails: [customer] }],
  })
  await api.sendMessage({ person_id: records[0]!.id, subject: 'By hand', text: 'Hello' })
  await soon(async () => expect(sentTo(customer)).toHaveLength(1))
  expect(sentTo(customer)[0]!.unsubscribe).toBe(null)
  await withKey(await given.key(user)).sendMessage({ person_id: records[0]!.id, subject: 'By an agent', text: 'Hello' })
  await soon(async () => expect(sentTo(customer)).toHaveLength(2))
  const link = new URL(sentTo(customer)[1]!.unsubscribe!)
  const page = await kith.send(link.pathname)
  expect(await page.text()).toContain('Stop messages to')
  const isMarked = async () => (await api.getRecord({ object: 'people', id: records[0]!.id })).do_not_contact === true
  expect(await isMarked()).toBe(false)
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const done = await kith.send(link.pathname, { method: 'POST', headers, body: 'List-Unsubscribe=One-Click' })
  expect(done.status).toBe(200)
  expect(await isMarked()).toBe(true)
  await expect(api.sendMessage({ person_id: records[0]!.id, subject: 'Again', text: 'Hello' })).toBeRefused(409)
  expect((await kith.send(`${link.pathname}x`)).status).toBe(404)
})

test('an address that unsubscribed gets no message, also if no one has it or someone gets it later, until it is allowed again', async () => {
  const { user, api } = await someone()
  const agent = withKey(await given.key(user))
  const { id: template_id } = await api.createMessageTemplate({ name: 'News', subject: 'News', text: 'Hello' })
  const unsubscribe = async (address: string) => {
    await agent.sendMessage({ to: [address], subject: 'Offer', text: 'Hello' })
    const link = await soon(async () => sentTo(address)[0]!.unsubscribe!)
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const { pathname } = new URL(link)
    expect((await kith.send(pathname, { method: 'POST', headers, body: 'list_unsubscribe=One-Click' })).status).toBe(
      200,
    )
  }
  const [stranger, lead] = [anAddress(), anAddress()]
  await api.createRecords({ object: 'leads', records: [{ last_name: 'Lea', email: lead }] })
  for (const address of [stranger, lead]) {
    await unsubscribe(address)
    const ask = api.sendMessage({ to: [address.toUpperCase()], template_id })
    await expect(ask).rejects.toMatchObject({
      message: expect.stringContaining(`${address} unsubscribed from your messages.`),
      problem: { status: 409 },
    })
  }

  const created = await api.createRecords({ object: 'people', records: [{ first_name: 'Sten', emails: [stranger] }] })
  const person_id = created.records[0]!.id
  const isMarked = async () => (await api.getRecord({ object: 'people', id: person_id })).do_not_contact === true
  await soon(async () => expect(await isMarked()).toBe(true))
  await expect(api.sendMessage({ person_id, template_id })).toBeRefused(409)
  await api.updateRecords({ object: 'people', records: [{ id: person_id, values: { do_not_contact: false } }] })
  await api.sendMessage({ person_id, template_id })

  await api.createRole({ name: 'Reader', records: { '*': { read: 'all', create: true, edit: 'own', delete: 'none' } } })
  const reader = withSession(await given.session(await given.user(user, { role: 'Reader' })))
  await expect(reader.listOptOuts({})).toBeRefused(403)
  const { items } = await api.listOptOuts({})
  expect(items).toMatchObject([{ address: lead }])
  await expect(reader.deleteOptOut({ id: items[0]!.id })).toBeRefused(403)
  await api.deleteOptOut({ id: items[0]!.id })
  await api.sendMessage({ to: [lead], template_id })
  const audit = await api.listAuditEvents({ action: 'opt_out.removed' })
  expect(audit.items).toMatchObject([{ data: { address: lead } }])
})

test('a subject with a line break or a control character is refused when it is saved', async () => {
  const { support, api } = await someone()
  const customer = anAddress()
  const { conversation_id } = await arrives(support, customer)
  for (const subject of ['Two\u2028lines', 'Two\u2029lines', 'A\u0007bell', 'A\ttab', 'Two\nlines']) {
    await expect(api.sendMessage({ to: [customer], subject, text: 'Hello' })).toBeRefused(422)
    await expect(api.createMessageTemplate({ name: 'Hello', subject, text: 'Hello' })).toBeRefused(422)
    await expect(api.saveMessageDraft({ id: randomUUID(), kind: 'new', subject, text: 'Hello' })).toBeRefused(422)
    await expect(api.updateConversations({ ids: [conversation_id], subject })).toBeRefused(422)
  }
})
