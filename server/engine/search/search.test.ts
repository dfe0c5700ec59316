import { describe, expect, test } from 'vitest'
import { everything, type ObjectRights } from '../../../contract/access.ts'
import { type Api, testApp } from '../../../test/app.ts'

const kith = await testApp({ rateLimit: { perSecond: 1e6, burst: 1e6 } })
const { given, withKey, withSession } = kith

async function company() {
  const admin = await given.company()
  return { admin, api: withSession(await given.session(admin)) }
}

const create = async (api: Api, object: string, ...records: Record<string, unknown>[]) =>
  (await api.createRecords({ object, records })).records.map(({ id }) => id)
const titles = async (api: Api, q: string, limit?: number) =>
  (await api.searchRecords({ q, limit })).items.map(({ title }) => title)

describe('search', () => {
  test('finds records of every object, with a detail to tell them apart', async () => {
    const { api } = await company()
    const [person] = await create(api, 'people', { first_name: 'Ada', last_name: 'Nord', emails: ['ada@nord.example'] })
    const [organization] = await create(api, 'organizations', { name: 'Nord', domains: ['nord.example'] })
    await create(api, 'people', { first_name: 'Grace' })
    expect(await api.searchRecords({ q: 'nord' })).toEqual({
      items: [
        { object: 'organizations', id: organization, title: 'Nord', detail: 'nord.example' },
        { object: 'people', id: person, title: 'Ada Nord', detail: 'ada@nord.example' },
      ],
    })
  })

  test('ranks titles that start with the words first, then titles that contain them, then the rest, each newest first', async () => {
    const { api } = await company()
    await create(api, 'people', { first_name: 'Marta', last_name: 'Berg' })
    await create(api, 'organizations', { name: 'Berg AG' }, { name: 'Berger & Co' })
    await create(api, 'people', { first_name: 'Ida', job_title: 'Head of Bergen' })
    await create(api, 'people', { first_name: 'Old', last_name: 'Bergson' })
    const best = ['Berger & Co', 'Berg AG', 'Old Bergson', 'Marta Berg', 'Ida']
    expect(await titles(api, 'berg')).toEqual(best)
    expect(await titles(api, 'berg', 3)).toEqual(best.slice(0, 3))
  })

  test('ranks people and organizations before notes about them', async () => {
    const { api } = await company()
    await create(api, 'people', { first_name: 'Deniz', last_name: 'Çelik' })
    await create(api, 'organizations', { name: 'Çelik Makina' })
    await create(api, 'tasks', { title: 'Çelik: call back' }, { title: 'Call Deniz Çelik' })
    const best = ['Çelik Makina', 'Deniz Çelik', 'Çelik: call back', 'Call Deniz Çelik']
    expect(await titles(api, 'celik')).toEqual(best)
    expect(await titles(api, 'celik', 1)).toEqual(best.slice(0, 1))
    expect(await titles(api, 'deniz c')).toEqual(['Deniz Çelik', 'Call Deniz Çelik'])
  })

  test('matches words in any order, ignores case and accents, and takes symbols literally', async () => {
    const { api } = await company()
    await create(api, 'people', { first_name: 'Zoë', last_name: 'Müller' }, { first_name: '100%', last_name: 'A_B' })
    for (const q of ['zoe', 'MULLER zoë', ' müller  Z ', 'zo', 'Zoë Müller']) {
      expect(await titles(api, q), q).toEqual(['Zoë Müller'])
    }
    expect(await titles(api, '0%')).toEqual(['100% A_B'])
    expect(await titles(api, 'a_b')).toEqual(['100% A_B'])
    expect(await titles(api, '%')).toEqual(['100% A_B'])
    expect(await titles(api, 'zoe nobody')).toEqual([])
  })

  test('omits records that are in the trash, archived or of another company', async () => {
    const [ours, theirs] = [await company(), await company()]
    const [id] = await create(ours.api, 'people', { first_name: 'Canary' })
    expect(await titles(theirs.api, 'canary')).toEqual([])
    await ours.api.createObject({ key: 'birds', label: 'Bird', label_plural: 'Birds' })
    await create(ours.api, 'birds', { name: 'Canary bird' })
    expect(await titles(ours.api, 'canary')).toEqual(['Canary', 'Canary bird'])
    await ours.api.updateObject({ object: 'birds', is_archived: true })
    await ours.api.deleteRecords({ object: 'people', ids: [id!] })
    expect(await titles(ours.api, 'canary')).toEqual([])
  })

  test.each([
    ['all', ['Mine', 'Theirs']],
    ['own', ['Mine']],
    ['none', []],
  ] as const)('shows exactly the records that the role may read: %s', async (read, seen) => {
    const { admin, api } = await company()
    const rep = await given.user(admin)
    await create(
      api,
      'people',
      { first_name: 'Theirs', city: 'Bern', owner: admin.user_id },
      { first_name: 'Mine', city: 'Bern', owner: rep.user_id },
    )
    const rights: ObjectRights = { read, create: false, edit: 'none', delete: 'none' }
    await api.createRole({ name: 'Rep', records: { '*': everything, people: rights } })
    await api.changeUserRole({ id: rep.user_id, role: 'Rep' })
    const doors = [withSession(await given.session(rep)), withKey(await given.key(rep))]
    for (const door of doors) {
      expect((await titles(door, 'bern')).sort()).toEqual(seen)
    }
  })

  test('requires a search term', async () => {
    const { api } = await company()
    await expect(api.searchRecords({ q: '  ' })).rejects.toMatchObject({
      problem: { status: 422, errors: [{ path: 'q', message: 'Enter a search term' }] },
    })
  })
})
