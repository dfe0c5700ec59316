// Targets for the first response and for closing, and the report about them. The test company is in UTC, and the clock
// shows noon of Monday, 15 June 2026.
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { weekdays } from '../../../contract/working-hours.ts'
import { testApp } from '../../../test/app.ts'
import { testChannelKind } from '../../../test/channel.ts'
import type { GivenUser } from '../../../test/given.ts'
import { inboxFor } from '../../../test/inbox.ts'
import { soon, testWorker } from '../../../test/worker.ts'
import type { ChannelRow } from '../channels/channel.ts'

const sender = testChannelKind()
const kith = await testApp({ channelKinds: { email: sender.kind } })
const worker = await testWorker(kith)
const { given, db, time } = kith
const inbox = inboxFor(kith)
let admin: GivenUser
let api: ReturnType<typeof kith.withSession>
let team: ChannelRow

const noon = new Date('2026-06-15T12:00:00Z')
const office = Object.fromEntries(
  weekdays.map((day, i) => [day, i < 5 ? [{ from: '09:00', to: '17:00' }] : []]),
) as never
const targets = { response_minutes: 60, resolution_minutes: 8 * 60 }

beforeEach(async () => {
  time.now = noon
  admin = await given.company()
  await sql`update companies set time_zone = 'UTC' where id = ${admin.company_id}`.execute(db)
  api = kith.withSession(await given.session(admin))
  team = await inbox.channel(admin, { name: 'Support' })
  await api.updateWorkingHours({ hours: { days: office }, targets })
})

const conversation = async (id: string) => (await api.getConversation({ id })).conversation
const due = async (id: string) => {
  const { response_due_at, resolution_due_at, is_overdue } = await conversation(id)
  return [response_due_at?.slice(5, 16) ?? null, resolution_due_at?.slice(5, 16) ?? null, is_overdue]
}
const answer = async (conversation_id: string, by = api) => {
  const { message } = await by.sendMessage({ conversation_id, text: 'Yes.' })
  await soon(async () => {
    worker.wake()
    const { messages } = await api.getConversation({ id: conversation_id })
    expect(messages.find(({ id }) => id === message!.id)!.state).toBe('sent')
  })
}
const sweep = () => worker.run('report_overdue_conversations', {})

describe('a conversation that someone begins', () => {
  test('is due in working time, and the answer and the closing end that', async () => {
    const { conversationId: id } = await inbox.arrives(team)
    expect(await due(id)).toEqual(['06-15T13:00', '06-16T12:00', false])
    await answer(id)
    expect(await due(id)).toEqual([null, '06-16T12:00', false])
    await api.updateConversations({ ids: [id], state: 'closed' })
    expect(await due(id)).toEqual([null, null, false])
    const late = await inbox.arrives(team, { at: new Date('2026-06-15T16:30:00Z') })
    time.now = new Date('2026-06-15T16:30:00Z')
    const evening = await inbox.arrives(team)
    expect((await due(evening.conversationId))[0]).toBe('06-16T09:30')
    expect(late.isNew).toBe(true)
  })

  test('is paused by a snooze as far as closing it goes, not for the first response', async () => {
    const { conversationId: id } = await inbox.arrives(team)
    await api.updateConversations({ ids: [id], state: 'snoozed', snoozed_until: '2026-06-15T14:00:00Z' })
    expect(await due(id)).toEqual(['06-15T13:00', null, false])
    time.now = new Date('2026-06-15T14:00:00Z')
    await soon(async () => {
      // One that something else is about to change is left for the next time.
      await worker.run('wake_snoozed_conversations', {})
      expect(await due(id)).toEqual(['06-15T13:00', '06-16T14:00', true])
    })
  })

  test('has a response target once for each opening: later messages do not renew it, a new opening does', async () => {
    const first = await inbox.arrives(team)
    const id = first.conversationId
    await answer(id)
    kith.minutes(10)
    await inbox.arrives(team, { references: [first.mail.key] })
    expect((await due(id))[0]).toBe(null)
    await api.updateConversations({ ids: [id], state: 'closed' })
    // Opened again by one of us: it goes on.
    await api.updateConversations({ ids: [id], state: 'open' })
    expect(await due(id)).toEqual([null, '06-16T12:00', false])
    await api.updateConversations({ ids: [id], state: 'closed' })
    kith.minutes(10)
    await inbox.arrives(team, { references: [first.mail.key] })
    expect(await due(id)).toEqual(['06-15T13:20', '06-16T12:20', false])
  })

  test('has no target if a machine began it, it is private, one of us began it, or it is history', async () => {
    const mine = await inbox.channel(admin, { is_personal: true })
    const all = [
      await inbox.arrives(team, { isAutomatic: true }),
      await inbox.arrives(mine),
      await inbox.arrives(team, { direction: 'out', sender: team.address }),
      await inbox.arrives(team, {}, { isHistory: true }),
    ]
    for (const { conversationId } of all) expect(await due(conversationId)).toEqual([null, null, false])
  })

  test('has the targets of its channel, and new ones when they change', async () => {
    const sales = await inbox.channel(admin, { name: 'Sales' })
    const none = await inbox.channel(admin, { name: 'None' })
    const own = { response_minutes: 15, resolution_minutes: null }
    await api.updateChannelHours({ id: sales.id, targets: own })
    await api.updateChannelHours({ id: none.id, targets: { response_minutes: null, resolution_minutes: null } })
    const { conversationId: id } = await inbox.arrives(sales)
    expect(await due(id)).toEqual(['06-15T12:15', null, false])
    expect(await due((await inbox.arrives(none)).conversationId)).toEqual([null, null, false])
    await api.updateChannelHours({ id: sales.id, targets: null })
    await soon(async () => expect(await due(id)).toEqual(['06-15T13:00', '06-16T12:00', false]))
    expect((await api.getWorkingHours({})).channels.find(({ name }) => name === 'Sales')).toMatchObject({
      hours: null,
      targets: null,
      is_open: true,
    })
  })
})

test('a missed target is reported once: to who has it, or to those who manage channels, and to webhooks', async () => {
  const grace = await given.user(admin, { name: 'Grace' })
  const graces = kith.withSession(await given.session(grace))
  const { conversationId: hers } = await inbox.arrives(team, { subject: 'Hers' })
  await api.assignConversation({ id: hers, user_id: grace.user_id })
  const { conversationId: nobodys } = await inbox.arrives(team, { subject: 'Nobody’s' })
  const { conversationId: answered } = await inbox.arrives(team, { subject: 'Answered' })
  await answer(answered)
  kith.minutes(61)
  await Promise.all([sweep(), sweep()])
  await sweep()
  const overdue = async (who: typeof api) =>
    (await who.listNotifications({})).items
      .filter(({ kind }) => kind === 'conversation_overdue')
      .map(({ text }) => text)
  await soon(async () => {
    worker.wake()
    expect(await overdue(graces)).toEqual(['No one has answered “Hers” in time'])
    expect(await overdue(api)).toEqual(['No one has answered “Nobody’s” in time'])
    const { items } = await api.listEvents({ type: 'conversation.overdue' } as never)
    expect(items.map(({ record_id }) => record_id).toSorted()).toEqual([hers, nobodys].toSorted())
  })
  const lines = (await api.getConversation({ id: hers })).messages.filter(({ kind }) => kind === 'event')
  expect(lines.map(({ text }) => text)).toContain('First response target missed')
  const list = async (filter: string) =>
    (await api.listConversations({ filter })).items.map(({ subject }) => subject).toSorted()
  expect(await list('is_overdue = true')).toEqual(['Hers', 'Nobody’s'])
  expect(await list('response_due_at < now')).toEqual(['Hers', 'Nobody’s'])
  expect(await list('is_overdue = false')).toEqual(['Answered'])
  time.now = new Date('2026-06-16T12:01:00Z')
  await sweep()
  await soon(async () => {
    worker.wake()
    expect(await overdue(graces)).toHaveLength(2)
  })
})

test('the list can be sorted by what is due next, page after page', async () => {
  await inbox.arrives(team, { subject: 'First' })
  kith.minutes(5)
  await inbox.arrives(team, { subject: 'Second' })
  kith.minutes(5)
  await inbox.arrives(team, { subject: 'Machine', isAutomatic: true })
  await inbox.arrives(team, { subject: 'Another machine', isAutomatic: true })
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const page = await api.listConversations({ sort: 'due', limit: 1, ...(cursor && { cursor }) })
    seen.push(...page.items.map(({ subject }) => subject))
    cursor = page.next_cursor ?? undefined
  } while (cursor)
  expect(seen).toEqual(['First', 'Second', 'Machine', 'Another machine'])
  await expect(api.listConversations({ sort: 'due', q: 'paris' })).rejects.toMatchObject({ problem: { status: 422 } })
})

test('the report has medians in working time, targets met and missed, by day, member and channel', async () => {
  const sales = await inbox.channel(admin, { name: 'Sales' })
  const waits = async (minutes: number, channel = team) => {
    time.now = noon
    const { conversationId } = await inbox.arrives(channel)
    await api.assignConversation({ id: conversationId, user_id: admin.user_id })
    kith.minutes(minutes)
    await answer(conversationId)
    kith.minutes(10)
    await api.updateConversations({ ids: [conversationId], state: 'closed' })
  }
  for (const minutes of [10, 20, 30]) await waits(minutes)
  // Until the next morning: three hours until closing time and half an hour after opening.
  await waits(5 * 60 + 16 * 60 + 30, sales)
  time.now = noon
  const spam = await inbox.arrives(team)
  await api.updateConversations({ ids: [spam.conversationId], state: 'spam' })
  const open = await inbox.arrives(team)
  time.now = new Date('2026-06-17T12:00:00Z')
  const report = await api.getInboxReport({ from: '2026-06-14', to: '2026-06-16' })
  expect(report.total).toMatchObject({
    received: 5,
    answered: 4,
    closed: 4,
    in_time: 3,
    with_target: 5,
    response_median: 25,
    resolution_median: 35,
    response_missed: 2,
    resolution_missed: 1,
  })
  expect(report.days.map(({ day, received }) => [day, received])).toEqual([
    ['2026-06-14', 0],
    ['2026-06-15', 5],
    ['2026-06-16', 0],
  ])
  expect(report.members.map(({ name, received }) => [name, received])).toEqual([
    ['Ada Admin', 4],
    ['Unassigned', 1],
  ])
  expect(report.channels.find(({ name }) => name === 'Sales')).toMatchObject({ received: 1, response_median: 330 })
  expect(await api.getInboxReport({ from: '2026-06-15', to: '2026-06-15', channel_id: sales.id })).toMatchObject({
    total: { received: 1 },
  })
  expect((await api.getInboxReport({ from: '2026-06-15', to: '2026-06-15', user_id: 'none' })).total.received).toBe(1)
  expect((await api.getInboxReport({ from: '-3d', to: 'yesterday' })).days).toEqual(report.days)
  await expect(api.getInboxReport({ from: '2026-06-15', to: '2026-06-14' })).rejects.toMatchObject({
    problem: { status: 422 },
  })
  expect(open.isNew).toBe(true)
})

test('in the report, the first response counts for who gave it and closing for who closed, and both else for the assignee', async () => {
  const [grace, alan] = [await given.user(admin, { name: 'Grace' }), await given.user(admin, { name: 'Alan' })]
  const hers = kith.withSession(await given.session(grace))
  const his = kith.withSession(await given.session(alan))
  const { conversationId: id } = await inbox.arrives(team)
  await api.assignConversation({ id, user_id: admin.user_id })
  kith.minutes(10)
  await answer(id, hers)
  await answer(id)
  kith.minutes(10)
  await his.updateConversations({ ids: [id], state: 'closed' })
  // Answered from another mail program.
  const other = await inbox.arrives(team)
  await api.assignConversation({ id: other.conversationId, user_id: alan.user_id })
  const reply = { direction: 'out' as const, sender: team.address, references: [other.mail.key] }
  await inbox.arrives(team, { ...reply, recipients: [{ kind: 'to', ...other.mail.from!, name: null }] })
  const ask = { from: '2026-06-15', to: '2026-06-15' }
  const { total, members } = await api.getInboxReport(ask)
  expect(total).toMatchObject({ received: 2, answered: 2, closed: 1 })
  const rows = members.map(({ name, received, answered, in_time, closed }) => [
    name,
    received,
    answered,
    in_time,
    closed,
  ])
  expect(rows).toEqual([
    ['Alan', 1, 1, 1, 1],
    ['Ada Admin', 1, 0, 0, 0],
    ['Grace', 0, 1, 1, 0],
  ])
  expect(members.map(({ response_median }) => response_median)).toEqual([0, null, 10])
  expect(members.map(({ resolution_median }) => resolution_median)).toEqual([20, null, null])
  const alone = await api.getInboxReport({ ...ask, user_id: grace.user_id })
  expect(alone.members).toHaveLength(1)
  expect(alone.total).toEqual((({ user_id: _, name: __, ...figures }) => figures)(alone.members[0]!))
})

test('merging leaves one opening, and undoing it brings the other back', async () => {
  const [a, b] = [await inbox.arrives(team), await inbox.arrives(team)]
  const { move_id } = await api.mergeConversations({ id: a.conversationId, into_id: b.conversationId })
  const received = async () => (await api.getInboxReport({ from: '2026-06-15', to: '2026-06-15' })).total.received
  expect(await received()).toBe(1)
  await api.undoConversationMove({ id: move_id })
  expect(await received()).toBe(2)
  expect((await due(a.conversationId))[0]).toBe('06-15T13:00')
})

test('hours must open at least once a week, and times be in order', async () => {
  const bad = [
    Object.fromEntries(weekdays.map((day) => [day, []])),
    { ...(office as object), monday: [{ from: '12:00', to: '09:00' }] },
    {
      ...(office as object),
      monday: [
        { from: '09:00', to: '12:00' },
        { from: '11:00', to: '13:00' },
      ],
    },
  ]
  for (const days of bad)
    await expect(api.updateWorkingHours({ hours: { days: days as never } })).rejects.toMatchObject({
      problem: { status: 422 },
    })
  const member = kith.withSession(await given.session(await given.user(admin)))
  expect((await member.getWorkingHours({})).targets).toEqual(targets)
  await expect(member.updateWorkingHours({ hours: null })).rejects.toMatchObject({ problem: { status: 403 } })
})
