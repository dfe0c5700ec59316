// What can be sent for a value besides the value itself, and what a write answers with.
import { describe, expect, test } from 'vitest'
import { type Api, testApp } from '../../../test/app.ts'
import { expectDerived } from '../../../test/records/dump.ts'
import { statementsOf } from '../../../test/statements.ts'

const kith = await testApp()
const { given, withKey } = kith
const statements = statementsOf(kith.pools.work)
kith.time.now = new Date('2026-06-15T12:00:00Z')

const newCompany = async () => {
  const admin = await given.company()
  const api = withKey(await given.key(admin))
  await api.updateCompany({ time_zone: 'Europe/Berlin' })
  return { admin, api }
}
const add = async (api: Api, object: string, ...records: Record<string, unknown>[]) =>
  (await api.createRecords({ object, records })).records
const update = (api: Api, object: string, id: string, values: Record<string, unknown>, more = {}) =>
  api.updateRecords({ object, records: [{ id, values, ...more }] })
const errorsOf = (call: Promise<unknown>) =>
  call.then(
    () => expect.unreachable(),
    (error) => error.problem.errors,
  )

describe('times', () => {
  test('are written as in filters, in the time zone of the user or else of the company', async () => {
    const { api } = await newCompany()
    const due = async (due_at: string) => (await add(api, 'tasks', { title: 'T', due_at }))[0]!.due_at
    expect(await due('now')).toBe('2026-06-15T12:00:00.000Z')
    expect(await due('+3d')).toBe('2026-06-18T12:00:00.000Z')
    expect(await due('-2h')).toBe('2026-06-15T10:00:00.000Z')
    expect(await due('tomorrow')).toBe('2026-06-15T22:00:00.000Z')
    expect(await due('2026-11-18')).toBe('2026-11-17T23:00:00.000Z')
    expect(await due('2026-11-18T09:00')).toBe('2026-11-18T08:00:00.000Z')
    expect(await due('2026-11-18T09:00+05:00')).toBe('2026-11-18T04:00:00.000Z')
    await api.updateMe({ time_zone: 'America/New_York' })
    expect(await due('2026-11-18T09:00')).toBe('2026-11-18T14:00:00.000Z')
    const born = async (birthday: string) => (await add(api, 'people', { birthday }))[0]!.birthday
    expect([await born('today'), await born('-1y'), await born('Yesterday')]).toEqual([
      '2026-06-15',
      '2025-06-15',
      '2026-06-14',
    ])
  })

  test('that are not a single time are refused', async () => {
    const { api } = await newCompany()
    for (const due_at of ['this_week', '+999999y', '2026-02-30', 'soon', '2026-01-01T25:00'])
      expect(await errorsOf(add(api, 'tasks', { title: 'T', due_at })), due_at).toMatchObject([
        { path: 'records.0.due_at', message: expect.stringContaining('now or +3d') },
      ])
    for (const birthday of ['2026-06-15T12:00', 'this_month'])
      expect(await errorsOf(add(api, 'people', { birthday })), birthday).toMatchObject([
        { message: expect.stringContaining('today or +3d') },
      ])
  })

  test('of an activity default to now; a closing time of an open deal is refused', async () => {
    const { api } = await newCompany()
    const [call] = await add(api, 'activities', { kind: 'call', outcome: 'reached' })
    expect(call).toMatchObject({ at: '2026-06-15T12:00:00.000Z' })
    expect(await errorsOf(update(api, 'activities', call!.id, { at: null }))).toMatchObject([
      { message: 'This is required' },
    ])
    const closed_at = '2026-06-01T00:00:00Z'
    const path = 'records.0.closed_at'
    expect(await errorsOf(add(api, 'deals', { name: 'D', closed_at }))).toMatchObject([{ path }])
    const [deal] = await add(api, 'deals', { name: 'D' })
    expect(await errorsOf(update(api, 'deals', deal!.id, { closed_at }))).toMatchObject([{ path }])
    const { records } = await update(api, 'deals', deal!.id, { closed_at, stage: 'won' })
    expect(records[0]).toMatchObject({ closed_at: '2026-06-01T00:00:00.000Z', status: 'won' })
    await update(api, 'deals', deal!.id, { stage: 'proposal' })
    expect(await api.getRecord({ object: 'deals', id: deal!.id })).not.toHaveProperty('closed_at')
  })
})

describe('a list', () => {
  const tagged = async () => {
    const { api, admin } = await newCompany()
    await api.updateField({
      object: 'people',
      field: 'tags',
      options: ['VIP', 'Old', 'New'].map((label) => ({ label })),
    })
    const [ada] = await add(api, 'people', {
      first_name: 'Ada',
      tags: ['old'],
      emails: ['Ada@home.example', 'ada@work.example'],
      phones: ['+493012345678'],
    })
    const read = () => api.getRecord({ object: 'people', id: ada!.id })
    const change = (values: Record<string, unknown>, more = {}) => update(api, 'people', ada!.id, values, more)
    return { api, admin, id: ada!.id, read, change }
  }

  test('can be added to and removed from in part, however a value is written', async () => {
    const { admin, read, change } = await tagged()
    await change({ tags: { add: ['VIP', 'old'] }, emails: { add: ['new@x.example', 'ADA@home.example'] } })
    expect(await read()).toMatchObject({
      tags: ['old', 'vip'],
      emails: ['Ada@home.example', 'ada@work.example', 'new@x.example'],
    })
    await change({ tags: { remove: ['Old'], add: ['new'] }, emails: { remove: ['ADA@WORK.example', 'no@x.example'] } })
    expect(await read()).toMatchObject({ tags: ['vip', 'new'], emails: ['Ada@home.example', 'new@x.example'] })
    await change({ phones: { remove: ['+49 30 12345678'] } })
    expect(await read()).not.toHaveProperty('phones')
    await expectDerived(kith, admin.company_id)
  })

  test('supports partial changes with versions, dry runs, history and undo', async () => {
    const { api, id, read, change } = await tagged()
    const preview = await api.updateRecords({
      object: 'people',
      records: [{ id, values: { tags: { add: ['vip'] } } }],
      dry_run: true,
    })
    expect(preview.records[0]).toMatchObject({ tags: { from: ['old'], to: ['old', 'vip'] } })
    expect(await read()).toMatchObject({ tags: ['old'], version: 1 })
    const { change_set_id } = await change({ tags: { add: ['vip'] } }, { version: 1 })
    await expect(change({ tags: { add: ['new'] } }, { version: 1 })).toBeRefused(409)
    const [set] = (await api.listChanges({ record_id: id })).items
    expect(set!.changes[0]!.fields).toEqual({ tags: { from: ['old'], to: ['old', 'vip'] } })
    expect((await change({ tags: { add: ['vip'], remove: ['new'] } })).change_set_id).toBeNull()
    await api.undoChanges({ change_set_ids: [change_set_id!] })
    expect(await read()).toMatchObject({ tags: ['old'] })
  })

  test('of related records accepts names and IDs, and can remove IDs that do not exist', async () => {
    const { api } = await newCompany()
    const [a, b] = await add(api, 'people', { first_name: 'A' }, { first_name: 'B' })
    const [deal] = await add(api, 'deals', { name: 'D', people: [a!.id] })
    const people = async () =>
      ((await api.getRecord({ object: 'deals', id: deal!.id })).people as { title: string }[] | undefined)?.map(
        ({ title }) => title,
      )
    await update(api, 'deals', deal!.id, { people: { add: ['B', a!.id] } })
    expect(await people()).toEqual(['A', 'B'])
    await api.deleteRecords({ object: 'people', ids: [a!.id] })
    await update(api, 'deals', deal!.id, { people: { remove: [{ id: a!.id }] } })
    expect(await people()).toEqual(['B'])
    expect(await errorsOf(update(api, 'deals', deal!.id, { people: { add: [b!.id, 'Nobody'] } }))).toMatchObject([
      { path: 'records.0.people.add.1' },
    ])
    expect(await errorsOf(update(api, 'deals', deal!.id, { organization: { add: ['x'] } }))).toMatchObject([
      { message: 'This field holds one value, not a list' },
    ])
  })

  test('names a key that is neither add nor remove', async () => {
    const { change } = await tagged()
    const message = '"rm" is not allowed here. Send a list, or {"add": [...], "remove": [...]} to change part of it'
    for (const tags of [{ add: ['vip'], rm: ['old'] }, { rm: ['old'] }])
      expect(await errorsOf(change({ tags }))).toMatchObject([{ path: 'records.0.tags', message }])
  })

  test('supports partial changes in creates and upserts, within its limit', async () => {
    const { api, id, read, change } = await tagged()
    const [made] = await add(api, 'people', { tags: { add: ['vip'] } })
    expect(made).toMatchObject({ tags: ['vip'] })
    await api.upsertRecords({
      object: 'people',
      match_on: 'emails',
      records: [{ emails: ['ada@home.example'], tags: { add: ['new'] } }],
    })
    expect(await read()).toMatchObject({ id, tags: ['old', 'new'] })
    const many = Array.from({ length: 99 }, (_, i) => `p${i}@x.example`)
    expect(await errorsOf(change({ emails: { add: many } }))).toMatchObject([{ message: 'Use at most 100 values' }])
  })
})

describe('an upsert', () => {
  test('adds to lists after what they have, replaces them only when asked, and says what is new', async () => {
    const { api } = await newCompany()
    await api.updateField({ object: 'people', field: 'tags', options: ['VIP', 'New'].map((label) => ({ label })) })
    const emails = ['ada@home.example']
    await add(api, 'people', { first_name: 'Ada', emails, phones: ['+493012345678'], tags: ['vip'] })
    const [deal] = await add(api, 'deals', { name: 'D', people: ['Ada'] })
    await api.createField({ object: 'deals', key: 'number', label: 'Number', type: 'text', is_unique: true })
    await update(api, 'deals', deal!.id, { number: 'D1' })
    await add(api, 'people', { first_name: 'Bob' })
    const upsert = (values: object, more = {}) =>
      api.upsertRecords({ object: 'people', match_on: 'emails', records: [{ emails, ...values }], ...more })
    const { records } = await upsert({ phones: ['+49 30 12345678', '+493087654321'], tags: ['New'], city: 'Rome' })
    const added = { phones: ['+493012345678', '+493087654321'], tags: ['vip', 'new'], city: 'Rome' }
    expect(records).toMatchObject([{ ...added, is_new: false }])
    expect((await upsert({ phones: [], tags: 'vip' })).change_set_id).toBeNull()
    const replaced = { phones: ['+493011111111'], tags: ['new'] }
    expect((await upsert(replaced, { lists: 'replace' })).records).toMatchObject([replaced])
    expect((await upsert({ tags: null })).records).toMatchObject([{ tags: null }])
    const linked = await api.upsertRecords({
      object: 'deals',
      match_on: 'number',
      records: [{ number: 'D1', people: ['Bob'] }, { number: 'D2' }].map((values) => ({ name: 'D', ...values })),
    })
    expect(linked.records).toMatchObject([
      { people: [{ title: 'Ada' }, { title: 'Bob' }], is_new: false },
      { is_new: true },
    ])
  })
})

describe('a relation', () => {
  test('reads with its title, and is written by id, title or what was read', async () => {
    const { api } = await newCompany()
    const [acme] = await add(api, 'organizations', { name: 'Acme' })
    const shown = { id: acme!.id, title: 'Acme' }
    for (const organization of [acme!.id, 'acme', shown]) {
      const [person] = await add(api, 'people', { first_name: 'P', organization })
      expect(person!.organization).toEqual(shown)
      expect((await api.getRecord({ object: 'people', id: person!.id })).organization).toEqual(shown)
    }
    const { records } = await api.listRecords({ object: 'people', fields: ['organization'] })
    expect(records.map(({ organization }) => organization)).toEqual([shown, shown, shown])
    await api.deleteRecords({ object: 'organizations', ids: [acme!.id] })
    const [first] = (await api.listRecords({ object: 'people', limit: 1 })).records
    expect(first!.organization).toEqual({ id: acme!.id })
    await update(api, 'people', first!.id, { organization: first!.organization, score: 1 })
    expect(await errorsOf(add(api, 'people', { organization: { title: 'Acme' } }))).toMatchObject([
      { message: 'Use an ID, a name, or an object with an id' },
    ])
  })

  test('costs one query per page for all titles, and none without related records', async () => {
    const { api } = await newCompany()
    await add(api, 'organizations', { name: 'Acme' })
    await add(api, 'people', ...Array.from({ length: 30 }, () => ({ organization: 'Acme' })))
    await add(api, 'products', { name: 'P' })
    const titles = async (object: string) =>
      (await statements.during(() => api.listRecords({ object, limit: 30 }))).filter(({ text }) =>
        /from unnest/.test(text),
      )
    expect(await titles('people')).toHaveLength(1)
    expect(await titles('products')).toHaveLength(0)
  })
})

describe('a preview', () => {
  test('of any update shows the values before and after, and of a new record its values', async () => {
    const { api } = await newCompany()
    const [, brooks] = await add(api, 'organizations', { name: 'Acme' }, { name: 'Brooks' })
    const values = { first_name: 'Ada', emails: ['ada@x.example'], organization: 'Acme', score: 1 }
    const [ada] = await add(api, 'people', values)
    const after = { organization: 'Brooks', score: null }
    const changed = {
      organization: { from: { title: 'Acme' }, to: { title: 'Brooks' } },
      score: { from: 1, to: null },
    }
    const one = { id: ada!.id, version: 2, title: 'Ada' }
    const dry_run = true
    const byId = await api.updateRecords({ object: 'people', records: [{ id: ada!.id, values: after }], dry_run })
    expect(byId.records).toMatchObject([{ ...one, ...changed }])
    const byFilter = await api.updateRecords({ object: 'people', filter: 'score = 1', values: after, dry_run })
    expect(byFilter).toMatchObject({ matched: 1, records: [{ ...one, ...changed }] })
    const records = [
      { emails: values.emails, ...after },
      { emails: ['new@x.example'], score: 5 },
    ]
    const upserted = await api.upsertRecords({ object: 'people', match_on: 'emails', records, dry_run })
    expect(upserted.records).toMatchObject([
      { ...one, ...changed, is_new: false },
      { emails: ['new@x.example'], score: 5, is_new: true },
    ])
    const link = { object: 'people', id: ada!.id, field: 'organization', to: [brooks!.id] }
    expect((await api.linkRecords({ ...link, dry_run })).records).toMatchObject([
      { organization: changed.organization },
    ])
    expect(await api.getRecord({ object: 'people', id: ada!.id })).toMatchObject({ version: 1, score: 1 })
  })
})

describe('a write', () => {
  test('returns what changed, or whole records', async () => {
    const { api } = await newCompany()
    const [deal] = await add(api, 'deals', { name: 'D', amount: 5 })
    const id = deal!.id
    const changed = await update(api, 'deals', id, { stage: 'won', amount: null })
    expect(changed.records).toEqual([
      {
        id,
        version: 2,
        title: 'D',
        stage: 'won',
        status: 'won',
        amount: null,
        probability: 100,
        closed_at: '2026-06-15T12:00:00.000Z',
      },
    ])
    expect((await update(api, 'deals', id, { stage: 'won' })).records).toEqual([{ id, version: 2, title: 'D' }])
    const { records } = await api.updateRecords({
      object: 'deals',
      records: [{ id, values: { source: 'Website' } }],
      return: 'record',
    })
    expect(records[0]).toEqual(await api.getRecord({ object: 'deals', id }))
    const deleted = await api.deleteRecords({ object: 'deals', ids: [id] })
    expect(deleted).toMatchObject({ records: [{ id, version: 4, title: 'D' }], trash_days: 30 })
    expect(deleted.records[0]).not.toHaveProperty('source')
    await api.updateRetentionSettings({ trash_days: 5 })
    const back = await api.restoreRecords({ object: 'deals', ids: [id] })
    expect(back.records).toEqual([{ id, version: 5, title: 'D' }])
    expect(await api.deleteRecords({ object: 'deals', ids: [id], dry_run: true })).toMatchObject({ trash_days: 5 })
  })
})
