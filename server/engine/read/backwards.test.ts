import { expect, test } from 'vitest'
import { everything } from '../../../contract/shared/access.ts'
import { type Api, testApp } from '../../../test/app.ts'

const kith = await testApp()

async function newCompany() {
  const admin = await kith.given.company()
  return { admin, api: kith.withKey(await kith.given.key(admin)) }
}

async function titles(api: Api, sort: string[] | undefined, backwards: boolean) {
  const seen: unknown[] = []
  for (let cursor: string | undefined; ; ) {
    const page = await api.listRecords({ object: 'people', sort, is_backwards: backwards, limit: 3, cursor })
    seen.push(...page.records.map(({ title }) => title))
    if (!page.next_cursor) return seen
    cursor = page.next_cursor
  }
}

test('a list read backwards is the same list from its end, including empty values', async () => {
  const { api } = await newCompany()
  const scores = [5, null, 3, 3, null, 9, 1, null, 3, null]
  const status = ['active', null, 'prospect', 'former', 'active', null, null, 'active', 'active', 'former']
  const records = scores.map((score, i) => ({
    first_name: `P${i}`,
    score,
    status: status[i],
    job_title: status[9 - i],
  }))
  await api.createRecords({ object: 'people', records })
  const sorts = [
    undefined,
    ['score'],
    ['-score'],
    ['status'],
    ['job_title'],
    ['-title'],
    ['created_at'],
    ['status', '-score'],
    ['-status', 'job_title', 'score'],
  ]
  for (const sort of sorts) {
    const forwards = await titles(api, sort, false)
    expect(forwards.length, String(sort)).toBe(10)
    expect(await titles(api, sort, true), String(sort)).toEqual(forwards.toReversed())
  }
})

test('the cursor of one direction does not work in the other', async () => {
  const { api } = await newCompany()
  await api.createRecords({ object: 'people', records: [{ first_name: 'A' }, { first_name: 'B' }] })
  const { next_cursor } = await api.listRecords({ object: 'people', limit: 1 })
  const turned = api.listRecords({ object: 'people', limit: 1, is_backwards: true, cursor: next_cursor! })
  await expect(turned).toBeRefused(422)
})

test('titles are returned for records of any object that the caller may see', async () => {
  const { admin, api } = await newCompany()
  const made = async (object: string, values: Record<string, unknown>) =>
    (await api.createRecords({ object, records: [values] })).records[0]!.id
  const person = await made('people', { first_name: 'Ada', last_name: 'Lovelace' })
  const deal = await made('deals', { name: 'Engine' })
  const gone = await made('deals', { name: 'Gone' })
  await api.deleteRecords({ object: 'deals', ids: [gone] })
  const ids = [person, deal, gone, crypto.randomUUID()]
  const { items } = await api.getRecordTitles({ ids })
  expect(items).toHaveLength(2)
  expect(items).toContainEqual({ object: 'people', id: person, title: 'Ada Lovelace' })
  expect(items).toContainEqual({ object: 'deals', id: deal, title: 'Engine' })

  const none = { read: 'none', create: false, edit: 'none', delete: 'none' } as const
  const session = kith.withSession(await kith.given.session(admin))
  const own = { ...everything, read: 'own' } as const
  await session.createRole({ name: 'Narrow', grants: [], records: { '*': everything, deals: none, people: own } })
  const narrow = await kith.given.user(admin, { role: 'Narrow' })
  const theirs = kith.withKey(await kith.given.key(narrow))
  expect(await theirs.getRecordTitles({ ids })).toEqual({
    items: [{ object: 'people', id: person, title: 'Private person', is_private: true }],
  })
  const other = await kith.given.company()
  expect(await kith.withKey(await kith.given.key(other)).getRecordTitles({ ids })).toEqual({ items: [] })
})
