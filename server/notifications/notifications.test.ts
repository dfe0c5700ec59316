import { randomUUIDv7 } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { notificationKinds } from '../../contract/notifications.ts'
import { type Api, testApp } from '../../test/app.ts'
import type { GivenUser } from '../../test/given.ts'
import { testSmtp } from '../../test/smtp.ts'
import { soon, testWorker } from '../../test/worker.ts'
import { createListener } from '../kernel/live-channel.ts'
import type { OutboxEvent } from '../kernel/outbox.ts'

const smtp = await testSmtp()
const kith = await testApp({ smtpUrl: smtp.url, baseUrl: 'http://crm.example.com' })
const worker = await testWorker(kith)

const password = 'a long enough passphrase'
const as = async (user: GivenUser) => kith.withSession(await kith.given.session(user))
const told = (api: Api, count = 1) =>
  soon(async () => {
    const list = await api.listNotifications({})
    expect(list.items).toHaveLength(count)
    return list
  })
const notify = (event: Partial<OutboxEvent>) => worker.run('notify', event)

test('other Admins are notified of an invitation, and the inviter when it is accepted', async () => {
  const ada = await kith.given.company()
  const bob = await kith.given.user(ada, { name: 'Bob', role: 'Admin' })
  const member = await kith.given.user(ada)
  const { link, user } = await (await as(ada)).inviteUser({ email: `${randomUUIDv7()}@example.com`, name: 'Grace' })
  const [seen] = (await told(await as(bob))).items
  expect(seen).toMatchObject({ kind: 'user_invited', text: 'Ada Admin invited Grace', actor_name: 'Ada Admin' })
  expect(seen!.link).toBe(`/company/members/${user.id}`)
  await kith.visitor.acceptInvitation({ token: link!.split('#token=')[1]!, name: 'Grace Hopper', password })
  const [joined] = (await told(await as(ada))).items
  expect(joined).toMatchObject({ kind: 'user_joined', text: 'Grace Hopper accepted your invitation', is_read: false })
  await told(await as(member), 0)
  expect(smtp.mailsTo(bob.email)).toEqual([])
})

test('every Admin is notified in the app when the mail server is set or removed', async () => {
  const ada = await kith.given.company()
  const bob = await kith.given.user(ada, { name: 'Bob', role: 'Admin' })
  const office = await kith.given.user(ada, { grants: ['company.manage'] })
  const api = await as(ada)
  const server = { host: 'smtp.example.com', port: 587, security: 'starttls' as const, username: null }
  await api.updateMailSettings({ ...server, from_name: 'Acme', from_email: 'crm@example.com' })
  await api.deleteMailSettings({})
  for (const admin of [ada, bob]) {
    const { items } = await told(await as(admin), 2)
    expect(items.map(({ text }) => text).sort()).toEqual([
      'Ada Admin removed the mail server',
      'Ada Admin set the mail server to smtp.example.com',
    ])
    expect(items[0]).toMatchObject({ kind: 'mail_changed', link: '/company/mail' })
  }
  await told(await as(office), 0)
})

test('a new role creates a notification in the app and by mail, with a link to the page', async () => {
  const ada = await kith.given.company()
  const max = await kith.given.user(ada)
  await (await as(ada)).updateUserRole({ id: max.user_id, role: 'Admin' })
  const { items, unread_count } = await told(await as(max))
  expect(items).toMatchObject([
    { kind: 'role_changed', text: 'Ada Admin changed your role to Admin', link: '/profile' },
  ])
  expect(unread_count).toBe(1)
  const mail = await smtp.mailTo(max.email)
  expect(mail.subject).toBe('Ada Admin changed your role to Admin')
  expect(mail.text).toContain('http://crm.example.com/profile\n')
  expect(mail.text).toContain('http://crm.example.com/profile/notifications')
})

test('a new key notifies its owner, or the Admins if it belongs to an agent', async () => {
  const ada = await kith.given.company()
  const max = await kith.given.user(ada)
  await (await as(max)).createApiKey({ name: 'Zapier' })
  expect((await told(await as(max))).items).toMatchObject([
    { kind: 'api_key_added', text: 'The API key “Zapier” was added to your account', link: '/profile/api-connectors' },
  ])
  await smtp.mailTo(max.email, 'Zapier')
  const agent_id = randomUUIDv7()
  const { role_id } = await kith.db
    .selectFrom('users')
    .select('role_id')
    .where('id', '=', max.user_id)
    .executeTakeFirstOrThrow()
  const { company_id } = ada
  await kith.db.insertInto('users').values({ company_id, id: agent_id, role_id, name: 'Robo', kind: 'agent' }).execute()
  const key = {
    company_id,
    id: randomUUIDv7(),
    user_id: agent_id,
    name: 'Loop',
    prefix: 'abcd',
    key_hash: Buffer.from(agent_id),
  }
  await kith.db.insertInto('api_keys').values(key).execute()
  await notify({
    company_id,
    event: 'api_key.created',
    actor_id: max.user_id,
    payload: { api_key_id: key.id, user_id: agent_id },
  })
  expect((await told(await as(ada))).items).toMatchObject([
    { text: 'Max Member added the API key “Loop” to Robo', link: `/company/members/${agent_id}` },
  ])
})

test('a new password notifies its owner', async () => {
  const ada = await kith.given.company()
  const max = await kith.given.user(ada)
  const { link } = await (await as(ada)).createResetLink({ id: max.user_id })
  await kith.visitor.resetPassword({ token: link.split('#token=')[1]!, password })
  expect((await told(await as(max))).items).toMatchObject([
    { kind: 'account_changed', text: 'Your password was changed', link: '/profile/security' },
  ])
  await smtp.mailTo(max.email, 'Your password was changed')
})

test('people choose which notifications they get, and where', async () => {
  const ada = await kith.given.company()
  const max = await kith.given.user(ada)
  const api = await as(max)
  const { items } = await api.listNotificationChoices({})
  expect(items).toEqual(Object.entries(notificationKinds).map(([kind, { app, email }]) => ({ kind, app, email })))
  const only = (app: boolean, email: boolean) =>
    api.updateNotificationChoices({ items: [{ kind: 'role_changed', app, email }] })
  const change = (role: string) =>
    notify({ company_id: ada.company_id, event: 'user.role_changed', payload: { user_id: max.user_id, role } })

  const chosen = await only(true, false)
  expect(chosen.items.find((one) => one.kind === 'role_changed')).toEqual({
    kind: 'role_changed',
    app: true,
    email: false,
  })
  await change('In the app')
  await only(false, true)
  await change('By mail')
  await only(false, false)
  await change('Nowhere')
  await only(true, true)
  await change('Both')

  for (const role of ['By mail', 'Both']) await smtp.mailTo(max.email, role)
  expect(
    smtp
      .mailsTo(max.email)
      .map((mail) => mail.subject)
      .sort(),
  ).toEqual(['Your role is now Both', 'Your role is now By mail'])
  const list = await told(api, 2)
  expect(list.items.map((one) => one.text)).toEqual(['Your role is now Both', 'Your role is now In the app'])
  expect(list.unread_count).toBe(2)
})

test.each([
  [true, true],
  [false, true],
])('a job that runs twice notifies once (in the app: %s, by email: %s)', async (app, email) => {
  const ada = await kith.given.company()
  const max = await kith.given.user(ada)
  const api = await as(max)
  await api.updateNotificationChoices({ items: [{ kind: 'role_changed', app, email }] })
  const event = { id: randomUUIDv7(), company_id: ada.company_id, event: 'user.role_changed' as const }
  const payload = { user_id: max.user_id, role: 'Admin' }
  for (let runs = 0; runs < 3; runs++) await notify({ ...event, payload })
  worker.wake()
  await smtp.mailTo(max.email)
  await notify({ ...event, payload })
  await notify({ ...event, id: randomUUIDv7(), payload: { ...payload, role: 'Last' } })
  worker.wake()
  await smtp.mailTo(max.email, 'Last')
  expect(smtp.mailsTo(max.email)).toHaveLength(2)
  expect((await api.listNotifications({})).items).toHaveLength(app ? 2 : 0)
})

test('every attempt to send an email has the same ID, so that duplicates are recognized', async () => {
  const ada = await kith.given.company()
  await notify({
    company_id: ada.company_id,
    event: 'user.account_changed',
    payload: { user_id: ada.user_id, what: 'password' },
  })
  const { items } = await told(await as(ada))
  expect((await smtp.mailTo(ada.email)).messageId).toBe(`<${items[0]!.id}@crm.example.com>`)
})

test('open pages are told that there is a notification, but not its content', async () => {
  const heard: unknown[] = []
  const ears = createListener({
    connection: kith.connection,
    log: kith.log,
    heard: (said) => heard.push(...said),
    listening: () => {},
  })
  await ears.start()
  const { company_id, user_id } = await kith.given.company()
  await notify({ company_id, event: 'user.account_changed', payload: { user_id, what: 'password' } })
  await vi.waitFor(() => expect(heard).toContainEqual({ company_id, user_id, event: 'notification' }), 60_000)
  await ears.stop()
})

test('notifications are marked read one by one or together, only by their owner', async () => {
  const ada = await kith.given.company()
  const [max, eve] = [await kith.given.user(ada), await kith.given.user(ada)]
  const api = await as(max)
  for (const role of ['One', 'Two', 'Three'])
    await notify({ company_id: ada.company_id, event: 'user.role_changed', payload: { user_id: max.user_id, role } })
  const { items } = await told(api, 3)
  const ids = [items[0]!.id]
  for (const all of [{}, { ids }]) await (await as(eve)).markNotificationsRead(all)
  expect((await api.listNotifications({})).unread_count).toBe(3)
  expect(await api.markNotificationsRead({ ids: [...ids, randomUUIDv7()] })).toEqual({ unread_count: 2 })
  expect((await api.listNotifications({ is_unread: true })).items.map((one) => one.id)).toEqual([
    items[1]!.id,
    items[2]!.id,
  ])
  expect((await api.listNotifications({ limit: 1 })).items).toMatchObject([{ id: ids[0], is_read: true }])
  expect(await api.markNotificationsRead({})).toEqual({ unread_count: 0 })
})

test('a deactivated user gets no notification', async () => {
  const ada = await kith.given.company()
  const max = await kith.given.user(ada)
  await kith.db.updateTable('users').set({ deactivated_at: kith.time.now }).where('id', '=', max.user_id).execute()
  await notify({
    company_id: ada.company_id,
    event: 'user.role_changed',
    payload: { user_id: max.user_id, role: 'Admin' },
  })
  expect(await kith.db.selectFrom('notifications').select('id').where('user_id', '=', max.user_id).execute()).toEqual(
    [],
  )
})
