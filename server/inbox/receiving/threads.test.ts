// Which conversation a message belongs to, and what becomes of it. Each test is named by what it protects.
import { beforeEach, describe, expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import type { GivenUser } from '../../../test/given.ts'
import { inboxFor } from '../../../test/inbox.ts'
import type { ChannelRow } from '../channels/channel.ts'

const kith = await testApp()
const { given } = kith
const inbox = inboxFor(kith)
let admin: GivenUser
let api: ReturnType<typeof kith.withKey>
let team: ChannelRow

beforeEach(async () => {
  admin = await given.company()
  api = kith.withKey(await given.key(admin))
  team = await inbox.channel(admin, { address: 'support@acme.example' })
})

const all = async () => (await api.listConversations({ limit: 100 })).items
const read = (id: string) => api.getConversation({ id })
const minutes = (count: number) => new Date(kith.time.now.getTime() + count * 60_000)

describe('threads', () => {
  test('R1: an answer joins by the newest reference that is known, even if others are not', async () => {
    const first = await inbox.arrives(team)
    const second = await inbox.arrives(team, { subject: 'Another matter', text: 'Something else' })
    const answer = await inbox.arrives(team, {
      references: ['<unknown@outlook.example>', first.mail.key, second.mail.key],
      subject: 'AW: a subject that someone changed',
    })
    expect(answer.conversationId).toBe(first.conversationId)
    expect((await all()).map(({ message_count }) => message_count).sort()).toEqual([1, 2])
  })

  test('R1: a message that arrives after its answer joins it, and so does another answer to it', async () => {
    const answer = await inbox.arrives(team, { references: ['<late@customer.example>'], at: minutes(5) })
    const late = await inbox.arrives(team, { key: '<late@customer.example>', at: minutes(1) })
    const other = await inbox.arrives(team, { references: ['<late@customer.example>'], at: minutes(9) })
    expect([late.conversationId, other.conversationId]).toEqual([answer.conversationId, answer.conversationId])
  })

  test('R1: an answer and what it answers join in one batch, in any order', async () => {
    const first = inbox.mail(team, { at: minutes(1) })
    const answer = inbox.mail(team, { at: minutes(2), references: [first.key] })
    const [a, b] = await inbox.receiveAll(team, [answer, first])
    expect(a!.conversationId).toBe(b!.conversationId)
    expect((await read(a!.conversationId)).messages.map(({ provider_id }) => provider_id)).toEqual([
      first.key,
      answer.key,
    ])
  })

  test('R2: a message that names its conversation with a proof finds home without any reference', async () => {
    const first = await inbox.arrives(team)
    const answer = await inbox.arrives(team, { conversationId: first.conversationId, subject: 'New subject' })
    expect(answer.conversationId).toBe(first.conversationId)
  })

  test('R3: what a colleague answered somewhere else is part of the conversation', async () => {
    const first = await inbox.arrives(team)
    const { user_id, email } = await given.user(admin)
    await inbox.arrives(team, {
      direction: 'out',
      sender: email,
      references: [first.mail.key],
      at: minutes(5),
      recipients: [{ kind: 'to', address: 'ada@customer.example', name: null }],
    })
    const { conversation, messages } = await read(first.conversationId)
    expect(messages.map(({ direction, user_id }) => [direction, user_id])).toEqual([
      ['in', null],
      ['out', user_id],
    ])
    expect(conversation).toMatchObject({ last_direction: 'out', is_unread: false, message_count: 2 })
    expect(conversation.first_response_at).toBe(minutes(5).toISOString())
    expect(conversation.participants).toEqual([{ address: 'ada@customer.example', name: 'Ada Stone', person_id: null }])
  })

  test('R4: the same message in two mailboxes of the team is one message', async () => {
    const sales = await inbox.channel(admin, { address: 'sales@acme.example' })
    const mail = inbox.mail(team)
    const [here] = await inbox.receiveAll(team, [mail])
    const [there] = await inbox.receiveAll(sales, [mail])
    expect(there).toEqual({ ...here, isNew: false })
    expect(await all()).toHaveLength(1)
    expect((await read(here!.conversationId)).messages).toHaveLength(1)
  })

  test('R4: the same message in a personal mailbox is another one, so that nothing private leaks', async () => {
    const own = await inbox.channel(admin, { is_personal: true })
    const mail = inbox.mail(team)
    const [here] = await inbox.receiveAll(team, [mail])
    const [there] = await inbox.receiveAll(own, [mail])
    expect(there!.isNew).toBe(true)
    expect(there!.conversationId).not.toBe(here!.conversationId)
  })

  test('R4: two mailboxes that receive the same messages at once store each once', async () => {
    const sales = await inbox.channel(admin, { address: 'sales@acme.example' })
    const mails = Array.from({ length: 20 }, () => inbox.mail(team))
    await Promise.all([team, sales, team, sales].map((channel) => inbox.receiveAll(channel, mails)))
    expect(await all()).toHaveLength(20)
  })

  test('R6: a stranger who knows a reference does not get into a conversation', async () => {
    const first = await inbox.arrives(team)
    const stranger = await inbox.arrives(team, { sender: 'eve@stranger.example', references: [first.mail.key] })
    expect(stranger.conversationId).not.toBe(first.conversationId)
    expect((await read(stranger.conversationId)).maybe).toMatchObject({ id: first.conversationId })
    const proven = await inbox.arrives(team, { sender: 'eve@stranger.example', conversationId: first.conversationId })
    expect(proven.conversationId).not.toBe(first.conversationId)
  })

  test('R6: a colleague, and someone whom a participant added, do get in', async () => {
    const first = await inbox.arrives(team)
    const { email } = await given.user(admin)
    const inside = await inbox.arrives(team, { sender: email, references: [first.mail.key] })
    const added = await inbox.arrives(team, {
      sender: 'bob@customer.example',
      references: [first.mail.key],
      recipients: [
        { kind: 'to', address: team.address, name: null },
        { kind: 'cc', address: 'ada@customer.example', name: null },
      ],
    })
    expect([inside.conversationId, added.conversationId]).toEqual([first.conversationId, first.conversationId])
    const { conversation } = await read(first.conversationId)
    expect(conversation.participants.map(({ address }) => address)).toEqual([
      'ada@customer.example',
      'bob@customer.example',
    ])
  })

  test('R7: an equal subject of the same sender is only a suggestion, for seven days', async () => {
    const first = await inbox.arrives(team, { subject: 'Invoice 7' })
    const again = await inbox.arrives(team, { subject: 'Re: Invoice 7', at: minutes(60) })
    expect(again.conversationId).not.toBe(first.conversationId)
    expect((await read(again.conversationId)).maybe).toEqual({ id: first.conversationId, subject: 'Invoice 7' })
    const other = await inbox.arrives(team, { subject: 'Invoice 7', sender: 'bob@other.example', at: minutes(60) })
    expect((await read(other.conversationId)).maybe).toBeNull()
    kith.minutes(9 * 24 * 60)
    const late = await inbox.arrives(team, { subject: 'Invoice 7' })
    expect((await read(late.conversationId)).maybe).toBeNull()
  })

  test('R7: a channel can join equal subjects of the same sender, and only those', async () => {
    const joining = await inbox.channel(admin, { joins_subjects: true })
    const first = await inbox.arrives(joining, { subject: 'Alarm 9' })
    const again = await inbox.arrives(joining, { subject: 'Re: Alarm 9', at: minutes(60) })
    expect(again.conversationId).toBe(first.conversationId)
    for (const other of [{ sender: 'bob@other.example' }, { subject: 'Alarm 10' }, { subject: '' }]) {
      const { conversationId } = await inbox.arrives(joining, { subject: 'Alarm 9', at: minutes(60), ...other })
      expect(conversationId).not.toBe(first.conversationId)
    }
  })

  test('R8: later messages follow a merge, a split and their undoing', async () => {
    const [a, b] = [await inbox.arrives(team), await inbox.arrives(team)]
    const answer = (to: string) => inbox.arrives(team, { references: [to] })
    const merge = await api.mergeConversations({ id: b.conversationId, into_id: a.conversationId })
    expect(await all()).toHaveLength(1)
    expect((await answer(b.mail.key)).conversationId).toBe(a.conversationId)
    const named = await inbox.arrives(team, { conversationId: b.conversationId })
    expect(named.conversationId).toBe(a.conversationId)
    expect((await read(b.conversationId)).conversation.id).toBe(a.conversationId)
    await api.undoConversationMove({ id: merge.move_id })
    await api.undoConversationMove({ id: merge.move_id })
    expect((await answer(b.mail.key)).conversationId).toBe(b.conversationId)
    expect((await answer(a.mail.key)).conversationId).toBe(a.conversationId)

    const more = await answer(b.mail.key)
    const split = await api.splitConversation({ id: b.conversationId, message_ids: [more.messageId] })
    expect((await answer(more.mail.key)).conversationId).toBe(split.conversation_id)
    expect((await answer(b.mail.key)).conversationId).toBe(b.conversationId)
    await api.undoConversationMove({ id: split.move_id })
    expect((await answer(more.mail.key)).conversationId).toBe(b.conversationId)
    expect((await read(b.conversationId)).messages.filter(({ kind }) => kind === 'message')).toHaveLength(7)
  })

  test('a split leaves at least one message, and a merge needs the same readers', async () => {
    const first = await inbox.arrives(team)
    const own = await inbox.arrives(await inbox.channel(admin, { is_personal: true }))
    const refused = (call: Promise<unknown>) => expect(call).rejects.toMatchObject({ problem: { status: 409 } })
    await refused(api.splitConversation({ id: first.conversationId, message_ids: [first.messageId] }))
    await refused(api.mergeConversations({ id: own.conversationId, into_id: first.conversationId }))
  })
})

describe('a message that arrives', () => {
  test('from a clock that is ahead does not stay on top', async () => {
    const { conversationId } = await inbox.arrives(team, { at: minutes(400 * 24 * 60) })
    expect((await read(conversationId)).conversation.last_message_at).toBe(kith.time.now.toISOString())
  })

  test('opens a closed or snoozed conversation, unless a machine sent it; spam stays spam', async () => {
    const first = await inbox.arrives(team)
    const stateAfter = async (state: 'closed' | 'snoozed' | 'spam', isAutomatic = false) => {
      const until = state === 'snoozed' ? { snoozed_until: minutes(600).toISOString() } : {}
      await api.updateConversations({ ids: [first.conversationId], state, ...until })
      await inbox.arrives(team, { references: [first.mail.key], isAutomatic })
      return (await read(first.conversationId)).conversation.state
    }
    expect(await stateAfter('closed')).toBe('open')
    expect(await stateAfter('snoozed')).toBe('open')
    expect(await stateAfter('closed', true)).toBe('closed')
    expect(await stateAfter('spam')).toBe('spam')
  })

  test('is linked to the person with its address, their organization and open deals', async () => {
    const create = async (object: string, values: object) =>
      (await api.createRecords({ object, records: [values] } as never)).records[0]!.id
    const organization = await create('organizations', { name: 'Customer' })
    const person = await create('people', { last_name: 'Stone', emails: ['Ada@Customer.example'], organization })
    const deal = await create('deals', { name: 'Big order', people: [person] })
    const { conversationId } = await inbox.arrives(team)
    const { conversation, links } = await read(conversationId)
    expect(conversation.participants[0]!.person_id).toBe(person)
    const link = (object: string, id: string, title: string, via: string | null) => ({ object, id, title, via })
    expect(links.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual([
      link('organizations', organization, 'Customer', person),
      link('people', person, 'Stone', null),
      link('deals', deal, 'Big order', person),
    ])
    expect((await api.listConversations({ record_id: person })).items).toHaveLength(1)
    const record = await api.getRecord({ object: 'people', id: person })
    expect(record.last_activity_at).toBe(kith.time.now.toISOString())
  })

  test('that says that ours did not arrive marks it as failed, with the reason', async () => {
    const sent = await inbox.arrives(team, {
      direction: 'out',
      sender: team.address,
      recipients: [{ kind: 'to', address: 'gone@customer.example', name: null }],
    })
    const reason = 'The address gone@customer.example does not exist.'
    const bounce = await inbox.arrives(team, {
      sender: 'mailer-daemon@mx.example',
      isAutomatic: true,
      references: [sent.mail.key],
      bounce: { key: sent.mail.key, recipient: 'gone@customer.example', isFinal: true, reason },
    })
    expect(bounce.conversationId).toBe(sent.conversationId)
    const { messages, conversation } = await read(sent.conversationId)
    expect(messages[0]).toMatchObject({ state: 'failed', state_reason: reason })
    expect(conversation.participants.map(({ address }) => address)).toEqual(['gone@customer.example'])
  })

  test('keeps its files under safe names, and without them if they are too large', async () => {
    const file = { name: '../../price list.txt', type: 'text/html', contentId: null, isInline: false }
    const { messageId, conversationId } = await inbox.arrives(team, {
      files: [{ ...file, content: Buffer.from('<script>1</script>') }],
    })
    const { messages, conversation } = await read(conversationId)
    expect(conversation.has_files).toBe(true)
    expect(messages[0]!.files).toMatchObject([{ name: 'price list.txt', type: 'text/plain', size: 18 }])
    const response = await kith.send(`/api/v1/messages/${messageId}/files/${messages[0]!.files[0]!.id}`, {
      headers: { 'x-api-key': await given.key(admin) },
    })
    expect(await response.text()).toBe('<script>1</script>')
    expect(response.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
    const large = await inbox.arrives(team, { files: [{ ...file, content: new Uint8Array(51 * 1024 * 1024) }] })
    expect((await read(large.conversationId)).messages[0]).toMatchObject({
      files: [],
      text: 'Do you deliver to Paris?',
    })
  })

  test('with letters that PostgreSQL cannot store arrives, too', async () => {
    const { conversationId } = await inbox.arrives(team, { subject: 'a\0b\ud800', text: 'x\0y', html: '<p>\0</p>' })
    expect((await read(conversationId)).messages[0]!.text).toBe('xy')
  })
})
