import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { arrivingAt, givenChannel, testChannelKind } from '../../../test/channel.ts'
import { mcpFor } from '../../../test/mcp.ts'
import { soon, testWorker } from '../../../test/worker.ts'
import { peekActorByToken } from '../../accounts/sessions/queries.ts'
import { createLiveHub } from '../../kernel/live.ts'

const channel = testChannelKind()
const kith = await testApp({ channelKinds: { test: channel.kind } })
const worker = await testWorker(kith)
const { given, withSession, withKey, db } = kith
const { legacy } = await mcpFor(kith)
const arrives = arrivingAt(kith)
const anAddress = () => `${randomUUID()}@example.com`

/** A person, an agent with a key, and a conversation of a customer. */
async function someone(values: Parameters<typeof givenChannel>[2] = {}) {
  const user = await given.company()
  const agent = await given.user(user, { name: 'Robo' })
  await db
    .updateTable('users')
    .set({ kind: 'agent', invited_by: user.user_id })
    .where('company_id', '=', user.company_id)
    .where('id', '=', agent.user_id)
    .execute()
  const support = await givenChannel(kith, user, values)
  const customer = anAddress()
  const { conversation_id } = await arrives(support, customer)
  const key = await given.key(agent)
  return {
    user,
    agent,
    key,
    support,
    customer,
    conversation_id,
    api: withSession(await given.session(user)),
    robo: withKey(key),
  }
}
const sentTo = (address: string) =>
  channel.sent.filter(({ recipients }) => recipients.some((one) => one.address === address))

test('a conversation says which proposals wait, so that no one proposes twice', async () => {
  const { key, robo, api, conversation_id, customer } = await someone()
  const read = async () => {
    const { rpc } = await legacy(key, 'tools/call', { name: 'get_conversation', arguments: { id: conversation_id } })
    return rpc.result!.structuredContent
  }
  expect(await read()).not.toHaveProperty('proposals')
  const { proposal } = await robo.sendMessage({ conversation_id, text: 'Try again.', reason: 'It helps.' })
  const shown = { id: proposal!.id, text: 'Try again.', reason: 'It helps.', user_name: 'Robo', to: [customer] }
  expect(await read()).toMatchObject({ proposals: [shown] })
  await api.decideProposal({ id: proposal!.id, decision: 'reject' })
  expect(await read()).not.toHaveProperty('proposals')
})

describe('an agent', () => {
  test('whose channel asks for approval proposes instead of sending, and reads the words of the reviewer', async () => {
    const { user, robo, api, conversation_id, customer } = await someone()
    const { message, proposal } = await robo.sendMessage({
      conversation_id,
      text: 'Try **again**.',
      reason: 'It usually helps.',
    })
    expect(message).toBe(null)
    expect(proposal).toMatchObject({
      state: 'waiting',
      to: [customer],
      text: 'Try **again**.',
      reason: 'It usually helps.',
      user_name: 'Robo',
      rule: expect.stringContaining('only propose'),
      changed: null,
      url: expect.stringContaining(conversation_id),
    })
    expect((await api.getConversation({ id: conversation_id })).conversation.has_proposal).toBe(true)
    expect(sentTo(customer)).toEqual([])
    const decided = await api.decideProposal({
      id: proposal!.id,
      decision: 'approve',
      text: 'Please try **again**.',
      note: 'Say please.',
    })
    expect(decided).toMatchObject({ state: 'edited', sent_text: 'Please try **again**.', decided_by: 'Ada Admin' })
    await soon(async () => expect(sentTo(customer)).toHaveLength(1))
    expect(sentTo(customer)[0]).toMatchObject({
      text: expect.stringContaining('Please try'),
      unsubscribe: expect.stringContaining('/public/opt-out/'),
    })
    expect(await robo.getProposal({ id: proposal!.id })).toMatchObject({
      state: 'edited',
      note: 'Say please.',
      message_id: expect.any(String),
    })
    await expect(api.decideProposal({ id: proposal!.id, decision: 'approve' })).toBeRefused(409)
    await soon(async () => {
      const { messages } = await api.getConversation({ id: conversation_id })
      expect(messages.at(-1)).toMatchObject({ via_agent: true, approved_by: user.user_id, state: 'sent' })
    })
  })

  test('whose channel lets it send does, unless the company says otherwise', async () => {
    const { robo, api, conversation_id, customer } = await someone({ agents: 'send' })
    const first = await robo.sendMessage({ conversation_id, text: 'Hello' })
    expect(first).toMatchObject({ proposal: null, message: { state: 'waiting' } })
    await soon(async () => expect(sentTo(customer)).toHaveLength(1))
    await api.updateInboxSettings({ agents_may_send: false })
    expect((await robo.sendMessage({ conversation_id, text: 'Hello' })).proposal).toMatchObject({ state: 'waiting' })
    await expect(robo.updateInboxSettings({ agents_may_send: true })).toBeRefused(405)
  })

  test('begins a conversation that is closed until it is answered', async () => {
    const { robo, api, support } = await someone({ agents: 'send' })
    const to = anAddress()
    const { conversation_id, message } = await robo.sendMessage({ to: [to], subject: 'Offer', text: 'Hello' })
    const read = () => api.getConversation({ id: conversation_id })
    await soon(async () => expect((await read()).messages[0]).toMatchObject({ state: 'sent' }))
    expect((await read()).conversation).toMatchObject({ state: 'closed', assignee_id: null })
    await arrives(support, to, { references: [`<${message!.id}@test>`], subject: 'Re: Offer' })
    expect((await read()).conversation).toMatchObject({ state: 'open', message_count: 2 })
  })

  test('without the right to send can still draft, over MCP as well', async () => {
    const { user, agent, key, conversation_id, api } = await someone({ agents: 'send' })
    const role_id = randomUUID()
    await db
      .insertInto('roles')
      .values({ company_id: user.company_id, id: role_id, name: 'Reader', grants: [] })
      .execute()
    await db
      .updateTable('users')
      .set({ role_id })
      .where('company_id', '=', user.company_id)
      .where('id', '=', agent.user_id)
      .execute()
    const call = async (name: string, args: object) =>
      (await legacy(key, 'tools/call', { name, arguments: args })).rpc.result as {
        isError?: boolean
        structuredContent: { proposal?: { id: string; state: string }; state?: string; note?: string }
      }
    const refused = await legacy(key, 'tools/call', {
      name: 'send_message',
      arguments: { conversation_id, text: 'Hello' },
    })
    expect(JSON.stringify(refused.rpc)).toMatch(/error/i)
    const drafted = await call('draft_reply', { conversation_id, text: 'Hello', reason: 'To greet' })
    expect(drafted.structuredContent.proposal).toMatchObject({ state: 'waiting' })
    const id = drafted.structuredContent.proposal!.id
    await api.decideProposal({ id, decision: 'reject', note: 'Not now.' })
    expect((await call('get_proposal', { id })).structuredContent).toMatchObject({
      state: 'rejected',
      note: 'Not now.',
    })
  })

  test('proposes a template by name, which the person who approves it signs', async () => {
    const { key, api, conversation_id } = await someone()
    await api.createMessageTemplate({ name: 'Thanks', text: 'Thank you.\n\n{{ my_name }}', is_shared: true })
    const call = (args: object) =>
      legacy(key, 'tools/call', { name: 'draft_reply', arguments: { conversation_id, ...args } })
    expect((await call({ template: 'Nothing' })).text).toContain('Templates: Thanks')
    await call({ template: 'thanks' })
    const [proposal] = (await api.listProposals({ conversation_id })).items
    expect(proposal!.text).toBe('Thank you.\n\nAda Admin')
    await api.decideProposal({ id: proposal!.id, decision: 'approve' })
    const { messages } = await api.getConversation({ id: conversation_id })
    expect(messages.at(-1)!.text).toContain('Thank you.\n\nAda Admin')
    expect((await api.listProposals({ conversation_id })).items[0]!.state).toBe('approved')
  })

  test('cannot propose hidden copies, nor send again what a person sent, nor use arguments that no tool lists', async () => {
    const { key, robo, api, support, conversation_id } = await someone()
    const hidden = { conversation_id, text: 'Hello', bcc: [anAddress()] }
    for (const call of [robo.sendMessage, robo.draftReply])
      await expect(call(hidden)).rejects.toMatchObject({ problem: { status: 422, errors: [{ path: 'bcc' }] } })
    channel.behave(() => ({ state: 'failed', reason: 'No such mailbox' }))
    const { message } = await api.sendMessage({ conversation_id, text: 'Hello' })
    const failed = async () => (await api.getConversation({ id: conversation_id })).messages.at(-1)!
    await soon(async () => expect(await failed()).toMatchObject({ state: 'failed' }))
    channel.behave()
    await expect(robo.retryMessage({ id: message!.id })).toBeRefused(403)
    expect(await failed()).toMatchObject({ id: message!.id, state: 'failed' })
    const listed = (await legacy(key, 'tools/list')).rpc.result as {
      tools: { name: string; inputSchema: { properties: object } }[]
    }
    const draft = listed.tools.find(({ name }) => name === 'draft_reply')!
    expect(Object.keys(draft.inputSchema.properties)).toEqual(expect.arrayContaining(['cc', 'send_at']))
    for (const [name, value] of Object.entries({ bcc: [anAddress()], file_ids: [], channel_id: support.id })) {
      expect(draft.inputSchema.properties).not.toHaveProperty(name)
      const args = { conversation_id, text: 'Hello', [name]: value }
      const answer = await legacy(key, 'tools/call', { name: 'draft_reply', arguments: args })
      expect(answer.text).toContain(`There is no argument ${name}`)
    }
  })

  test('cannot decide about proposals, not even with the key of an Admin', async () => {
    const { user, robo, conversation_id } = await someone()
    const { proposal } = await robo.sendMessage({ conversation_id, text: 'Hello' })
    const admin = withKey(await given.key(user))
    await expect(admin.decideProposal({ id: proposal!.id, decision: 'approve' })).toBeRefused(404)
  })
})

describe('a proposal', () => {
  test('shows all that is sent with it: subject, recipients, files, what is forwarded, channel, time and template', async () => {
    const { user, robo, api, support, customer } = await someone()
    const files = [{ name: 'customers.csv', text: 'Ada;Grace' }]
    const { conversation_id } = await arrives(support, customer, { subject: 'Our contract', text: 'As agreed.', files })
    const [outsider, colleague] = [anAddress(), (await given.user(user)).email]
    const { id: template_id } = await api.createMessageTemplate({
      name: 'Introduction',
      text: 'Hello',
      is_shared: true,
    })
    const { proposal } = await robo.draftReply({
      conversation_id,
      mode: 'forward',
      to: [outsider, customer],
      cc: [colleague],
      template_id,
      send_at: '+2d',
    })
    const message = (await api.getConversation({ id: conversation_id })).messages[0]!
    const shown = await api.getProposal({ id: proposal!.id })
    expect(shown).toMatchObject({
      subject: 'Fwd: Our contract',
      text: 'Hello',
      to: [outsider, customer],
      cc: [colleague],
      bcc: [],
      outside: [outsider],
      files: [{ name: 'customers.csv', size: 9 }],
      mode: 'forward',
      quoted: { message_id: message.id, from: 'Cora Customer', text: 'As agreed.' },
      channel: { id: support.id, name: 'Support' },
      template: 'Introduction',
      provider_template: null,
      send_at: new Date(kith.time.now.getTime() + 2 * 86_400_000).toISOString(),
    })
    const file = await api.downloadProposalFile({ id: shown.id, file_id: shown.files[0]!.id })
    expect(await (file as unknown as Blob).text()).toBe('Ada;Grace')
    await expect(api.downloadProposalFile({ id: shown.id, file_id: randomUUID() })).toBeRefused(404)
    const stranger = withSession(await given.session(await given.company()))
    await expect(stranger.downloadProposalFile({ id: shown.id, file_id: shown.files[0]!.id })).toBeRefused(404)
  })

  test('that was overtaken says what happened, and is only sent anyway', async () => {
    const { robo, api, support, customer, conversation_id } = await someone()
    const { proposal } = await robo.sendMessage({ conversation_id, text: 'Hello' })
    await api.sendMessage({ conversation_id, text: 'I do it myself' })
    expect((await robo.getProposal({ id: proposal!.id })).changed).toContain('answered')
    await expect(api.decideProposal({ id: proposal!.id, decision: 'approve' })).toBeRefused(409)
    expect(await api.decideProposal({ id: proposal!.id, decision: 'approve', anyway: true })).toMatchObject({
      state: 'approved',
    })
    await soon(async () => expect(sentTo(customer)).toHaveLength(2))
    expect(support.id).toBeTruthy()
  })

  test('is decided once, even if two people decide at the same time', async () => {
    const { user, robo, api, customer, conversation_id } = await someone()
    const other = withSession(await given.session(await given.user(user, { role: 'Admin' })))
    const { proposal } = await robo.sendMessage({ conversation_id, text: 'Hello' })
    const answers = await Promise.allSettled(
      [api, other].map((one) => one.decideProposal({ id: proposal!.id, decision: 'approve' })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(answers.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { problem: { status: 409 } } })
    await soon(async () => expect(sentTo(customer)).toHaveLength(1))
  })

  test('expires after a week', async () => {
    const { user, robo, conversation_id } = await someone()
    const { proposal } = await robo.sendMessage({ conversation_id, text: 'Hello' })
    const before = kith.time.now
    kith.minutes(7 * 24 * 60 + 1)
    const api = withSession(await given.session(user))
    await expect(api.decideProposal({ id: proposal!.id, decision: 'approve' })).toBeRefused(409)
    await worker.run('expire_proposals', {})
    expect(await robo.getProposal({ id: proposal!.id })).toMatchObject({ state: 'expired' })
    expect((await api.getConversation({ id: conversation_id })).conversation.has_proposal).toBe(false)
    kith.time.now = before
  })

  test('that was rejected or has expired leaves no files, unless another message has them', async () => {
    const { user, robo, api, conversation_id } = await someone()
    const upload = (name: string) => robo.uploadFile({ purpose: 'message', name, file: new Blob([name]) })
    const [sent, rejected, expired] = [
      await upload('sent.txt'),
      await upload('rejected.txt'),
      await upload('expired.txt'),
    ]
    const propose = async (...ids: { id: string }[]) =>
      (await robo.sendMessage({ conversation_id, text: 'See', file_ids: ids.map(({ id }) => id) })).proposal!.id
    const decide = (id: string, decision: 'approve' | 'reject') => api.decideProposal({ id, decision, anyway: true })
    await decide(await propose(sent), 'approve')
    await decide(await propose(sent, rejected), 'reject')
    await propose(sent, expired)
    const files = async () =>
      (await db.selectFrom('files').select('name').where('company_id', '=', user.company_id).execute())
        .map(({ name }) => name)
        .toSorted()
    const before = kith.time.now
    const pass = async (days: number) => {
      kith.minutes(days * 24 * 60 + 1)
      await worker.run('expire_proposals', {})
      await worker.run('prune', {})
    }
    await pass(2)
    expect(await files()).toEqual(['expired.txt', 'sent.txt'])
    await pass(6)
    await pass(2)
    expect(await files()).toEqual(['sent.txt'])
    kith.time.now = before
  })

  test('reaches the open pages of everyone who may read it when it is made, decided or expires', async () => {
    const { user, robo, api, conversation_id } = await someone()
    const owner = await given.user(user, { role: 'Admin' })
    const { conversation_id: hidden } = await arrives(
      await givenChannel(kith, user, { owner_id: owner.user_id }),
      anAddress(),
    )
    const before = kith.time.now
    const hub = createLiveHub({
      connection: kith.connection,
      log: kith.log,
      findActor: (token: string) => peekActorByToken(kith.pool, token, before),
    })
    await hub.start()
    const listen = async (one: typeof user) => {
      const token = await given.session(one)
      const heard: string[] = []
      hub.add(token, (await peekActorByToken(kith.pool, token, kith.time.now))!, {
        send: (event, data) => heard.push(`${event} ${JSON.parse(data).proposal_id}`),
        end: () => {},
      })
      return heard
    }
    const [ofUser, ofOwner] = [await listen(user), await listen(owner)]
    const { proposal } = await robo.sendMessage({ conversation_id, text: 'Hello' })
    await soon(async () => expect(ofUser).toContain(`proposal.made ${proposal!.id}`))
    await api.decideProposal({ id: proposal!.id, decision: 'reject' })
    await soon(async () => expect(ofUser).toContain(`proposal.decided ${proposal!.id}`))
    const { proposal: own } = await withKey(await given.key(owner)).sendMessage({ conversation_id: hidden, text: 'Hi' })
    await soon(async () => expect(ofOwner).toContain(`proposal.made ${own!.id}`))
    kith.minutes(7 * 24 * 60 + 1)
    await worker.run('expire_proposals', {})
    kith.time.now = before
    await worker.wake()
    await soon(async () => expect(ofOwner).toContain(`proposal.expired ${own!.id}`))
    expect(ofUser.join()).not.toContain(own!.id)
    await hub.stop()
  })

  test('needs an approver who may send, and who may read the conversation', async () => {
    const { user, robo, agent, conversation_id } = await someone()
    const { proposal } = await robo.sendMessage({ conversation_id, text: 'Hello' })
    const reader = withSession(await given.session(await given.user(user, { grants: [] })))
    await expect(reader.decideProposal({ id: proposal!.id, decision: 'approve' })).toBeRefused(403)
    const owner = await given.user(user, { role: 'Admin' })
    const personal = await givenChannel(kith, user, { owner_id: owner.user_id })
    const { conversation_id: hidden } = await arrives(personal, anAddress())
    const ownKey = withKey(await given.key(owner))
    const { proposal: theirs } = await ownKey.sendMessage({ conversation_id: hidden, text: 'Hello' })
    const admin = withSession(await given.session(user))
    await expect(admin.decideProposal({ id: theirs!.id, decision: 'approve' })).toBeRefused(404)
    expect((await admin.listProposals({})).items.map(({ id }) => id)).toEqual([proposal!.id])
    expect(agent.user_id).toBeTruthy()
  })

  test('of an agent that was removed can only be rejected', async () => {
    const { user, robo, agent, api, conversation_id } = await someone()
    const { proposal } = await robo.sendMessage({ conversation_id, text: 'Hello' })
    await db
      .updateTable('users')
      .set({ deactivated_at: kith.time.now })
      .where('company_id', '=', user.company_id)
      .where('id', '=', agent.user_id)
      .execute()
    await expect(api.decideProposal({ id: proposal!.id, decision: 'approve' })).toBeRefused(409)
    expect(await api.decideProposal({ id: proposal!.id, decision: 'reject' })).toMatchObject({ state: 'rejected' })
  })

  test('for a new conversation leaves nothing behind when it is rejected', async () => {
    const { robo, api } = await someone()
    const { conversation_id, proposal } = await robo.sendMessage({ to: [anAddress()], subject: 'Offer', text: 'Hello' })
    expect((await api.getConversation({ id: conversation_id })).messages).toEqual([])
    await api.decideProposal({ id: proposal!.id, decision: 'reject', note: 'No' })
    await expect(api.getConversation({ id: conversation_id })).toBeRefused(404)
    expect(await robo.getProposal({ id: proposal!.id })).toMatchObject({ state: 'rejected', note: 'No' })
  })

  test('is told to the assignee, otherwise to the person who added the agent', async () => {
    const { user, robo, conversation_id, api } = await someone()
    const colleague = await given.user(user, { role: 'Admin' })
    const kinds = async (one: typeof user) =>
      (await withSession(await given.session(one)).listNotifications({})).items.filter(
        ({ kind }) => kind === 'proposal_made',
      )
    await robo.sendMessage({ conversation_id, text: 'Hello' })
    await soon(async () => expect(await kinds(user)).toHaveLength(1))
    await api.assignConversation({ id: conversation_id, user_id: colleague.user_id })
    await robo.sendMessage({ conversation_id, text: 'Hello again' })
    await soon(async () => expect(await kinds(colleague)).toHaveLength(1))
    expect((await kinds(colleague))[0]).toMatchObject({
      text: expect.stringContaining('Broken lamp'),
      link: expect.stringContaining(`/inbox/${conversation_id}?proposal=`),
    })
    expect(await kinds(user)).toHaveLength(1)
  })
})
