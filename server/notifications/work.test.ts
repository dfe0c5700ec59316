import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { type Api, testApp } from '../../test/app.ts'
import type { GivenUser } from '../../test/given.ts'
import { mcpFor } from '../../test/mcp.ts'
import { testSmtp } from '../../test/smtp.ts'
import { soon, testWorker } from '../../test/worker.ts'
import { insertKey } from '../accounts/api-keys/queries.ts'

const smtp = await testSmtp()
const kith = await testApp({ smtpUrl: smtp.url, baseUrl: 'http://crm.example.com' })
const worker = await testWorker(kith)
const mcp = await mcpFor(kith)
const start = new Date('2026-06-15T12:00:00Z')
beforeEach(() => {
  kith.time.now = start
})

const as = async (user: GivenUser) => kith.withSession(await kith.given.session(user))

async function company() {
  const admin = await kith.given.company()
  const bob = await kith.given.user(admin, { name: 'Bob' })
  return { admin, bob, ada: await as(admin), bobs: await as(bob) }
}

const texts = async (api: Api) => (await api.listNotifications({})).items.map(({ text }) => text)
const told = (api: Api, wanted: string[]) => soon(async () => expect(await texts(api)).toEqual(wanted))
const toldTimes = (api: Api, count: number) => soon(async () => expect(await texts(api)).toHaveLength(count))
const settled = (company_id: string) =>
  soon(async () => {
    const { rows } = await sql<{ count: number }>`
      select (select count(*) from outbox where company_id = ${company_id}) + (select count(*) from pgboss.job
        where name = 'notify' and state in ('created', 'active', 'retry') and data ->> 'company_id' = ${company_id}) as count`.execute(
      kith.db,
    )
    expect(Number(rows[0]!.count)).toBe(0)
  })
const remindAt = async (time: string) => {
  kith.time.now = new Date(time)
  await worker.run('remind', {})
}
const create = async (api: Api, object: string, record: Record<string, unknown>) =>
  (await api.createRecords({ object, records: [record] })).records[0]!
const set = (api: Api, object: string, id: string, values: Record<string, unknown>) =>
  api.updateRecords({ object, records: [{ id, values }] })

describe('a task', () => {
  test('notifies its assignee when its reminder comes and when it is due, each once', async () => {
    const { ada } = await company()
    const task = { title: 'Call Anna', due_at: '2026-06-15T14:00:00Z', remind_at: '2026-06-15T13:30:00Z' }
    const { id } = await create(ada, 'tasks', task)
    await remindAt('2026-06-15T13:29:59Z')
    expect(await texts(ada)).toEqual([])
    await remindAt('2026-06-15T13:30:00Z')
    await remindAt('2026-06-15T13:31:00Z')
    const reminder = 'Reminder: “Call Anna”, due Jun 15, 2026, 2:00 PM'
    await told(ada, [reminder])
    await remindAt('2026-06-15T14:00:30Z')
    await remindAt('2026-06-15T14:01:30Z')
    await told(ada, ['“Call Anna” is due (Jun 15, 2026, 2:00 PM)', reminder])
    expect((await ada.listNotifications({})).items[0]).toMatchObject({ kind: 'task_due', link: `/records/tasks/${id}` })
  })

  test('whose time is changed notifies at the new time only, and of that time again', async () => {
    const { ada } = await company()
    const { id } = await create(ada, 'tasks', { title: 'Call', due_at: '2026-06-15T14:00:00Z' })
    await set(ada, 'tasks', id, { due_at: '2026-06-15T16:00:00Z' })
    await remindAt('2026-06-15T15:00:00Z')
    expect(await texts(ada)).toEqual([])
    await remindAt('2026-06-15T16:00:00Z')
    await toldTimes(ada, 1)
    await set(ada, 'tasks', id, { due_at: '2026-06-15T18:00:00Z' })
    await remindAt('2026-06-15T18:00:00Z')
    await toldTimes(ada, 2)
    await set(ada, 'tasks', id, { due_at: '2026-06-15T16:00:00Z' })
    await remindAt('2026-06-15T18:10:00Z')
    await toldTimes(ada, 2)
  })

  test('that was edited between its time and the next look still notifies', async () => {
    const { ada } = await company()
    const { id } = await create(ada, 'tasks', { title: 'Call', due_at: '2026-06-15T14:00:00Z' })
    kith.time.now = new Date('2026-06-15T14:00:20Z')
    await set(ada, 'tasks', id, { title: 'Call Ben', remind_at: '2026-06-16T14:00:00Z' })
    await remindAt('2026-06-15T14:00:40Z')
    await told(ada, ['“Call Ben” is due (Jun 15, 2026, 2:00 PM)'])
  })

  test('that is done, cancelled, in the trash or unassigned does not notify', async () => {
    const { ada, bobs } = await company()
    const due_at = '2026-06-15T14:00:00Z'
    const make = (title: string) => create(ada, 'tasks', { title, due_at })
    await set(ada, 'tasks', (await make('done')).id, { status: 'done' })
    await set(ada, 'tasks', (await make('cancelled')).id, { status: 'cancelled' })
    await set(ada, 'tasks', (await make('nobody')).id, { assignee: null })
    await ada.deleteRecords({ object: 'tasks', ids: [(await make('trash')).id] })
    const { id } = await make('reopened')
    await set(ada, 'tasks', id, { status: 'done' })
    await set(ada, 'tasks', id, { status: 'open', assignee: 'Bob' })
    await told(bobs, ['Ada Admin assigned “reopened” to you'])
    await remindAt(due_at)
    expect(await texts(ada)).toEqual([])
    await soon(async () => expect(await texts(bobs)).toContain('“reopened” is due (Jun 15, 2026, 2:00 PM)'))
  })

  test('does not notify someone who may no longer read it', async () => {
    const { admin, ada } = await company()
    const all = { read: 'all', create: true, edit: 'all', delete: 'all' } as const
    const { id, name } = await ada.createRole({ name: 'Helper', grants: [], records: { '*': all } })
    const eve = await kith.given.user(admin, { name: 'Eve', role: name })
    const eves = await as(eve)
    await create(ada, 'tasks', { title: 'Secret', assignee: 'Eve', due_at: '2026-06-15T14:00:00Z' })
    await told(eves, ['Ada Admin assigned “Secret” to you'])
    await ada.updateRole({ id, records: { '*': { ...all, read: 'none', edit: 'none', delete: 'none' } } })
    await remindAt('2026-06-15T14:00:00Z')
    await toldTimes(eves, 1)
  })

  test('notifies its assignee, not whom another field named assignee mentions', async () => {
    const { admin, bob, ada, bobs } = await company()
    const { company_id } = admin
    // As in a company that had its own field before tasks got ours.
    await sql`update fields set key = 'assignee_2', label = 'Assignee 2'
      where company_id = ${company_id} and built_in_key = 'assignee'`.execute(kith.db)
    await sql`update companies set schema_version = schema_version + 1 where id = ${company_id}`.execute(kith.db)
    for (const object of ['tasks', 'deals'])
      await ada.createField({ object, key: 'assignee', label: 'Team', type: 'text' })
    await create(ada, 'deals', { name: 'Crane', assignee: 'North' })
    await create(ada, 'tasks', { title: 'Not yours', assignee: bob.user_id })
    await create(ada, 'tasks', { title: 'Yours', assignee: 'North', assignee_2: 'Bob' })
    await settled(company_id)
    expect(await texts(bobs)).toEqual(['Ada Admin assigned “Yours” to you'])
  })

  test('that is due on a day without a time notifies at eight in the morning of its assignee', async () => {
    const { ada } = await company()
    await ada.updateMe({ time_zone: 'America/New_York' })
    await create(ada, 'tasks', { title: 'Plan', due_at: '2026-06-16' })
    await remindAt('2026-06-16T04:00:00Z')
    await remindAt('2026-06-16T11:59:00Z')
    expect(await texts(ada)).toEqual([])
    await remindAt('2026-06-16T12:00:00Z')
    await told(ada, ['“Plan” is due (Jun 16, 2026)'])
  })

  test('that is already past when it is created does not notify', async () => {
    const { ada } = await company()
    await create(ada, 'tasks', { title: 'Old', due_at: '2026-06-01T14:00:00Z' })
    await remindAt('2026-06-15T12:01:00Z')
    expect(await texts(ada)).toEqual([])
  })

  test('is announced by email to those who chose it', async () => {
    const { admin, ada } = await company()
    await ada.updateNotificationChoices({ items: [{ kind: 'task_due', app: false, email: true }] })
    await create(ada, 'tasks', { title: 'Call', due_at: '2026-06-15T14:00:00Z' })
    await remindAt('2026-06-15T14:00:00Z')
    expect((await smtp.mailTo(admin.email)).subject).toContain('“Call” is due')
    expect(await texts(ada)).toEqual([])
  })

  test('that two processes look for at the same time notifies once', async () => {
    const { ada } = await company()
    await create(ada, 'tasks', { title: 'Call', due_at: '2026-06-15T14:00:00Z' })
    kith.time.now = new Date('2026-06-15T14:00:00Z')
    await Promise.all([worker.run('remind', {}), worker.run('remind', {}), worker.run('remind', {})])
    await worker.run('remind', {})
    await toldTimes(ada, 1)
  })
})

describe('a mention', () => {
  const mention = ({ user_id }: GivenUser, name = 'Ada Admin') => `[@${name}](mention:${user_id})`

  test('notifies once per note and user, named after what the note is about', async () => {
    const { admin, bob, ada, bobs } = await company()
    const { id: about } = await create(bobs, 'deals', { name: 'Acme renewal' })
    const { id } = await create(bobs, 'notes', { body: `${mention(admin)} please call`, about: [about] })
    await told(ada, ['Bob mentioned you on “Acme renewal”: “@Ada Admin please call”'])
    expect((await ada.listNotifications({})).items[0]!.link).toBe(`/records/notes/${id}`)
    await set(bobs, 'notes', id, { body: `${mention(admin)} please call them ${mention(bob, 'Bob')}` })
    await set(bobs, 'notes', id, { body: 'nothing' })
    await set(bobs, 'notes', id, { body: `again ${mention(admin)}` })
    await settled(admin.company_id)
    await toldTimes(ada, 1)
    expect(await texts(bobs)).toEqual([])
    expect((await smtp.mailTo(admin.email)).subject).toContain('Bob mentioned you')
  })

  test('that an edit adds notifies only the new user', async () => {
    const { admin, bob, ada, bobs } = await company()
    const { id } = await create(ada, 'notes', { body: `Hello ${mention(bob, 'Bob')}` })
    await told(bobs, ['Ada Admin mentioned you: “Hello @Bob”'])
    const eve = await kith.given.user(admin, { name: 'Eve' })
    await set(ada, 'notes', id, { body: `Hello ${mention(bob, 'Bob')} and ${mention(eve, 'Eve')}` })
    await told(await as(eve), ['Ada Admin mentioned you: “Hello @Bob and @Eve”'])
    await toldTimes(bobs, 1)
  })

  test('that an agent writes via MCP notifies as well, except users who may not read the note', async () => {
    const { admin, ada, bob, bobs } = await company()
    const role = await ada.createRole({
      name: 'Own notes',
      grants: [],
      records: { '*': { read: 'own', create: true, edit: 'own', delete: 'own' } },
    })
    const eve = await kith.given.user(admin, { name: 'Eve', role: role.name })
    const records = [{ body: `${mention(bob, 'Bob')} and ${mention(eve, 'Eve')}` }]
    const call = { name: 'create_records', arguments: { object: 'notes', records } }
    await mcp.modern(await kith.given.key(admin), 'tools/call', call)
    await told(bobs, ['Ada Admin mentioned you: “@Bob and @Eve”'])
    await settled(admin.company_id)
    expect(await texts(await as(eve))).toEqual([])
  })

  test('of someone in another company does nothing', async () => {
    const { admin, ada } = await company()
    const other = await company()
    await create(ada, 'notes', { body: mention(other.admin) })
    await settled(admin.company_id)
    expect(await texts(other.ada)).toEqual([])
  })
})

describe('a reply', () => {
  test('is about what its note is about, and notifies the author', async () => {
    const { ada, bobs } = await company()
    const { id: about } = await create(ada, 'organizations', { name: 'Acme' })
    const note = await create(ada, 'notes', { body: 'They want a discount', about: [about] })
    const reply = await create(bobs, 'notes', { body: 'Ten percent at most', reply_to: note.id })
    expect(await ada.getRecord({ object: 'notes', id: reply.id })).toMatchObject({
      about: [{ id: about }],
      reply_to: { id: note.id },
    })
    await told(ada, ['Bob replied to you on “Acme”: “Ten percent at most”'])
    const other = await create(bobs, 'notes', { body: 'Elsewhere', reply_to: note.id, about: null })
    expect((await ada.getRecord({ object: 'notes', id: other.id })).about).toBeUndefined()
  })

  test('that mentions the author notifies once, and a reply to yourself does not notify', async () => {
    const { admin, ada, bobs } = await company()
    const note = await create(ada, 'notes', { body: 'Question' })
    await create(ada, 'notes', { body: 'Found it', reply_to: note.id })
    await create(bobs, 'notes', { body: `[@Ada Admin](mention:${admin.user_id}) yes`, reply_to: note.id })
    await told(ada, ['Bob mentioned you: “@Ada Admin yes”'])
    await settled(admin.company_id)
    await toldTimes(ada, 1)
  })
})

describe('an agent that changes my records', () => {
  async function agentOf({ company_id }: GivenUser, name = 'Scout') {
    const { role_id } = await kith.db
      .selectFrom('users')
      .innerJoin('roles', 'roles.id', 'users.role_id')
      .select('role_id')
      .where('users.company_id', '=', company_id)
      .where('roles.is_admin', '=', true)
      .executeTakeFirstOrThrow()
    const user_id = randomUUIDv7()
    await kith.db.insertInto('users').values({ company_id, id: user_id, role_id, name, kind: 'agent' }).execute()
    return kith.withKey((await insertKey(kith.db, { company_id, user_id }, 'Loop')).value)
  }

  test('is gathered in one notification, which counts each record once', async () => {
    const { admin, ada } = await company()
    const scout = await agentOf(admin)
    const names = Array.from({ length: 12 }, (_, i) => ({ name: `Deal ${i}` }))
    const { records } = await ada.createRecords({ object: 'deals', records: names })
    await set(scout, 'deals', records[0]!.id, { amount: 5 })
    await told(ada, ['Scout changed “Deal 0”'])
    expect((await ada.listNotifications({})).items[0]!.link).toBe(`/records/deals/${records[0]!.id}`)
    for (const { id } of records) await set(scout, 'deals', id, { amount: 7 })
    await told(ada, ['Scout changed 12 of your records'])
    const link = new URL((await ada.listNotifications({})).items[0]!.link!, 'http://kith')
    expect(link.pathname).toBe('/activity')
    const [actor_id, first_id, last_id] = ['by', 'first', 'last'].map((name) => link.searchParams.get(name)!)
    const { items } = await ada.listChanges({ actor_id, first_id, last_id })
    expect(items.map(({ actor_name }) => actor_name)).toEqual(Array.from({ length: 13 }, () => 'Scout'))
    await settled(admin.company_id)
    await ada.markNotificationsRead({})
    await scout.deleteRecords({ object: 'deals', ids: [records[3]!.id] })
    await told(ada, ['Scout changed “Deal 3”', 'Scout changed 12 of your records'])
  })

  test('notifies neither the owner of the key nor others', async () => {
    const { admin, bob, ada, bobs } = await company()
    const { id } = await create(ada, 'deals', { name: 'Mine' })
    await set(kith.withKey(await kith.given.key(admin)), 'deals', id, { amount: 5 })
    await set(bobs, 'deals', id, { amount: 6 })
    await settled(admin.company_id)
    expect([await texts(ada), await texts(bobs)]).toEqual([[], []])
    await set(kith.withKey(await kith.given.key(bob)), 'deals', id, { amount: 7 })
    await told(ada, ['Bob changed “Mine”'])
  })
})

describe('a rule about other notifications', () => {
  test('limits tasks that are due to those that match its filter', async () => {
    const { ada } = await company()
    const filter = 'priority = high'
    await ada.createNotificationRule({ name: 'Important', kind: 'task_due', object: 'tasks', filter })
    const due_at = '2026-06-15T14:00:00Z'
    await create(ada, 'tasks', { title: 'Minor', due_at })
    await create(ada, 'tasks', { title: 'Major', due_at, priority: 'high' })
    await remindAt(due_at)
    await told(ada, ['“Major” is due (Jun 15, 2026, 2:00 PM)'])
  })

  test('limits mentions, assignments and changes by agents of its object, and no others', async () => {
    const { admin, bob, ada, bobs } = await company()
    const rule = (kind: 'mentioned' | 'record_assigned' | 'record_changed_by_agent', object: string, filter: string) =>
      ada.createNotificationRule({ name: kind, kind, object, filter })
    await rule('record_assigned', 'deals', 'amount > 1000')
    await rule('mentioned', 'notes', 'body ~ urgent')
    await rule('record_changed_by_agent', 'deals', 'amount > 1000')
    await create(bobs, 'deals', { name: 'Small', amount: 1, owner: admin.user_id })
    await create(bobs, 'deals', { name: 'Big', amount: 5000, owner: admin.user_id })
    await create(bobs, 'leads', { email: 'a@example.com', owner: admin.user_id })
    await settled(admin.company_id)
    expect((await texts(ada)).sort()).toEqual(['Bob assigned “Big” to you', 'Bob assigned “a@example.com” to you'])
    await ada.markNotificationsRead({})
    for (const word of ['whenever', 'urgent'])
      await create(bobs, 'notes', { body: `${word} [@Ada](mention:${admin.user_id})` })
    const agent = kith.withKey(await kith.given.key(bob))
    const { records } = await ada.queryRecords({ object: 'deals', filter: 'amount > 0', limit: 10 })
    for (const { id } of records) await set(agent, 'deals', id, { source: 'Event' })
    await settled(admin.company_id)
    const unread = (await ada.listNotifications({ is_unread: true })).items.map(({ text }) => text).sort()
    expect(unread).toEqual(['Bob changed “Big”', 'Bob mentioned you: “urgent @Ada”'])
  })

  test('is listed with its kind, needs a filter, and creates no notification of its own', async () => {
    const { admin, ada, bobs } = await company()
    const about = { name: 'Big', kind: 'record_assigned' as const, object: 'deals' }
    await expect(ada.createNotificationRule(about)).rejects.toMatchObject({
      problem: { errors: [{ path: 'filter' }] },
    })
    await expect(
      ada.createNotificationRule({ ...about, kind: 'task_due', filter: 'amount > 1' }),
    ).rejects.toMatchObject({ problem: { errors: [{ path: 'object' }] } })
    const { id, kind } = await ada.createNotificationRule({ ...about, filter: 'amount > 1' })
    expect(kind).toBe('record_assigned')
    await expect(ada.updateNotificationRule({ id, filter: null })).rejects.toMatchObject({
      problem: { errors: [{ path: 'filter' }] },
    })
    await create(bobs, 'deals', { name: 'Deal', amount: 5 })
    await settled(admin.company_id)
    expect(await texts(ada)).toEqual([])
  })
})
