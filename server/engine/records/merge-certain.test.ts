import { describe, expect, test } from 'vitest'
import { type Api, testApp } from '../../../test/app.ts'
import { soon, testWorker } from '../../../test/worker.ts'

const kith = await testApp({ own: true })
const worker = await testWorker(kith)
const { given, withKey, withSession } = kith

async function newCompany(merge_certain: string[] = ['people']) {
  const admin = await given.company()
  const api = withKey(await given.key(admin))
  if (merge_certain.length) await api.updateDuplicateSettings({ merge_certain })
  const session = withSession(await given.session(admin))
  return { admin, api, session }
}
const create = async (api: Api, object: string, values: object) =>
  (await api.createRecords({ object, records: [values] } as never)).records[0]!.id
const lead = (values: object) => ({ first_name: 'Ada', last_name: 'Lovelace', email: 'ada@one.example', ...values })
const person = (email: string, more: object = {}) => ({
  first_name: 'Ada',
  last_name: 'Lovelace',
  emails: [email],
  phones: ['+39 011 1234567'],
  ...more,
})
/** The record that is found by the ID of another. */
const found = async (api: Api, object: string, id: string) => (await api.getRecord({ object, id })).id
const paired = (api: Api, object: string) =>
  soon(async () => {
    const { count } = await api.countRecords({ object, filter: 'has_duplicate = true' })
    expect(count).toBeGreaterThan(0)
  })
/** After everything that is waiting has been done: what comes later is in the list. */
const settled = async (api: Api) => {
  const one = await create(api, 'leads', lead({ email: 'z@z.example', last_name: 'Zuse' }))
  const second = await create(api, 'leads', lead({ email: 'z@z.example', last_name: 'Zuse' }))
  await soon(async () => expect(await found(api, 'leads', second)).toBe(one))
}

describe('certain duplicates', () => {
  test('are merged into the record that was created first, and Admins are notified once a day', async () => {
    const { api } = await newCompany(['leads'])
    const first = await create(api, 'leads', lead({}))
    const second = await create(api, 'leads', lead({ company_name: 'Analytical Engines' }))
    await soon(async () => expect(await found(api, 'leads', second)).toBe(first))
    expect(await api.getRecord({ object: 'leads', id: first })).toMatchObject({ company_name: 'Analytical Engines' })
    const third = await create(api, 'leads', lead({}))
    await soon(async () => expect(await found(api, 'leads', third)).toBe(first))
    await soon(async () => {
      const { items } = await api.listNotifications({})
      expect(items.map(({ kind, text }) => [kind, text])).toEqual([
        ['duplicates_merged', 'Kith merged 2 duplicate leads'],
      ])
      expect(items[0]!.link).toMatch(/^\/activity\?key=kith&first=.+&last=.+/)
    })
    const { items } = await api.listChanges({ by_kith: true })
    expect(items).toMatchObject([
      {
        operation: 'mergeRecords',
        principal: { name: 'Kith' },
        actor_id: null,
        merged: { record_id: first, count: 1 },
      },
      { merged: { record_id: first, count: 1 } },
    ])
    kith.minutes(24 * 60)
    const tomorrow = await create(api, 'leads', lead({}))
    await soon(async () => expect(await found(api, 'leads', tomorrow)).toBe(first))
    await soon(async () => expect((await api.listNotifications({})).items).toHaveLength(2))
  })

  test('are not merged again once someone has undone it', async () => {
    const { api } = await newCompany(['leads'])
    const first = await create(api, 'leads', lead({}))
    const second = await create(api, 'leads', lead({}))
    await soon(async () => expect(await found(api, 'leads', second)).toBe(first))
    const { items } = await api.listChanges({ by_kith: true })
    await api.undoChanges({ change_set_ids: [items[0]!.id] })
    expect(await found(api, 'leads', second)).toBe(second)
    await api.updateRecords({ object: 'leads', records: [{ id: second, values: { company_name: 'Engines' } }] })
    await paired(api, 'leads')
    await settled(api)
    expect(await found(api, 'leads', second)).toBe(second)
  })

  test('stay apart if someone typed different unique values, and lists of programs are joined', async () => {
    const { api, session } = await newCompany()
    const first = await create(api, 'people', person('ada@one.example'))
    const second = await create(api, 'people', person('ada@two.example'))
    await soon(async () => expect(await found(api, 'people', second)).toBe(first))
    expect((await api.getRecord({ object: 'people', id: first })).emails).toEqual([
      'ada@one.example',
      'ada@two.example',
    ])
    const typed = { last_name: 'Hopper', phones: ['+39 011 7654321'] }
    await create(session, 'people', person('grace@one.example', typed))
    const twin = await create(api, 'people', person('grace@two.example', typed))
    await paired(api, 'people')
    await api.updateDuplicateSettings({ merge_certain: ['leads', 'people'] })
    await settled(api)
    expect(await found(api, 'people', twin)).toBe(twin)
  })

  test('are merged only in objects that an Admin chose, and then also those that were found before', async () => {
    const { admin, api } = await newCompany([])
    expect(await api.getDuplicateSettings({})).toEqual({ merge_certain: [] })
    const first = await create(api, 'leads', lead({}))
    const second = await create(api, 'leads', lead({}))
    await paired(api, 'leads')
    expect(await found(api, 'leads', second)).toBe(second)
    const third = await create(api, 'leads', lead({ last_name: 'King' }))
    await soon(async () => {
      const { count } = await api.countRecords({ object: 'leads', filter: 'has_duplicate = true' })
      expect(count).toBe(3)
    })
    await api.dismissDuplicates({ object: 'leads', id: first, others: [third] })
    expect(await api.updateDuplicateSettings({ merge_certain: ['leads', 'leads'] })).toEqual({
      merge_certain: ['leads'],
    })
    await soon(async () => expect(await found(api, 'leads', second)).toBe(first))
    await settled(api)
    expect(await found(api, 'leads', third)).toBe(third)
    const { items } = await api.listAuditEvents({ action: 'duplicate_settings.updated' })
    expect(items).toMatchObject([{ actor_id: admin.user_id, data: { merge_certain: ['leads'] } }])
    await expect(api.updateDuplicateSettings({ merge_certain: ['tasks'] })).toBeRefused(422)
    await expect(api.updateDuplicateSettings({ merge_certain: ['ghosts'] })).toBeRefused(422)
    const member = withKey(await given.key(await given.user(admin)))
    await expect(member.getDuplicateSettings({})).toBeRefused(403)
  })

  test('stay apart if someone said so of a record that was merged into one of them', async () => {
    const { api } = await newCompany([])
    const first = await create(api, 'leads', lead({}))
    const second = await create(api, 'leads', lead({}))
    const third = await create(api, 'leads', lead({ company_name: 'King' }))
    await api.dismissDuplicates({ object: 'leads', id: first, others: [third] })
    await api.mergeRecords({ object: 'leads', id: second, merge: [third] })
    await paired(api, 'leads')
    await api.updateDuplicateSettings({ merge_certain: ['leads'] })
    await settled(api)
    expect(await found(api, 'leads', third)).toBe(second)
  })

  test('are merged once by two processes', async () => {
    const { admin, api } = await newCompany([])
    const ids = [await create(api, 'leads', lead({})), await create(api, 'leads', lead({}))]
    await paired(api, 'leads')
    await kith.db
      .updateTable('companies')
      .set({ merge_certain: ['leads'] })
      .where('id', '=', admin.company_id)
      .execute()
    const event = { company_id: admin.company_id, payload: {} }
    await Promise.all([1, 2, 3].map(() => worker.run('merge_certain_duplicates', event as never)))
    expect((await api.listChanges({ by_kith: true })).items).toHaveLength(1)
    expect(await found(api, 'leads', ids[1]!)).toBe(ids[0])
  })
})
