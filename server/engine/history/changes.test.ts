import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { everything } from '../../../contract/shared/access.ts'
import { testApp } from '../../../test/app.ts'
import { statementsOf } from '../../../test/statements.ts'

const kith = await testApp()
const { given, withKey, withSession } = kith
const statements = statementsOf(kith.pools.work)

async function company() {
  const admin = await given.company()
  const api = withKey(await given.key(admin))
  const max = await given.user(admin, { name: 'Max Member' })
  return { admin, api, max, member: withKey(await given.key(max)) }
}
const people = (count: number) => Array.from({ length: count }, (_, i) => ({ first_name: `P${i}` }))

describe('the history of a record', () => {
  test('shows only its own changes, and how many others the same call made', async () => {
    const { api } = await company()
    const { records } = await api.createRecords({ object: 'people', records: people(100) })
    const record_id = records[7]!.id
    await api.updateRecords({ object: 'people', records: records.map(({ id }) => ({ id, values: { score: 1 } })) })
    const { items, scope } = await api.listChanges({ record_id })
    expect(scope).toBe('all')
    expect(items.map(({ changes, other_changes }) => [changes, other_changes])).toMatchObject([
      [[{ record_id, action: 'updated', fields: { score: { from: null, to: 1 } } }], 99],
      [[{ record_id, action: 'created' }], 99],
    ])
    for (const { changes } of items) expect(changes).toHaveLength(1)
  })

  test('shows users who may read the record who changed what and when, but not with which key', async () => {
    const { admin, api, max, member } = await company()
    const { records } = await api.createRecords({ object: 'people', records: people(1) })
    const record_id = records[0]!.id
    await member.updateRecords({ object: 'people', records: [{ id: record_id, values: { score: 2 } }] })
    const { items, scope } = await member.listChanges({ record_id })
    expect(scope).toBe('all')
    expect(items).toMatchObject([
      { actor_id: max.user_id, api_key_name: 'Test', changes: [{ fields: { score: { to: 2 } } }] },
      {
        actor_id: admin.user_id,
        actor_name: 'Ada Admin',
        door: 'rest',
        api_key_id: null,
        api_key_name: null,
        client: null,
      },
    ])
    const [own] = items
    const byKey = await member.listChanges({ record_id, api_key_id: own!.api_key_id! })
    expect(byKey).toMatchObject({ scope: 'own', items: [{ id: own!.id }] })
    await expect(member.undoChanges({ change_set_ids: [items[1]!.id] })).toBeRefused(404)
  })

  test('is hidden from users who may not read the record, and counts nothing hidden from them', async () => {
    const { admin, api } = await company()
    await withSession(await given.session(admin)).createRole({
      name: 'Own deals',
      records: { '*': everything, deals: { ...everything, read: 'own' }, leads: { ...everything, read: 'none' } },
    })
    const user = await given.user(admin, { role: 'Own deals' })
    const rep = withKey(await given.key(user))
    const { records } = await api.createRecords({
      object: 'deals',
      records: [{ name: 'Theirs', owner: user.user_id }, { name: 'Secret' }, { name: 'Secret too' }],
    })
    const [theirs, secret] = records.map(({ id }) => id)
    expect(await rep.listChanges({ record_id: secret! })).toEqual({ items: [], next_cursor: null, scope: 'own' })
    const { items } = await rep.listChanges({ record_id: theirs! })
    expect(items).toMatchObject([{ changes: [{ record_id: theirs }], other_changes: 0 }])
  })

  test('is found by an index, without scanning all changes of the company', async () => {
    const { api, admin } = await company()
    const { records } = await api.createRecords({ object: 'people', records: people(1) })
    await kith.ownerDb.transaction().execute(async (tx) => {
      await sql`insert into change_sets (company_id, id, at, operation, door, request_id)
        select ${admin.company_id}::uuid, gen_random_uuid(), now(), 'createRecords', 'api', 'r' from generate_series(1, 3000)`.execute(
        tx,
      )
      await sql`analyze change_sets`.execute(tx)
    })
    const sent = await statements.during(() => api.listChanges({ record_id: records[0]!.id }))
    const { text, values } = sent.find((one) => one.text.includes('from change_sets'))!
    const { rows } = await kith.pool.query(`explain ${text}`, values)
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(plan).toMatch(/change_sets_pkey on change_sets x[\s\S]*?Index Cond: .*id = t.change_set_id/)
    expect(plan).toContain('changes_by_record')
  })
})

describe('change sets', () => {
  test('show the first changes, as many as requested, and how many more there are', async () => {
    const { api } = await company()
    await api.createRecords({ object: 'people', records: people(40) })
    const [few] = (await api.listChanges({})).items
    expect(few!.changes).toHaveLength(5)
    expect(few!.other_changes).toBe(35)
    const [all] = (await api.listChanges({ max_changes: 1000 })).items
    expect(all!.changes).toHaveLength(40)
    expect(all!.other_changes).toBe(0)
  })

  test('of others are only for Admins, and the response says so', async () => {
    const { api, member } = await company()
    await api.createRecords({ object: 'people', records: people(1) })
    await member.createRecords({ object: 'products', records: [{ name: 'Mine' }] })
    expect(await member.listChanges({})).toMatchObject({ scope: 'own', items: [{ actor_name: 'Max Member' }] })
    expect(await api.listChanges({})).toMatchObject({ scope: 'all' })
  })

  test('are undone by ID; without one, the error explains how', async () => {
    const { api } = await company()
    const problem = await api.undoChanges({}).catch((error) => error.problem)
    expect(problem).toMatchObject({ status: 422, errors: [{ path: 'change_set_ids' }] })
    expect(problem.detail).toMatch(/change_set_ids.*"since" alone undoes what this key did/)
    const { records } = await api.createRecords({ object: 'people', records: people(1) })
    const undone = await api.undoChanges({ since: '2020-01-01T00:00:00Z' })
    expect(undone.undone).toBe(1)
    await expect(api.getRecord({ object: 'people', id: records[0]!.id })).toBeRefused(404)
  })
})
