import { describe, expect, test } from 'vitest'
import { everything } from '../../../contract/shared/access.ts'
import { type Api, testApp } from '../../../test/app.ts'

const kith = await testApp()

const nothingAt = { read: 'none', create: false, edit: 'none', delete: 'none' } as const

async function newCompany() {
  const admin = await kith.given.company()
  return { admin, api: kith.withKey(await kith.given.key(admin)) }
}

async function titles(api: Api, object: string, sort: string[], { backwards = false, limit = 3 } = {}) {
  const seen: unknown[] = []
  for (let cursor: string | undefined; ; ) {
    const page = await api.listRecords({ object, sort, is_backwards: backwards, limit, cursor })
    seen.push(...page.records.map(({ title }) => title))
    if (!page.next_cursor) return seen
    cursor = page.next_cursor
  }
}

async function expectBothWays(api: Api, object: string, sort: string[], wanted: string[]) {
  expect(await titles(api, object, sort)).toEqual(wanted)
  expect(await titles(api, object, sort, { backwards: true })).toEqual(wanted.toReversed())
}

describe('a list sorted by', () => {
  test('a relation is ordered by the titles of the linked records, records without one last', async () => {
    const { api } = await newCompany()
    const { records } = await api.createRecords({
      object: 'organizations',
      records: ['beta', 'Älpha', 'Gamma', 'beta', 'Trashed'].map((name) => ({ name })),
    })
    const [beta, alpha, gamma, twin, trashed] = records.map(({ id }) => id)
    const person = (last_name: string, organization?: string) => ({ last_name, organization })
    await api.createRecords({
      object: 'people',
      records: [
        person('G1', gamma),
        person('B1', beta),
        person('None'),
        person('A1', alpha),
        person('B2', twin),
        person('B3', beta),
        person('T1', trashed),
        person('A2', alpha),
      ],
    })
    await api.deleteRecords({ object: 'organizations', ids: [trashed!] })
    await expectBothWays(api, 'people', ['organization'], ['A1', 'A2', 'B1', 'B3', 'B2', 'G1', 'T1', 'None'])
    await expectBothWays(api, 'people', ['-organization'], ['G1', 'B2', 'B3', 'B1', 'A2', 'A1', 'T1', 'None'])
    const byBoth = await titles(api, 'people', ['organization', '-last_name'])
    expect(byBoth.slice(0, 2)).toEqual(['A2', 'A1'])
  })

  test('a field of a linked record is ordered by its value, in both directions, page by page', async () => {
    const { api } = await newCompany()
    const { records } = await api.createRecords({
      object: 'organizations',
      records: [
        { name: 'Wien AG', country: 'AT', size: 30 },
        { name: 'Berlin AG', country: 'DE', size: 100 },
        { name: 'Nowhere AG', size: 9 },
      ],
    })
    const [wien, berlin, nowhere] = records.map(({ id }) => id)
    const person = (last_name: string, organization?: string) => ({ last_name, organization })
    const made = [person('B1', berlin), person('N1', nowhere), person('None'), person('W1', wien), person('B2', berlin)]
    await api.createRecords({ object: 'people', records: made })
    await expectBothWays(api, 'people', ['organization.country'], ['W1', 'B1', 'B2', 'None', 'N1'])
    await expectBothWays(api, 'people', ['-organization.country'], ['B2', 'B1', 'W1', 'None', 'N1'])
    await expectBothWays(api, 'people', ['-organization.size'], ['B2', 'B1', 'W1', 'N1', 'None'])
    await expectBothWays(api, 'people', ['organization.title'], ['B1', 'B2', 'N1', 'W1', 'None'])
    expect(await titles(api, 'people', ['organization.country', '-last_name'])).toEqual([
      'W1',
      'B2',
      'B1',
      'None',
      'N1',
    ])
    expect((await titles(api, 'people', ['organization.created_at'])).slice(-1)).toEqual(['None'])
    const view = await api.createView({ object: 'people', name: 'By country', sort: ['organization.country'] })
    expect(view.sort).toEqual(['organization.country'])
    for (const sort of ['organization.tags', 'organization.nothing', 'emails.title', 'organization.parent.name'])
      await expect(api.listRecords({ object: 'people', sort: [sort] })).toBeRefused(422)
  })

  test('a field of a linked record does not reveal records that the caller may not read', async () => {
    const { admin, api } = await newCompany()
    const rights = { '*': everything, organizations: { ...everything, read: 'own' as const, edit: 'own' as const } }
    await api.createRole({ name: 'Own firms', records: rights })
    const rep = await kith.given.user(admin, { role: 'Own firms' })
    const theirs = kith.withKey(await kith.given.key(rep))
    const { records } = await api.createRecords({
      object: 'organizations',
      records: [
        { name: 'A', country: 'AT' },
        { name: 'Z', country: 'ZA', owner: rep.user_id },
      ],
    })
    const people = records.map(({ id }, i) => ({ last_name: `P${i}`, organization: id }))
    await api.createRecords({ object: 'people', records: people })
    expect(await titles(api, 'people', ['organization.country'])).toEqual(['P0', 'P1'])
    expect(await titles(theirs, 'people', ['organization.country'])).toEqual(['P1', 'P0'])
    expect(await titles(theirs, 'people', ['organization.country', 'title'])).toEqual(['P1', 'P0'])
    await api.createRole({ name: 'No firms', records: { '*': everything, organizations: nothingAt } })
    await api.updateUserRole({ id: rep.user_id, role: 'No firms' })
    await expect(theirs.listRecords({ object: 'people', sort: ['organization.country'] })).toBeRefused(422)
  })

  test('all fields of the record come with fields of linked ones', async () => {
    const { api } = await newCompany()
    const { records } = await api.createRecords({ object: 'organizations', records: [{ name: 'Acme', country: 'AT' }] })
    const person = { last_name: 'One', city: 'Graz', organization: records[0]!.id }
    await api.createRecords({ object: 'people', records: [person] })
    const fields = ['*', 'organization.title', 'organization.country']
    const { records: found } = await api.listRecords({ object: 'people', fields })
    expect(found[0]).toMatchObject({ city: 'Graz', organization: { title: 'Acme', country: 'AT' } })
  })

  test('a relation to hidden records is refused like a field that does not exist', async () => {
    const { admin, api } = await newCompany()
    const { records } = await api.createRecords({ object: 'organizations', records: [{ name: 'B' }, { name: 'A' }] })
    const people = records.map(({ id }, i) => ({ last_name: `P${i}`, organization: id }))
    await api.createRecords({ object: 'people', records: people })
    const rights = { '*': everything, organizations: { ...everything, read: 'none' as const, create: false } }
    await api.createRole({ name: 'Blind', grants: [], records: rights })
    const blind = kith.withKey(await kith.given.key(await kith.given.user(admin, { role: 'Blind' })))
    await expect(titles(blind, 'people', ['organization'])).toBeRefused(422)
  })

  test('a relation and another field uses only titles that the caller may read, also in its cursor', async () => {
    const { admin, api } = await newCompany()
    await api.createRole({
      name: 'Narrow',
      records: { '*': everything, organizations: { ...everything, read: 'own' } },
    })
    const narrow = await kith.given.user(admin, { role: 'Narrow' })
    const own = kith.withKey(await kith.given.key(narrow))
    const organizations = [{ name: 'Antarctic Secrets' }, { name: 'Mine', owner: narrow.user_id }, { name: 'Other' }]
    const { records } = await api.createRecords({ object: 'organizations', records: organizations })
    await api.createRecords({
      object: 'people',
      records: records.map(({ id }, i) => ({ last_name: `P${i}`, organization: id })),
    })
    await expectBothWays(api, 'people', ['organization', 'last_name'], ['P0', 'P1', 'P2'])
    await expectBothWays(own, 'people', ['organization', 'last_name'], ['P1', 'P0', 'P2'])
    const { next_cursor } = await own.listRecords({ object: 'people', sort: ['organization', 'last_name'], limit: 2 })
    expect(Buffer.from(next_cursor!, 'base64url').toString()).not.toContain('secrets')
  })

  test('a select field follows the order of its options, even if it changes between two pages', async () => {
    const { api } = await newCompany()
    const status = ['former', 'prospect', null, 'customer', 'active', 'prospect']
    await api.createRecords({
      object: 'people',
      records: status.map((one, i) => ({ last_name: `${one}${i}`, ...(one && { status: one }) })),
    })
    const wanted = ['prospect1', 'prospect5', 'active4', 'customer3', 'former0', 'null2']
    await expectBothWays(api, 'people', ['status'], wanted)
    const first = await api.listRecords({ object: 'people', sort: ['status'], limit: 3 })
    const { objects } = await api.describeSchema({ objects: ['people'] })
    const options = objects[0]!.fields.find(({ key }) => key === 'status')!.options!
    const [prospect, active, ...rest] = options
    await api.updateField({ object: 'people', field: 'status', options: [active, prospect, ...rest] as never })
    const cursor = first.next_cursor!
    const { records } = await api.listRecords({ object: 'people', sort: ['status'], limit: 10, cursor })
    expect(records.map(({ title }) => title)).not.toContain('active4')
  })

  test('title ignores case and accents', async () => {
    const { api } = await newCompany()
    await api.createRecords({ object: 'organizations', records: ['b', 'Ä', 'C', 'a'].map((name) => ({ name })) })
    expect((await titles(api, 'organizations', ['title'])).map(String).at(-1)).toBe('C')
    expect((await titles(api, 'organizations', ['title'])).slice(2)).toEqual(['b', 'C'])
  })
})
