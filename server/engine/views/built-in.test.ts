import { expect, test } from 'vitest'
import { builtInViews, builtInViewsVersion } from '../../../contract/built-in/views.ts'
import { testApp } from '../../../test/app.ts'
import { sha256 } from '../../platform/secrets.ts'
import { addAllBuiltInViews, type DesiredViews } from './built-in.ts'

const kith = await testApp()
const log = { warn: () => {} } as never
const add = (desired?: DesiredViews) => addAllBuiltInViews(kith.backgroundDb, log, new Date(), desired)

async function newCompany() {
  const admin = await kith.given.company({ hasViews: true })
  return { ...admin, api: kith.withSession(await kith.given.session(admin)) }
}
type Company = Awaited<ReturnType<typeof newCompany>>

/** As an earlier release left a company. */
const asReleased = ({ company_id }: Company) =>
  kith.pool.query(
    `with gone as (delete from views where company_id = $1) update companies set built_in_views_version = 0 where id = $1`,
    [company_id],
  )
const namesOf = async ({ api }: Company, object: string) =>
  (await api.listViews({ object })).items.map(({ name }) => name)

test('the shipped views have a new version whenever they change', () => {
  const digest = sha256(JSON.stringify(builtInViews)).toString('hex').slice(0, 12)
  // If this fails, raise builtInViewsVersion, give new views their `since`, and write down both here.
  expect([builtInViewsVersion, digest]).toEqual([3, '94a7db085933'])
})

test('a new company has shared views that work for everyone, also via the API', async () => {
  const company = await newCompany()
  const member = await kith.given.user(company)
  const { items } = await kith.withSession(await kith.given.session(member)).listViews({})
  expect(items.map(({ object, name }) => `${object}: ${name}`)).toEqual(
    expect.arrayContaining(['deals: My open deals', 'deals: No next step', 'tasks: Overdue tasks', 'leads: New leads']),
  )
  expect(items).toHaveLength(builtInViews.length)
  expect(items.every(({ is_shared, is_mine, filter_error }) => is_shared && !is_mine && filter_error === null)).toBe(
    true,
  )
  for (const { object, filter, sort } of items)
    await company.api.queryRecords({ object, filter: filter ?? undefined, sort })
})

test('"No next step" finds open deals without an open task', async () => {
  const { api } = await newCompany()
  const { records } = await api.createRecords({ object: 'deals', records: [{ name: 'With' }, { name: 'Without' }] })
  await api.createRecords({ object: 'tasks', records: [{ title: 'Call', about: [records[0]!.id] }] })
  const view = (await api.listViews({ object: 'deals' })).items.find(({ name }) => name === 'No next step')!
  const found = await api.queryRecords({ object: 'deals', filter: view.filter! })
  expect(found.records.map(({ title }) => title)).toEqual(['Without'])
})

test('an existing company gets them once, after its own, and what it deletes or renames stays so', async () => {
  const company = await newCompany()
  await asReleased(company)
  const { api } = company
  await api.createView({ object: 'deals', name: 'Ours', is_shared: true })
  await api.createView({ object: 'deals', name: 'closing THIS month', is_shared: true, filter: 'amount > 5' })
  await add()
  expect(await namesOf(company, 'deals')).toEqual([
    'Ours',
    'closing THIS month',
    'Pipeline',
    'My open deals',
    'No next step',
  ])
  const [, , , mine, next] = (await api.listViews({ object: 'deals' })).items
  await api.deleteView({ id: mine!.id })
  await api.updateView({ id: next!.id, name: 'Forgotten' })
  const later = {
    object: 'deals',
    name: 'Won',
    filter: '{deals.status} = won',
    sort: [],
    since: builtInViewsVersion + 1,
  }
  await add({ version: builtInViewsVersion + 1, views: [...builtInViews, later] })
  expect(await namesOf(company, 'deals')).toEqual(['Ours', 'closing THIS month', 'Pipeline', 'Forgotten', 'Won'])
  expect(await add({ version: builtInViewsVersion + 1, views: [...builtInViews, later] })).toBe(0)
})

test('a view whose options the company removed is left out, and the others come', async () => {
  const company = await newCompany()
  await asReleased(company)
  const { api } = company
  const { objects } = await api.describeSchema({ objects: ['leads'] })
  const status = objects[0]!.fields.find(({ key }) => key === 'status')!
  const options = status.options!.filter(({ key }) => key !== 'new')
  await kith.pool.query(
    `update fields f set options = $2 from objects o where f.company_id = $1 and o.company_id = $1 and f.object_id = o.id
      and o.key = 'leads' and f.key = 'status'`,
    [company.company_id, JSON.stringify(options)],
  )
  await add()
  expect(await namesOf(company, 'leads')).toEqual(['My leads'])
})
