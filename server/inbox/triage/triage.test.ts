// What people and agents do with conversations: lists, filters, search, counts and changes.
import { beforeEach, describe, expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import type { GivenUser } from '../../../test/given.ts'
import { inboxFor } from '../../../test/inbox.ts'
import { soon, testWorker } from '../../../test/worker.ts'
import type { ChannelRow } from '../channels/channel.ts'

const kith = await testApp({ own: true })
const worker = await testWorker(kith)
const { given } = kith
const inbox = inboxFor(kith)
let admin: GivenUser
let api: ReturnType<typeof kith.withKey>
let team: ChannelRow

beforeEach(async () => {
  admin = await given.company()
  api = kith.withKey(await given.key(admin))
  team = await inbox.channel(admin, { name: 'Support', address: 'support@acme.example' })
})

const status = (call: Promise<unknown>) =>
  call.then(
    () => 'ok',
    (error) => error.problem.status,
  )
const later = (minutes: number) => new Date(kith.time.now.getTime() + minutes * 60_000)
const subjects = async (query: Parameters<typeof api.listConversations>[0]) =>
  (await api.listConversations({ limit: 100, ...query })).items.map(({ subject }) => subject)

describe('a list of conversations', () => {
  test('has the newest message first, page after page, across states and channels', async () => {
    const own = await inbox.channel(admin, { is_personal: true })
    for (let i = 0; i < 9; i++) {
      const { conversationId } = await inbox.arrives(i % 2 ? own : team, { subject: `No ${i}`, at: later(i) })
      if (i % 3 === 0) await api.updateConversations({ ids: [conversationId], state: 'closed' })
    }
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = await api.listConversations({ limit: 2, ...(cursor && { cursor }) })
      seen.push(...page.items.map(({ subject }) => subject))
      cursor = page.next_cursor ?? undefined
    } while (cursor)
    expect(seen).toEqual([8, 7, 6, 5, 4, 3, 2, 1, 0].map((i) => `No ${i}`))
    expect(await status(api.listConversations({ cursor: 'nonsense' }))).toBe(422)
  })

  test('is filtered in the filter language, with the same words about mistakes', async () => {
    const bug = await api.createConversationLabel({ name: 'Bug', color: 'red' })
    const a = await inbox.arrives(team, { subject: 'Réclamation', at: later(1) })
    const b = await inbox.arrives(team, { subject: 'Order', sender: 'bob@other.example', at: later(2) })
    await inbox.arrives(team, { subject: 'Late', at: later(3) })
    await api.updateConversations({ ids: [a.conversationId], add_label_ids: [bug.id], assignee_id: admin.user_id })
    await api.updateConversations({ ids: [b.conversationId], state: 'closed' })
    const cases: [string, string[]][] = [
      ['state = open', ['Late', 'Réclamation']],
      ['state = closed', ['Order']],
      ['state in (open, closed) and assignee is empty', ['Late', 'Order']],
      ['assignee = me', ['Réclamation']],
      ['labels has any (Bug)', ['Réclamation']],
      ['labels is empty', ['Late', 'Order']],
      ['subject ~ reclam', ['Réclamation']],
      ['participant = "bob@other.example"', ['Order']],
      ['participant ~ stone', ['Late', 'Réclamation']],
      ['channel = Support', ['Late', 'Order', 'Réclamation']],
      ['is_unread = false', []],
      ['has_files = true', []],
      ['has_draft = true', []],
      ['is_scheduled = true', []],
      ['message_count > 1', []],
      ['last_direction = in and last_message_at > -1d', ['Late', 'Order', 'Réclamation']],
      ['snoozed_until is not empty', []],
      ['search("paris")', ['Late', 'Order', 'Réclamation']],
      ['not (state = open)', ['Order']],
      ['person is empty', ['Late', 'Order', 'Réclamation']],
    ]
    for (const [filter, expected] of cases) expect(await subjects({ filter }), filter).toEqual(expected)
    await expect(api.listConversations({ filter: 'stat = open' })).rejects.toMatchObject({
      problem: { status: 422, detail: expect.stringContaining('state') },
    })
    await expect(api.listConversations({ filter: 'state > open' })).rejects.toMatchObject({ problem: { status: 422 } })
    const { items } = await api.listConversationFields({})
    expect(items.find(({ key }) => key === 'labels')!.options).toEqual([{ key: bug.id, label: 'Bug' }])
  })

  test('is filtered by the records that it is about, by name or ID', async () => {
    const create = async (object: string, values: object) =>
      (await api.createRecords({ object, records: [values] } as never)).records[0]!.id
    const organization = await create('organizations', { name: 'Globex' })
    const values = { first_name: 'Ada', last_name: 'Stone', emails: ['ada@customer.example'], organization }
    const person = await create('people', values)
    await inbox.arrives(team, { subject: 'From Ada', at: later(1) })
    await inbox.arrives(team, { subject: 'From Bob', sender: 'bob@other.example', at: later(2) })
    const cases: [string, string[]][] = [
      ['person = "Ada Stone"', ['From Ada']],
      [`person = "${person}"`, ['From Ada']],
      ['person != "Ada Stone"', ['From Bob']],
      ['organization = Globex', ['From Ada']],
      [`organization in ("${organization}")`, ['From Ada']],
      ['organization is not empty and assignee is empty', ['From Ada']],
      ['deal is empty', ['From Bob', 'From Ada']],
    ]
    for (const [filter, expected] of cases) expect(await subjects({ filter }), filter).toEqual(expected)
  })

  test('is searched by words in messages, names and addresses, the last one also as a beginning', async () => {
    await inbox.arrives(team, { subject: 'Größe', text: 'We need 40 Schrauben.', at: later(1) })
    const b = await inbox.arrives(team, { subject: 'Other', sender: 'bob@other.example', at: later(2) })
    await inbox.arrives(team, {
      references: [b.mail.key],
      sender: 'bob@other.example',
      text: 'Screws, 40 pieces',
      at: later(3),
    })
    expect(await subjects({ q: 'schraub' })).toEqual(['Größe'])
    expect(await subjects({ q: 'grosse 40' })).toEqual(['Größe'])
    expect(await subjects({ q: 'GRÖSSE 40' })).toEqual(['Größe'])
    expect(await subjects({ q: '40' })).toEqual(['Other', 'Größe'])
    expect(await subjects({ q: 'bob@other.example' })).toEqual(['Other'])
    expect(await subjects({ q: 'ada stone' })).toEqual(['Größe'])
    expect(await subjects({ q: 'nothing' })).toEqual([])
    expect(await subjects({ q: '40', filter: 'subject = "Other"' })).toEqual(['Other'])
    const first = await api.listConversations({ q: '40', limit: 1 })
    const second = await api.listConversations({ q: '40', limit: 1, cursor: first.next_cursor! })
    expect([first, second].flatMap(({ items }) => items.map(({ subject }) => subject))).toEqual(['Other', 'Größe'])
  })

  test('is counted by view', async () => {
    const [a, , c] = [await inbox.arrives(team), await inbox.arrives(team), await inbox.arrives(team)]
    await api.assignConversation({ id: a.conversationId, user_id: admin.user_id })
    await api.updateConversations({ ids: [c.conversationId], state: 'closed' })
    await api.markConversationsRead({ ids: [a.conversationId] })
    const counts = { mine: 1, unassigned: 1, all: 2, unread: 1, channels: [{ id: team.id, count: 2 }] }
    expect(await api.countConversations({})).toEqual(counts)
  })
})

describe('the open list', () => {
  const days = (count: number) => new Date(kith.time.now.getTime() - count * 86_400_000)
  const open = async () =>
    (await api.listConversations({ filter: 'state = open', limit: 100 })).items.map(({ subject }) => subject).toSorted()

  test('is not flooded by an old mailbox: of what it had, only what is new and unread is open', async () => {
    const old = { isHistory: true }
    await inbox.arrives(team, { subject: 'Read yesterday', isRead: true, at: days(1) }, old)
    await inbox.arrives(team, { subject: 'Unread for long', at: days(30) }, old)
    await inbox.arrives(team, { subject: 'Unread yesterday', at: days(1) }, old)
    const answered = inbox.mail(team, { subject: 'Answered', at: days(3) })
    const recipients = [{ kind: 'to' as const, address: 'ada@customer.example', name: null }]
    const answer = {
      direction: 'out' as const,
      sender: team.address,
      at: days(2),
      references: [answered.key],
      recipients,
    }
    // The newest is read first.
    await inbox.receiveAll(team, [inbox.mail(team, { ...answer, subject: 'Re: Answered' })], old)
    await inbox.receiveAll(team, [answered], old)
    expect(await open()).toEqual(['Unread yesterday'])
    expect((await api.countConversations({})).all).toBe(1)
    await inbox.arrives(team, { subject: 'News', isRead: true })
    expect(await open()).toEqual(['News', 'Unread yesterday'])
  })

  test('has what someone begins as theirs, and what was begun elsewhere when it is answered', async () => {
    const begun = await inbox.arrives(team, { subject: 'Outreach', direction: 'out', sender: team.address })
    expect(await open()).toEqual([])
    await inbox.arrives(team, { subject: 'Re: Outreach', references: [begun.mail.key] })
    expect(await open()).toEqual(['Outreach'])
    const ada = kith.withSession(await kith.given.session(admin))
    const offer = { to: ['bob@other.example'], subject: 'Offer', text: 'Hello', undo_seconds: 60 }
    const { conversation_id } = await ada.sendMessage(offer)
    expect((await api.getConversation({ id: conversation_id })).conversation.assignee_id).toBe(admin.user_id)
    expect(await api.countConversations({})).toMatchObject({ mine: 1, unassigned: 1 })
  })
})

describe('a conversation', () => {
  test('is assigned, closed, labeled and renamed, several at once, and its thread says so', async () => {
    const eve = await given.user(admin, { name: 'Eve' })
    const ids = [await inbox.arrives(team), await inbox.arrives(team)].map(({ conversationId }) => conversationId)
    const label = await api.createConversationLabel({ name: 'VIP' })
    const { items } = await api.updateConversations({
      ids,
      state: 'closed',
      assignee_id: eve.user_id,
      add_label_ids: [label.id],
      subject: 'Done',
    })
    expect(items).toMatchObject(
      ids.map((id) => ({ id, state: 'closed', assignee_id: eve.user_id, label_ids: [label.id], subject: 'Done' })),
    )
    const { messages } = await api.getConversation({ id: ids[0]! })
    expect(
      messages
        .filter(({ kind }) => kind === 'event')
        .map(({ text }) => text)
        .sort(),
    ).toEqual(['Added the label VIP', 'Assigned this to Eve', 'Closed this'])
    await api.updateConversations({ ids, remove_label_ids: [label.id] })
    await api.updateConversations({ ids, add_label_ids: [label.id] })
    await api.deleteConversationLabel({ id: label.id })
    expect((await api.getConversation({ id: ids[0]! })).conversation.label_ids).toEqual([])
    expect(await status(api.updateConversations({ ids, state: 'snoozed' }))).toBe(422)
    expect(await status(api.updateConversations({ ids, add_label_ids: [label.id] }))).toBe(422)
    expect(await status(api.updateConversations({ ids, assignee_id: team.id }))).toBe(422)
    expect(await status(api.updateConversations({ ids: [team.id], state: 'open' }))).toBe(404)
    expect(
      await status(api.createConversationLabel({ name: 'a' }).then(() => api.createConversationLabel({ name: 'A' }))),
    ).toBe(409)
  })

  test('of a colleague is not taken by a role that cannot answer customers', async () => {
    const narrow = await given.user(admin, { grants: [] })
    const theirs = kith.withKey(await given.key(narrow))
    const { conversationId: id } = await inbox.arrives(team)
    const assign = (one: typeof api, user_id: string | null) => one.assignConversation({ id, user_id })
    expect(await status(assign(theirs, narrow.user_id))).toBe('ok')
    expect(await status(assign(theirs, null))).toBe('ok')
    await assign(api, admin.user_id)
    expect(await status(assign(theirs, narrow.user_id))).toBe(403)
    expect(await status(theirs.updateConversations({ ids: [id], assignee_id: null }))).toBe(403)
    expect((await api.getConversation({ id })).conversation.assignee_id).toBe(admin.user_id)
  })

  test('is snoozed until a time as filters accept it', async () => {
    const { conversationId: id } = await inbox.arrives(team)
    const [shown] = (await api.updateConversations({ ids: [id], state: 'snoozed', snoozed_until: '+3h' })).items
    expect(shown!.snoozed_until).toBe(later(180).toISOString())
    await expect(api.updateConversations({ ids: [id], state: 'snoozed', snoozed_until: 'tomorrow' })).toBeRefused(422)
  })

  test('that is snoozed opens again when its time has come', async () => {
    const { conversationId: id } = await inbox.arrives(team)
    await api.updateConversations({ ids: [id], state: 'snoozed', snoozed_until: later(60).toISOString() })
    await worker.run('wake_snoozed_conversations', {})
    expect((await api.getConversation({ id })).conversation.state).toBe('snoozed')
    kith.minutes(61)
    // Another job may be busy with it: then it is woken the next time.
    await soon(async () => {
      await worker.run('wake_snoozed_conversations', {})
      expect((await api.getConversation({ id })).conversation).toMatchObject({ state: 'open', snoozed_until: null })
    })
  })

  test('is read or unread for each user', async () => {
    const other = kith.withKey(await given.key(await given.user(admin)))
    const first = await inbox.arrives(team)
    const ids = [first.conversationId]
    const unread = async () =>
      Promise.all([api, other].map(async (one) => (await one.getConversation({ id: ids[0]! })).conversation.is_unread))
    expect(await unread()).toEqual([true, true])
    await api.markConversationsRead({ ids })
    expect(await unread()).toEqual([false, true])
    await api.markConversationsRead({ ids, is_read: false })
    expect(await unread()).toEqual([true, true])
    await api.markConversationsRead({ ids })
    kith.minutes(1)
    // It was sent before it was read, but arrived afterwards.
    await inbox.arrives(team, { references: [first.mail.key], at: later(-30) })
    expect(await unread()).toEqual([true, true])
    const seen = await inbox.arrives(team, { isRead: true })
    expect((await api.getConversation({ id: seen.conversationId })).conversation.is_unread).toBe(false)
  })

  test('shows who else looks at it and types', async () => {
    const eve = await given.user(admin, { name: 'Eve' })
    const [ofEve, own] = [kith.withSession(await given.session(eve)), kith.withSession(await given.session(admin))]
    const { conversationId: id } = await inbox.arrives(team)
    expect(await ofEve.visitConversation({ id, is_typing: true })).toEqual({ visits: [] })
    const visit = { user_id: eve.user_id, name: 'Eve', is_typing: true }
    expect(await own.visitConversation({ id })).toEqual({ visits: [visit] })
    await ofEve.createConversationNote({ id, text: 'Mine' })
    expect((await own.getConversation({ id })).visits).toEqual([{ ...visit, is_typing: false }])
    await ofEve.visitConversation({ id, has_left: true })
    expect((await own.getConversation({ id })).visits).toEqual([])
  })

  test('is linked to records by hand, and shows only those that the reader may read', async () => {
    const { records } = await api.createRecords({ object: 'organizations', records: [{ name: 'Globex' }] } as never)
    const record = records[0]!.id
    const { conversationId: id } = await inbox.arrives(team)
    const link = { object: 'organizations', id: record, title: 'Globex', via: null }
    expect(await api.linkConversation({ id, add: [{ object: 'organizations', id: record }] })).toEqual({
      links: [link],
    })
    expect(await status(api.linkConversation({ id, add: [{ object: 'people', id: record }] }))).toBe(422)
    expect(await subjects({ record_id: record })).toHaveLength(1)
    const { items } = await api.getTimeline({ object: 'organizations', id: record, kinds: ['message'] })
    expect(items).toMatchObject([{ kind: 'message', direction: 'in', preview: 'Do you deliver to Paris?' }])
    expect(await api.linkConversation({ id, remove: [record] })).toEqual({ links: [] })
  })

  test('pages through a long thread from the newest message back', async () => {
    const first = await inbox.arrives(team, { text: 'No 0' })
    const more = Array.from({ length: 6 }, (_, i) =>
      inbox.mail(team, { text: `No ${i + 1}`, references: [first.mail.key], at: later(i + 1) }),
    )
    await inbox.receiveAll(team, more)
    const page = await api.getConversation({ id: first.conversationId, limit: 4 })
    const older = await api.getConversation({ id: first.conversationId, limit: 4, cursor: page.next_cursor! })
    expect([older, page].flatMap(({ messages }) => messages.map(({ text }) => text))).toEqual(
      [0, 1, 2, 3, 4, 5, 6].map((i) => `No ${i}`),
    )
    expect(older.next_cursor).toBeNull()
  })
})

describe('unknown senders', () => {
  test('become people or leads, once, if their channel says so, but machines do not', async () => {
    const people = await inbox.channel(admin, { unknown_senders: 'person' })
    const first = await inbox.arrives(people, { from: { address: 'zoe@new.example', name: 'Zoe Newman' } })
    const again = await inbox.arrives(people, { from: { address: 'zoe@new.example', name: 'Zoe Newman' } })
    await inbox.arrives(people, { sender: 'robot@new.example', isAutomatic: true })
    await worker.wake()
    await soon(async () => {
      for (const { conversationId: id } of [first, again])
        expect((await api.getConversation({ id })).links.map(({ title }) => title)).toEqual(['Zoe Newman'])
    })
    const { records } = await api.listRecords({ object: 'people' })
    expect(records.map(({ title }) => title)).toEqual(['Zoe Newman'])
    const leads = await inbox.channel(admin, { unknown_senders: 'lead' })
    await inbox.arrives(leads, { sender: 'yan@new.example' })
    await worker.wake()
    await soon(async () => expect((await api.listRecords({ object: 'leads' })).records).toHaveLength(1))
  })

  test('an answer to a lead is its first response', async () => {
    const { records } = await api.createRecords({
      object: 'leads',
      records: [{ last_name: 'Stone', email: 'ada@customer.example' }],
    } as never)
    const first = await inbox.arrives(team)
    await inbox.arrives(team, {
      direction: 'out',
      sender: team.address,
      references: [first.mail.key],
      at: later(7),
      recipients: [{ kind: 'to', address: 'ada@customer.example', name: null }],
    })
    kith.minutes(10)
    await worker.wake()
    await soon(async () => {
      const lead = await api.getRecord({ object: 'leads', id: records[0]!.id })
      expect(lead.first_response_at).toBe(later(-3).toISOString())
    })
  })
})

test('views of the inbox keep a filter, and say if it no longer works', async () => {
  const label = await api.createConversationLabel({ name: 'Bug' })
  const view = await api.createInboxView({ name: 'Bugs', filter: 'labels has any (Bug)', is_shared: true })
  expect(view).toMatchObject({ is_mine: true, filter_error: null })
  const other = kith.withKey(await given.key(await given.user(admin)))
  expect((await other.listInboxViews({})).items).toMatchObject([{ id: view.id, is_mine: false }])
  expect(await status(other.updateInboxView({ id: view.id, name: 'Mine now' }))).toBe(403)
  expect(await status(api.createInboxView({ name: 'Wrong', filter: 'nonsense = 1' }))).toBe(422)
  await api.deleteConversationLabel({ id: label.id })
  expect((await api.listInboxViews({})).items[0]!.filter_error).toContain('Bug')
  await api.updateInboxView({ id: view.id, filter: 'state = open', is_shared: false })
  expect((await other.listInboxViews({})).items).toEqual([])
  await api.deleteInboxView({ id: view.id })
  expect(await status(api.deleteInboxView({ id: view.id }))).toBe(404)
})
