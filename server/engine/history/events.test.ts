import { expect, test } from 'vitest'
import { everything } from '../../../contract/shared/access.ts'
import { testApp } from '../../../test/app.ts'
import { soon, testWorker } from '../../../test/worker.ts'

const kith = await testApp({ own: true })
await testWorker(kith)
const { given, withKey, withSession, time } = kith

async function company() {
  const admin = await given.company({ adminName: 'Ada Admin' })
  const max = await given.user(admin, { name: 'Max Member' })
  return { admin, api: withKey(await given.key(admin)), max, member: withKey(await given.key(max)) }
}

test('events are listed newest first, with the version, the user and the values before and after', async () => {
  const { admin, api } = await company()
  const { records } = await api.createRecords({ object: 'people', records: [{ first_name: 'Eve', score: 1 }] })
  const record_id = records[0]!.id
  await api.updateRecords({ object: 'people', records: [{ id: record_id, values: { score: 2 } }] })
  await api.deleteRecords({ object: 'people', ids: [record_id] })
  const { items } = await api.listEvents({ record_id })
  expect(items.map(({ type, version }) => [type, version])).toEqual([
    ['record.deleted', 3],
    ['record.updated', 2],
    ['record.created', 1],
  ])
  expect(items[1]).toMatchObject({
    object: 'people',
    principal: { kind: 'user', id: admin.user_id, name: 'Ada Admin', via: 'rest' },
    fields: { score: { from: 1, to: 2 } },
    bulk: false,
  })
  expect(new Set(items.map(({ id }) => id)).size).toBe(3)
})

test('relations in events name their records and, where several are possible, their objects', async () => {
  const { api, member } = await company()
  const { records: people } = await api.createRecords({ object: 'people', records: [{ first_name: 'Eve' }] })
  const { records: deals } = await api.createRecords({
    object: 'deals',
    records: [{ name: 'Boat', people: [people[0]!.id] }] as never,
  })
  const about = [people[0]!.id, deals[0]!.id]
  const { records: notes } = await api.createRecords({ object: 'notes', records: [{ body: 'Called', about }] })
  const recordIn = async (reader: typeof api, record_id: string) =>
    (await reader.listEvents({ record_id })).items[0]!.record as { about: object[]; people: object[] }
  expect((await recordIn(api, notes[0]!.id)).about).toEqual([
    { id: about[0], title: 'Eve', object: 'people' },
    { id: about[1], title: 'Boat', object: 'deals' },
  ])
  expect((await recordIn(api, deals[0]!.id)).people).toEqual([{ id: about[0], title: 'Eve' }])
  // As a record of their own shows them.
  expect(await member.getRecord({ object: 'notes', id: notes[0]!.id })).toMatchObject({
    about: (await recordIn(member, notes[0]!.id)).about,
  })
})

test('events can be paged and filtered', async () => {
  const { api } = await company()
  await api.createRecords({ object: 'people', records: Array.from({ length: 5 }, (_, i) => ({ first_name: `P${i}` })) })
  await api.createRecords({ object: 'products', records: [{ name: 'Lamp' }] })
  const first = await api.listEvents({ object: 'people', limit: 3 })
  const second = await api.listEvents({ object: 'people', limit: 3, cursor: first.next_cursor! })
  expect([first.items.length, second.items.length, second.next_cursor]).toEqual([3, 2, null])
  expect(new Set([...first.items, ...second.items].map(({ record_id }) => record_id)).size).toBe(5)
  expect(first.items.every(({ bulk }) => bulk)).toBe(true)
  expect((await api.listEvents({ type: 'record.deleted' })).items).toEqual([])
  const unknown = api.listEvents({ object: 'poeple' })
  await expect(unknown).rejects.toMatchObject({
    problem: { code: 'not_found', detail: expect.stringContaining('people') },
  })
  await expect(api.listEvents({ cursor: 'x' })).rejects.toMatchObject({ problem: { code: 'invalid_input' } })
})

test('events and changes since a time take the words that filters take, in the time zone of the caller', async () => {
  const { api } = await company()
  await api.updateMe({ time_zone: 'Pacific/Auckland' })
  const then = time.now
  await api.createRecords({ object: 'products', records: [{ name: 'Lamp' }] })
  time.now = new Date(then.getTime() + 3 * 3_600_000)
  const events = async (since: string) => (await api.listEvents({ since })).items.length
  // Noon UTC is midnight in Auckland, and it is three hours later now.
  expect([await events('-4h'), await events('-2h')]).toEqual([1, 0])
  expect([await events('yesterday'), await events('today')]).toEqual([1, 1])
  time.now = new Date(then.getTime() + 25 * 3_600_000)
  expect([await events('yesterday'), await events('today'), await events('2026-06-16')]).toEqual([1, 0, 1])
  expect((await api.listChanges({ since: 'yesterday', until: 'today' })).items).toHaveLength(2)
  expect((await api.listChanges({ until: 'yesterday' })).items).toHaveLength(0)
  const wrong = api.listEvents({ since: 'recently' })
  await expect(wrong).rejects.toMatchObject({
    problem: { code: 'invalid_input', errors: [{ path: 'since', message: expect.stringContaining('-2h') }] },
  })
  expect(await api.undoChanges({ since: '-2d' })).toMatchObject({ undone: 1 })
  time.now = then
})

test('events end after 30 days', async () => {
  const { api } = await company()
  await api.createRecords({ object: 'products', records: [{ name: 'Lamp' }] })
  const then = time.now
  time.now = new Date(then.getTime() + 31 * 86_400_000)
  expect((await api.listEvents({})).items).toEqual([])
  time.now = then
})

test('events show only records that the caller may read, without the keys of others', async () => {
  const { admin, api } = await company()
  const boss = withSession(await given.session(admin))
  const none = { read: 'none' as const, create: false, edit: 'none' as const, delete: 'none' as const }
  const role = await boss.createRole({
    name: 'Own people',
    records: { '*': none, people: { ...everything, read: 'own' } },
  })
  const sam = await given.user(admin, { name: 'Sam', role: role.name })
  const api2 = withKey(await given.key(sam))
  await api.createRecords({
    object: 'people',
    records: [{ first_name: 'Not yours' }, { first_name: 'Yours', owner: sam.user_id }],
  })
  await api.createRecords({ object: 'products', records: [{ name: 'Lamp' }] })
  const { items } = await api2.listEvents({})
  expect(items).toMatchObject([{ object: 'people', principal: { name: 'Ada Admin', api_key_id: null, client: null } }])
})

test('someone who is assigned records is notified once, with the count, but not about their own changes', async () => {
  const { api, max, member } = await company()
  const web = withSession(await given.session(max))
  await api.createRecords({ object: 'deals', records: [{ name: 'Roof', owner: max.user_id }] })
  await api.createRecords({
    object: 'tasks',
    records: [1, 2, 3].map((i) => ({ title: `T${i}`, assignee: max.user_id })),
  })
  await member.createRecords({ object: 'deals', records: [{ name: 'Mine' }] })
  await soon(async () =>
    expect((await web.listNotifications({})).items.map(({ text }) => text)).toEqual([
      'Ada Admin assigned 3 tasks to you',
      'Ada Admin assigned “Roof” to you',
    ]),
  )
})
