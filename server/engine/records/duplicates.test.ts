import { describe, expect, test } from 'vitest'
import { everything } from '../../../contract/shared/access.ts'
import { testApp } from '../../../test/app.ts'
import { soon, testWorker } from '../../../test/worker.ts'

const kith = await testApp({ own: true })
await testWorker(kith)
const { given, withKey, withSession } = kith

async function newCompany() {
  const admin = await given.company()
  const api = withKey(await given.key(admin))
  const people = (...records: object[]) => api.createRecords({ object: 'people', records: records as never })
  const ids = async (...records: object[]) => (await people(...records)).records.map(({ id }) => id)
  return { admin, api, people, ids }
}
const ada = { first_name: 'Ada', last_name: 'Lovelace', emails: ['ada.lovelace@gmail.com'] }
/** The same mailbox, which is not the same address. */
const again = { first_name: 'Ada', last_name: 'Lovelace', emails: ['adalovelace+crm@gmail.com'] }
const other = { first_name: 'Grace', last_name: 'Hopper', emails: ['grace@navy.example'] }

describe('creating a record that probably exists', () => {
  test('creates it and names the duplicates with reasons', async () => {
    const { people, ids } = await newCompany()
    const [existing] = await ids(ada)
    const { records, duplicates } = await people(other, again)
    expect(records).toHaveLength(2)
    expect(duplicates).toEqual([
      {
        index: 1,
        outcome: 'created',
        hidden: 0,
        duplicates: [
          {
            id: existing,
            title: 'Ada Lovelace',
            likeness: 'certain',
            score: 100,
            reasons: ['same mailbox adalovelace@gmail.com', 'same name'],
          },
        ],
      },
    ])
  })

  test('can fail, and then writes nothing', async () => {
    const { api, ids } = await newCompany()
    const [existing] = await ids(ada)
    const input = { object: 'people', records: [other, again], on_duplicate: 'fail' } as never
    await expect(api.createRecords(input)).toBeRefused(409, 'conflict')
    expect(await api.countRecords({ object: 'people' })).toMatchObject({ count: 1 })
    await api.deleteRecords({ object: 'people', ids: [existing!] })
    expect((await api.createRecords(input)).records).toHaveLength(2)
  })

  test('can skip it, also if it is there twice in the same call', async () => {
    const { api, ids } = await newCompany()
    const [existing] = await ids(ada)
    const twin = { ...other, emails: ['grace+two@navy.example'] }
    const { records, duplicates } = await api.createRecords({
      object: 'people',
      records: [again, other, twin],
      on_duplicate: 'skip',
    } as never)
    expect(records.map(({ id, is_new }) => [id, is_new])).toEqual([
      [existing, false],
      [expect.any(String), true],
      [records[1]!.id, false],
    ])
    expect(duplicates.map(({ index, outcome }) => [index, outcome])).toEqual([
      [0, 'skipped'],
      [2, 'skipped'],
    ])
    expect(await api.countRecords({ object: 'people' })).toMatchObject({ count: 2 })
  })

  test('can update the existing one, which undo reverts', async () => {
    const { api, ids } = await newCompany()
    const [existing] = await ids(ada)
    const { records, change_set_id } = await api.createRecords({
      object: 'people',
      records: [{ ...again, city: 'London' }],
      on_duplicate: 'update',
    } as never)
    expect(records).toMatchObject([{ id: existing, is_new: false, city: 'London' }])
    expect(await api.getRecord({ object: 'people', id: existing! })).toMatchObject({
      city: 'London',
      emails: ['ada.lovelace@gmail.com', 'adalovelace+crm@gmail.com'],
    })
    await api.undoChanges({ change_set_ids: [change_set_id!] })
    expect((await api.getRecord({ object: 'people', id: existing! })).city).toBeUndefined()
  })

  test('of two calls at once that skip duplicates, one creates the record', async () => {
    const { api } = await newCompany()
    const input = (record: object) => ({ object: 'people', records: [record], on_duplicate: 'skip' }) as never
    const both = await Promise.all([api.createRecords(input(ada)), api.createRecords(input(again))])
    expect(new Set(both.map(({ records }) => records[0]!.id)).size).toBe(1)
    expect(await api.countRecords({ object: 'people' })).toMatchObject({ count: 1 })
  })

  test('counts duplicates that the caller cannot read, and does not show them', async () => {
    const { admin, ids } = await newCompany()
    await ids(ada)
    const rights = { '*': { ...everything, read: 'own', edit: 'own', delete: 'own' } }
    await withSession(await given.session(admin)).createRole({ name: 'Seller', records: rights as never })
    const seller = await given.user(admin, { role: 'Seller' })
    const { duplicates } = await withKey(await given.key(seller)).createRecords({
      object: 'people',
      records: [again] as never,
    })
    expect(duplicates).toEqual([{ index: 0, outcome: 'created', duplicates: [], hidden: 1 }])
  })
})

describe('the duplicates of an object', () => {
  test('are listed in groups, the likeliest first, and follow every change', async () => {
    const { api, ids } = await newCompany()
    const [one, two] = await ids(ada, again)
    const [three, four] = await ids(
      { first_name: 'Jo', last_name: 'Stone', phones: ['+49301234567'] },
      { first_name: 'Joe', last_name: 'Stone', phones: ['+49301234567'] },
    )
    const groups = async () => {
      const { items, total } = await api.getDuplicates({ object: 'people' })
      expect(total).toBe(items.length)
      return items.map(({ id, duplicates }) => [id, ...duplicates.map((found) => found.id)])
    }
    await soon(async () =>
      expect(await groups()).toEqual([
        [one, two],
        [three, four],
      ]),
    )
    const { records } = await api.queryRecords({ object: 'people', filter: 'has_duplicate = true' })
    expect(records.map(({ id }) => id).sort()).toEqual([one, two, three, four].sort())
    await api.deleteRecords({ object: 'people', ids: [two!] })
    expect(await groups()).toEqual([[three, four]])
    await api.updateRecords({ object: 'people', records: [{ id: four!, values: { phones: null } }] })
    await soon(async () => expect(await groups()).toEqual([]))
    await api.restoreRecords({ object: 'people', ids: [two!] })
    await soon(async () => expect(await groups()).toEqual([[one, two]]))
    expect(await api.countRecords({ object: 'people', filter: 'has_duplicate = false' })).toMatchObject({ count: 2 })
  })

  test('stay away once they are marked as different, until that is taken back', async () => {
    const { api, ids } = await newCompany()
    const [one, two] = await ids(ada, again)
    const groups = async () => (await api.getDuplicates({ object: 'people' })).items.length
    await soon(async () => expect(await groups()).toBe(1))
    await api.dismissDuplicates({ object: 'people', id: two!, others: [one!] })
    expect(await groups()).toBe(0)
    expect((await api.getDuplicates({ object: 'people', id: one! })).items[0]!.duplicates).toEqual([])
    await api.updateRecords({ object: 'people', records: [{ id: one!, values: { city: 'London' } }] })
    const dismissed = await api.getDuplicates({ object: 'people', is_dismissed: true })
    expect(dismissed).toMatchObject({ total: 1, items: [{ id: one, duplicates: [{ id: two, likeness: 'certain' }] }] })
    await api.dismissDuplicates({ object: 'people', id: one!, others: [two!], is_dismissed: false })
    await soon(async () => expect(await groups()).toBe(1))
  })

  test('are found for one record, and for values before they are written', async () => {
    const { api, ids } = await newCompany()
    const [one, two] = await ids(ada, again)
    const of = await api.getDuplicates({ object: 'people', id: one! })
    expect(of.items).toMatchObject([{ id: one, title: 'Ada Lovelace', duplicates: [{ id: two }] }])
    const values = { first_name: 'Ada', emails: ['ada.lovelace@gmail.com', 'not yet an address'] }
    const { items } = await api.getDuplicates({ object: 'people', values })
    expect(items[0]).toMatchObject({ id: null, duplicates: [] })
    const typed = await api.getDuplicates({ object: 'people', values: { emails: ['ada.lovelace@gmail.com'] } })
    expect(typed.items[0]!.duplicates.map(({ id }) => id)).toEqual([one, two])
  })

  test('do not exist for notes', async () => {
    const { api } = await newCompany()
    await expect(api.getDuplicates({ object: 'notes' })).toBeRefused(422)
  })
})
