import { describe, expect, test } from 'vitest'
import { everything, type ObjectRights } from '../../../contract/shared/access.ts'
import { type Api, testApp } from '../../../test/app.ts'

const kith = await testApp()
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
        {
          object: 'organizations',
          id: organization,
          title: 'Nord',
          detail: 'nord.example',
          matched: [{ field: 'title', ranges: [[0, 4]] }],
        },
        {
          object: 'people',
          id: person,
          title: 'Ada Nord',
          detail: 'ada@nord.example',
          matched: [{ field: 'title', ranges: [[4, 8]] }],
        },
      ],
    })
  })

  test('ranks titles that start with the words first, then titles that contain them, then the rest, each with whole words first', async () => {
    const { api } = await company()
    await create(api, 'people', { first_name: 'Marta', last_name: 'Berg' })
    await create(api, 'organizations', { name: 'Berg AG' }, { name: 'Berger & Co' })
    await create(api, 'people', { first_name: 'Ida', job_title: 'Head of Bergen' })
    await create(api, 'people', { first_name: 'Old', last_name: 'Bergson' })
    const best = ['Berg AG', 'Berger & Co', 'Marta Berg', 'Old Bergson', 'Ida']
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
    for (const q of ['00%', '10', 'a_b', 'A_']) expect(await titles(api, q), q).toEqual(['100% A_B'])
    for (const q of ['%', '_', '0%', '%%%']) expect(await titles(api, q), q).toEqual([])
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
    await api.updateUserRole({ id: rep.user_id, role: 'Rep' })
    const doors = [withSession(await given.session(rep)), withKey(await given.key(rep))]
    for (const door of doors) {
      expect((await titles(door, 'bern')).sort()).toEqual(seen)
    }
  })

  test('ranks an exact key first, then the whole name, then own records', async () => {
    const { admin, api } = await company()
    const rep = await given.user(admin)
    await create(
      api,
      'people',
      { last_name: 'Nordby', emails: ['x@nordby.example'], owner: admin.user_id },
      { first_name: 'Ada', last_name: 'Nordbyhus', owner: admin.user_id },
      { first_name: 'Bea', last_name: 'Nordbyhus', owner: rep.user_id },
    )
    await create(api, 'organizations', { name: 'Fjord', domains: ['nordby.example'] })
    const own = withSession(await given.session(rep))
    expect(await titles(own, 'nordby')).toEqual(['Fjord', 'Nordby', 'Bea Nordbyhus', 'Ada Nordbyhus'])
    expect((await titles(api, 'nordby'))[2]).toBe('Ada Nordbyhus')
  })

  test('says in which field and where each word was found', async () => {
    const { api } = await company()
    await api.updateCompany({ country: 'DE' })
    const [acme] = await create(api, 'organizations', { name: 'Acme Straße' })
    await create(api, 'people', {
      first_name: 'Jörg',
      last_name: 'Weiß',
      emails: ['jw@mail.example', 'jorg@acme.example'],
      phones: ['+49 30 123456'],
      notes_text: `${'Long before. '.repeat(20)}Likes Kölsch a lot. ${'Long after. '.repeat(20)}`,
      organization: acme,
    })
    const matched = async (q: string) => (await api.searchRecords({ q, objects: ['people'] })).items[0]!.matched
    expect(await matched('weiss JÖRG')).toEqual([
      {
        field: 'title',
        ranges: [
          [0, 4],
          [5, 9],
        ],
      },
    ])
    expect(await matched('joerg')).toEqual([{ field: 'title', ranges: [[0, 4]] }])
    expect(await matched('weisz')).toEqual([{ field: 'title', ranges: [[5, 9]] }])
    expect(await matched('jorg@acme.example')).toEqual([
      { field: 'emails', text: 'jorg@acme.example', ranges: [[0, 17]] },
    ])
    expect(await matched('030 123')).toEqual([{ field: 'phones', text: '+4930123456', ranges: [[1, 8]] }])
    expect(await matched('jörg strasse')).toEqual([
      { field: 'title', ranges: [[0, 4]] },
      { field: 'organization', text: 'Acme Straße', ranges: [[5, 11]] },
    ])
    const [{ text = '', ranges = [] } = {}] = await matched('kolsch')
    expect(text.slice(...ranges[0]!)).toBe('Kölsch')
    expect(text.length).toBeLessThan(130)
  })

  test('searches only the objects asked for', async () => {
    const { api } = await company()
    await create(api, 'people', { last_name: 'Canary' })
    await create(api, 'tasks', { title: 'Canary' })
    const of = async (...objects: string[]) => (await api.searchRecords({ q: 'canary', objects })).items
    expect((await of('tasks')).map(({ object }) => object)).toEqual(['tasks'])
    expect(await of('tasks', 'people')).toHaveLength(2)
    await expect(of('canaries')).rejects.toMatchObject({ problem: { status: 404 } })
  })

  test.each(['own', 'none'] as const)(
    'the name of an organization finds no one where the role may read %s of them',
    async (read) => {
      const { admin, api } = await company()
      const rep = await given.user(admin)
      const [hidden] = await create(api, 'organizations', { name: 'Canary Holding', owner: admin.user_id })
      await create(
        api,
        'people',
        { first_name: 'Ada', last_name: 'Nord', organization: hidden },
        { first_name: 'Bea', last_name: 'West' },
      )
      const organizations: ObjectRights = { read, create: false, edit: 'none', delete: 'none' }
      await api.createRole({ name: 'Rep', records: { '*': everything, organizations } })
      await api.updateUserRole({ id: rep.user_id, role: 'Rep' })
      expect((await api.searchRecords({ q: 'nord canary' })).items[0]!.matched[1]).toMatchObject({
        text: 'Canary Holding',
      })
      for (const door of [withSession(await given.session(rep)), withKey(await given.key(rep))]) {
        const { items } = await door.searchRecords({ q: 'nord canary' })
        // Found by the word that is in the record, as anyone would be.
        expect(items.map(({ title, matched }) => [title, matched.map(({ field }) => field)])).toEqual([
          ['Ada Nord', ['title']],
        ])
        for (const q of ['canary', 'canary holding', 'canari']) expect(await titles(door, q), q).toEqual([])
      }
    },
  )

  test('a list that is searched shows the best matches first, page by page and backwards, unless it is sorted', async () => {
    const { api } = await company()
    await create(
      api,
      'people',
      { first_name: 'Mueller', last_name: 'Ob', city: 'Bern' },
      { last_name: 'Müller' },
      { first_name: 'Ida', last_name: 'Stein', emails: ['i.mueller@mail.example'] },
      { first_name: 'Ida', last_name: 'Müllerin' },
      { first_name: 'Ida', last_name: 'Berg' },
    )
    const filter = 'search("müller")'
    const best = ['Müller', 'Ida Müllerin', 'Mueller Ob', 'Ida Stein']
    const list = async (more: object) => {
      const { records, next_cursor } = await api.listRecords({ object: 'people', filter, ...more })
      return { titles: records.map(({ title }) => title), next_cursor }
    }
    expect((await list({})).titles).toEqual(best)
    expect((await list({ backwards: true })).titles).toEqual(best.toReversed())
    const { titles: one, next_cursor } = await list({ limit: 3 })
    const { titles: two } = await list({ limit: 3, cursor: next_cursor })
    expect([...one, ...two]).toEqual(best)
    expect((await list({ sort: ['title'] })).titles).toEqual(best.toSorted())
    expect((await list({ filter: `city = Bern and ${filter}` })).titles).toEqual(['Mueller Ob'])
    expect(await api.countRecords({ object: 'people', filter })).toMatchObject({ count: 4 })
  })

  test('requires a search term', async () => {
    const { api } = await company()
    await expect(api.searchRecords({ q: '  ' })).rejects.toMatchObject({
      problem: { status: 422, errors: [{ path: 'q', message: 'Enter a search term' }] },
    })
  })
})
