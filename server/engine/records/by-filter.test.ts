// What agents do in one call instead of several: changes by filter, related records, names and domains.
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'

const kith = await testApp()
const { given, withKey } = kith

async function newCompany() {
  const admin = await given.company()
  const api = withKey(await given.key(admin))
  const create = async (object: string, ...records: object[]) =>
    (await api.createRecords({ object, records } as never)).records.map(({ id }) => id)
  return { admin, api, create }
}
const titles = ({ records }: { records: { [field: string]: unknown }[] }) =>
  records.map(({ title }) => String(title)).sort()

describe('a change by filter', () => {
  test('changes all records that match, and says how many there were', async () => {
    const { api, create } = await newCompany()
    await create('people', { last_name: 'A', city: 'Rome' }, { last_name: 'B', city: 'Rome' }, { last_name: 'C' })
    const input = { object: 'people', filter: 'city = Rome', values: { country: 'IT' } }
    expect(await api.updateRecords({ ...input, dry_run: true })).toMatchObject({ matched: 2, change_set_id: null })
    expect((await api.queryRecords({ object: 'people', filter: 'country = IT' })).records).toHaveLength(0)
    const { matched, records, change_set_id } = await api.updateRecords(input)
    expect({ matched, count: records.length }).toEqual({ matched: 2, count: 2 })
    expect(titles(await api.queryRecords({ object: 'people', filter: 'country = IT' }))).toEqual(['A', 'B'])
    await api.undoChanges({ change_set_ids: [change_set_id!] })
    expect((await api.queryRecords({ object: 'people', filter: 'country = IT' })).records).toHaveLength(0)
  })

  test('returns the first records only, and moves all to the trash', async () => {
    const { api, create } = await newCompany()
    await create('people', ...Array.from({ length: 25 }, (_, i) => ({ last_name: `P${i}`, city: 'Rome' })))
    const { records, matched, shown } = await api.deleteRecords({ object: 'people', filter: 'city = Rome' })
    expect([records.length, shown, matched]).toEqual([10, 10, 25])
    expect((await api.countRecords({ object: 'people' })).count).toBe(0)
  })

  test('is refused with the count if too many match', async () => {
    const { api, create } = await newCompany()
    for (let i = 0; i < 11; i++)
      await create('people', ...Array.from({ length: 100 }, (_, n) => ({ last_name: `P${i}-${n}`, city: 'Rome' })))
    const refused = api.updateRecords({ object: 'people', filter: 'city = Rome', values: { country: 'IT' } })
    await expect(refused).rejects.toThrow(/1,100 records/)
    expect((await api.queryRecords({ object: 'people', filter: 'country = IT' })).records).toHaveLength(0)
  })

  test('is refused without a condition, without values, and together with records', async () => {
    const { api, create } = await newCompany()
    const [id] = await create('people', { last_name: 'A' })
    const values = { city: 'Rome' }
    await expect(api.updateRecords({ object: 'people', filter: '', values })).toBeRefused(422)
    await expect(api.updateRecords({ object: 'people', filter: 'city = Rome' })).toBeRefused(422)
    const records = [{ id: id!, values }]
    await expect(api.updateRecords({ object: 'people', records, filter: 'city = Rome' })).toBeRefused(422)
    await expect(api.updateRecords({ object: 'people', records, values })).toBeRefused(422)
    await expect(api.deleteRecords({ object: 'people' })).toBeRefused(422)
  })
})

describe('a query', () => {
  test('returns related records of both directions, also of records in between', async () => {
    const { api, create } = await newCompany()
    const [acme, other] = await create('organizations', { name: 'Acme' }, { name: 'Other' })
    const [ada, bob] = await create(
      'people',
      { last_name: 'Ada', organization: acme, job_title: 'Boss' },
      { last_name: 'Bob', organization: acme },
    )
    await create('deals', { name: 'Engine', organization: acme, people: [ada] })
    await create('tasks', { title: 'Call', about: [ada] }, { title: 'Write', about: [bob] })
    const { records } = await api.queryRecords({
      object: 'organizations',
      sort: ['name'],
      fields: ['name'],
      related: { people: ['job_title'], deals: ['people'], 'people.tasks': [] },
    })
    expect(records[0]).toMatchObject({
      id: acme,
      $related: {
        people: [
          { id: bob, title: 'Bob' },
          { id: ada, title: 'Ada', job_title: 'Boss' },
        ],
        deals: [{ title: 'Engine', people: [{ id: ada, title: 'Ada' }] }],
        'people.tasks': [{ title: 'Write' }, { title: 'Call' }],
      },
    })
    expect(records[1]).toMatchObject({ id: other, $related: { people: [], deals: [], 'people.tasks': [] } })
    await expect(api.queryRecords({ object: 'organizations', related: { nobody: [] } })).toBeRefused(422)
    await expect(api.queryRecords({ object: 'organizations', related: { people: ['nothing'] } })).toBeRefused(422)
  })

  test('says where there are more related records than it returns', async () => {
    const { api, create } = await newCompany()
    const [acme] = await create('organizations', { name: 'Acme' })
    for (let i = 0; i < 2; i++)
      await create('people', ...Array.from({ length: 60 }, (_, n) => ({ last_name: `P${i}-${n}`, organization: acme })))
    const { records } = await api.getRecords({ object: 'organizations', ids: [acme!], related: { people: [] } })
    const [record] = records as { $related?: { people: unknown[] }; $more?: string[] }[]
    expect([record!.$related!.people.length, record!.$more]).toEqual([100, ['people']])
  })

  test('shows users with their names, and finds records by part of a name', async () => {
    const { admin, api, create } = await newCompany()
    const jose = await given.user(admin, { name: 'José Núñez' })
    await create('people', { last_name: 'Mine' }, { last_name: 'His', owner: jose.user_id })
    const find = async (filter: string) =>
      titles(await api.queryRecords({ object: 'people', filter, fields: ['title', 'owner.name'] }))
    const { records } = await api.queryRecords({ object: 'people', filter: 'last_name = His', fields: ['owner.name'] })
    expect(records[0]).toMatchObject({ owner: { id: jose.user_id, name: 'José Núñez' } })
    expect(await find('owner.name ~ "nunez"')).toEqual(['His'])
    expect(await find('owner.name !~ "nunez"')).toEqual(['Mine'])
    expect(await find('owner.name = "jose nunez" or owner.name starts with zz')).toEqual(['His'])
    expect(await find('owner.name is empty')).toEqual([])
  })

  test('finds and groups addresses by their domain', async () => {
    const { api, create } = await newCompany()
    await create(
      'people',
      { last_name: 'A', emails: ['a@acme.example', 'a@home.example'] },
      { last_name: 'B', emails: ['B@ACME.example'] },
      { last_name: 'C', emails: ['c@notacme.example'] },
      { last_name: 'D' },
    )
    const find = async (filter: string) => titles(await api.queryRecords({ object: 'people', filter }))
    expect(await find('emails.domain = "acme.example"')).toEqual(['A', 'B'])
    expect(await find('emails.domain = "@Acme.example"')).toEqual(['A', 'B'])
    expect(await find('emails.domain != "acme.example"')).toEqual(['C', 'D'])
    expect(await find('emails.domain in ("home.example", "notacme.example")')).toEqual(['A', 'C'])
    expect(await find('emails.domain ends with "acme.example"')).toEqual(['A', 'B', 'C'])
    expect(await find('emails.domain is empty')).toEqual(['D'])
    const { groups } = await api.aggregateRecords({ object: 'people', group_by: ['emails.domain'], order: '-count' })
    expect(groups.map(({ keys, values }) => [keys[0], values.count])).toEqual([
      ['acme.example', 2],
      ['home.example', 1],
      ['notacme.example', 1],
      [null, 1],
    ])
    for (const { filter, values } of groups) expect(await find(filter!)).toHaveLength(Number(values.count))
    await expect(find('emails.domain ~ "acme"')).toBeRefused(422)
    const checked = await api.validateFilter({ object: 'people', filter: 'emails.domain = "acme.example"' })
    expect(checked.text).toBe('emails.domain = "acme.example"')
  })
})

describe('an agent', () => {
  test('undoes its last change in one call', async () => {
    const { api, create } = await newCompany()
    const [id] = await create('people', { last_name: 'A' })
    await api.updateRecords({ object: 'people', records: [{ id: id!, values: { city: 'Rome' } }] })
    expect(await api.undoChanges({ last: 1 })).toMatchObject({ undone: 1 })
    expect((await api.getRecord({ object: 'people', id: id! })).city).toBeUndefined()
    await api.undoChanges({ last: 1 })
    await expect(api.getRecord({ object: 'people', id: id! })).toBeRefused(404)
    await expect(api.undoChanges({ last: 1 })).toBeRefused(404)
  })

  test('gets an overview of changes without values', async () => {
    const { api, create } = await newCompany()
    const [id] = await create('people', { last_name: 'A' })
    await api.updateRecords({ object: 'people', records: [{ id: id!, values: { city: 'Rome' } }] })
    const { items } = await api.listChanges({ record_id: id!, values: false })
    expect(items.map(({ changes }) => changes[0]!.fields)).toEqual([{ city: { from: null, to: null } }, {}])
  })
})
