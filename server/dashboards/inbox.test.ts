// The figures of the inbox on dashboards.
import { expect, test } from 'vitest'
import { testApp } from '../../test/app.ts'
import { inboxFor } from '../../test/inbox.ts'

const kith = await testApp()
const { given, withSession, withKey } = kith
const inbox = inboxFor(kith)
const at = (time: string) => new Date(`2026-06-${time}Z`)

test('open, received and sent messages and the median time to the first response, by channel and by assignee', async () => {
  kith.time.now = at('15T12:00:00')
  const admin = await given.company({ adminName: 'Ada Admin' })
  const api = withSession(await given.session(admin))
  const [sales, support] = [
    await inbox.channel(admin, { name: 'Sales' }),
    await inbox.channel(admin, { name: 'Support' }),
  ]
  const answer = (to: typeof sales, key: string, time: string) =>
    inbox.arrives(to, {
      direction: 'out',
      sender: to.address,
      references: [key],
      at: at(time),
      recipients: [{ kind: 'to', address: 'ada@customer.example', name: null }],
    })
  const first = await inbox.arrives(sales, { at: at('10T08:00:00') })
  await answer(sales, first.mail.key, '10T09:00:00')
  const second = await inbox.arrives(sales, { at: at('11T08:00:00') })
  await answer(sales, second.mail.key, '11T11:00:00')
  await api.updateConversations({ ids: [second.conversationId], state: 'closed' })
  const waiting = await inbox.arrives(support, { at: at('12T08:00:00') })
  await inbox.arrives(support, { references: [waiting.mail.key], at: at('12T09:00:00'), isAutomatic: true })
  await api.assignConversation({ id: waiting.conversationId, user_id: admin.user_id })
  const spam = await inbox.arrives(support, { at: at('13T08:00:00') })
  await api.updateConversations({ ids: [spam.conversationId], state: 'spam' })
  await inbox.arrives(support, { at: new Date('2026-03-01T08:00:00Z') })

  const widget = (by: 'channel' | 'assignee', range: string | null = null) =>
    api.previewWidget({ widget: { type: 'inbox', id: 'inbox', by, range } })
  const rows = ({ figures }: Awaited<ReturnType<typeof widget>>) =>
    Object.fromEntries(figures.map(({ labels, values }) => [labels[0], values]))
  const hour = 3_600_000
  const byChannel = await widget('channel')
  expect(rows(byChannel)).toEqual({
    Sales: { open: 1, count: 2, sent: 2, median_response_ms: 2 * hour },
    Support: { open: 2, count: 1, sent: 0, median_response_ms: null },
  })
  expect(byChannel.total!.values).toEqual({ open: 3, count: 3, sent: 2, median_response_ms: 2 * hour })
  expect(rows(await widget('assignee'))).toEqual({
    Unassigned: { open: 2, count: 2, sent: 2, median_response_ms: 2 * hour },
    'Ada Admin': { open: 1, count: 1, sent: 0, median_response_ms: null },
  })
  const { values } = (await widget('channel', 'this_year')).total!
  expect(values.count).toBe(4)
})

test('the default dashboard has it as soon as the team has a mailbox', async () => {
  const admin = await given.company()
  const api = withKey(await given.key(admin))
  const shown = async () => (await api.queryDashboard({ id: 'default' })).widgets
  const types = async () => (await shown()).map(({ type }) => type)
  expect(await types()).not.toContain('inbox')
  await inbox.channel(await given.user(admin), { is_personal: true })
  expect(await types()).not.toContain('inbox')
  await inbox.arrives(await inbox.channel(admin, { name: 'Sales' }))
  const widget = (await shown()).find(({ type }) => type === 'inbox')!
  expect(widget).toMatchObject({ error: null, figures: [{ labels: ['Sales'], values: { open: 1 } }] })
})
