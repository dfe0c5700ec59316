import pino from 'pino'
import { expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { expectDerived } from '../../../test/records/dump.ts'
import { updateAllBuiltIn } from '../objects/built-in.ts'
import { convertChoices } from './reindex.ts'

const kith = await testApp({ own: true })
const { given, withKey, pool, db } = kith

async function companyWithTexts(reasons: (string | null)[]) {
  const admin = await given.company()
  const api = withKey(await given.key(admin))
  const { company_id } = admin
  const sql = (text: string, ...values: unknown[]) => pool.query(text, [company_id, ...values])
  await sql(
    `update fields set type = 'text', options = null where company_id = $1 and built_in_key = any($2)
    and object_id = (select id from objects where company_id = $1 and built_in_key = 'deals')`,
    ['lost_reason', 'source'],
  )
  await sql(`update companies set schema_version = schema_version + 1 where id = $1`)
  const ids: string[] = []
  for (let from = 0; from < reasons.length; from += 100) {
    const records = reasons.slice(from, from + 100).map((lost_reason, i) => ({ name: `Deal ${from + i}`, lost_reason }))
    ids.push(...(await api.createRecords({ object: 'deals', records })).records.map(({ id }) => id))
  }
  const upgrade = async () => {
    await sql(`update companies set built_in_version = 6 where id = $1`)
    expect(await updateAllBuiltIn(db, pino({ level: 'silent' }))).toBe(1)
    await convertChoices(db)
  }
  const options = async (key: string) => {
    const { objects } = await api.describeSchema({ objects: ['deals'] })
    return objects[0]!.fields.find((field) => field.key === key)!.options!
  }
  const reason = async (id: string) => (await api.getRecord({ object: 'deals', id })).lost_reason
  return { admin, api, ids, upgrade, options, reason }
}

test('texts of deals become options, and views, rules and widgets that use them still find the same deals', async () => {
  const { admin, api, ids, upgrade, options, reason } = await companyWithTexts([
    'Too expensive',
    'too expensive',
    'Too expensive',
    'Too Expénsive',
    'Competitor won',
    'Competitor (Globex)',
    null,
  ])
  const view = async (filter: string) => (await api.createView({ object: 'deals', name: filter, filter })).id
  const filters = {
    'lost_reason = "too expensive"': 'lost_reason = too_expensive',
    'lost_reason ~ compet': 'lost_reason in (competitor_globex, competitor_won)',
    'lost_reason !~ expensive': 'lost_reason != too_expensive',
    'lost_reason starts with nothing': 'lost_reason is empty and lost_reason is not empty',
    'lost_reason in (price, "Competitor won")': 'lost_reason in (price, competitor_won)',
  }
  const views: string[] = []
  for (const filter of Object.keys(filters)) views.push(await view(filter))
  const buyers = await api.createView({
    object: 'people',
    name: 'Lost',
    filter: 'any(deals: lost_reason = "Competitor won")',
  })
  const board = await api.createDashboard({
    name: 'Losses',
    widgets: [{ id: 'a', type: 'number', object: 'deals', filter: 'lost_reason ~ "expensive"' }],
  })
  const counts = async () =>
    Promise.all(Object.keys(filters).map(async (filter) => (await api.countRecords({ object: 'deals', filter })).count))
  const changed = await api.updateRecords({
    object: 'deals',
    records: [{ id: ids[4]!, values: { lost_reason: 'Too expensive' } }],
  })
  const before = await counts()

  await upgrade()
  expect(await options('lost_reason')).toEqual([
    { key: 'too_expensive', label: 'Too expensive' },
    { key: 'competitor_globex', label: 'Competitor (Globex)' },
    { key: 'price', label: 'price' },
    { key: 'competitor_won', label: 'Competitor won' },
    { key: 'other', label: 'Other' },
  ])
  expect(
    (await options('source')).map(({ key }) => key),
    'those of new companies',
  ).toContain('referral')
  expect(await Promise.all(ids.slice(0, 4).map(reason))).toEqual(Array(4).fill('too_expensive'))
  expect(await reason(ids[6]!)).toBeUndefined()
  await expectDerived(kith, admin.company_id)

  const { items } = await api.listViews({})
  const now = views.map((id) => items.find((one) => one.id === id)!)
  expect(now.map(({ filter_error }) => filter_error)).toEqual(views.map(() => null))
  expect(now.map(({ filter }) => filter)).toEqual(Object.values(filters))
  const after = await Promise.all(
    now.map(async ({ filter }) => (await api.countRecords({ object: 'deals', filter: filter! })).count),
  )
  expect(after).toEqual(before)
  expect(items.find(({ id }) => id === buyers.id)!.filter).toBe('any(deals: lost_reason = competitor_won)')
  const { widgets } = await api.queryDashboard({ id: board.id })
  expect(widgets[0]).toMatchObject({ error: null, total: { values: { count: 5 } } })

  await api.undoChanges({ change_set_ids: [changed.change_set_id!] })
  expect(await reason(ids[4]!), 'a change from before can be undone').toBe('competitor_won')
})

test('of more than 200 texts, the rare ones become Other, and the history of the deal has them', async () => {
  const rare = Array.from({ length: 205 }, (_, i) => `Reason ${String(i).padStart(3, '0')}`)
  const { api, ids, upgrade, options, reason } = await companyWithTexts([...rare, 'Price', 'price', 'x'.repeat(150)])
  await upgrade()
  const all = await options('lost_reason')
  expect(all).toHaveLength(200)
  expect([all[0], all.at(-1)]).toEqual([
    { key: 'price', label: 'Price' },
    { key: 'other', label: 'Other' },
  ])
  expect(await reason(ids[0]!)).toBe('reason_000')
  expect(await reason(ids[204]!)).toBe('other')
  const { items } = await api.listChanges({ record_id: ids[204]!, limit: 1 })
  expect(items[0]).toMatchObject({
    principal: { kind: 'system' },
    changes: [{ fields: { lost_reason: { from: 'Reason 204', to: 'other' } } }],
  })
  expect(await reason(ids[207]!), 'too long for an option').toBe('other')
  const list = await api.queryRecords({ object: 'deals', filter: 'lost_reason = Other', limit: 10 })
  expect(list.records).toHaveLength(8)
})

test('a call with a text that is not an option is refused, with what to do', async () => {
  const admin = await given.company()
  const api = withKey(await given.key(admin))
  const refused = api.createRecords({ object: 'deals', records: [{ name: 'A', lost_reason: 'Prise' }] })
  await expect(refused).rejects.toMatchObject({
    problem: { status: 422, errors: [{ message: expect.stringContaining('There is no option Prise. Did you mean') }] },
  })
})
