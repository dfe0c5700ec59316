import { describe, expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import { statusOf } from '../../../test/records/refusal.ts'
import { pruneTrash } from './purge.ts'

const kith = await testApp()
const { given, withKey, withSession, time } = kith
const day = 86_400_000

async function company() {
  const admin = await given.company()
  const member = await given.user(admin)
  const [boss, rep] = [withKey(await given.key(admin)), withKey(await given.key(member))]
  const { records } = await boss.createRecords({
    object: 'people',
    records: ['A', 'B', 'C', 'D'].map((first_name) => ({ first_name, owner: member.user_id })),
  })
  return { admin, member, boss, rep, ids: records.map(({ id }) => id) }
}

describe('the trash', () => {
  test('lists the most recently deleted first, in pages, with who deleted it', async () => {
    const { admin, member, boss, rep, ids } = await company()
    const [a, b, c, d] = ids as [string, string, string, string]
    for (const [api, id] of [
      [boss, c],
      [rep, a],
      [rep, d],
      [boss, b],
    ] as const) {
      time.now = new Date(time.now.getTime() + 1000)
      await api.deleteRecords({ object: 'people', ids: [id] })
    }
    const seen: unknown[] = []
    let cursor: string | undefined
    do {
      const page = await boss.listRecords({ object: 'people', is_deleted: true, limit: 3, cursor })
      seen.push(...page.records.map(({ id, deleted_by }) => [id, deleted_by]))
      cursor = page.next_cursor ?? undefined
    } while (cursor)
    const [theirs, mine] = [admin.user_id, member.user_id]
    expect(seen).toEqual([
      [b, theirs],
      [d, mine],
      [a, mine],
      [c, theirs],
    ])
    expect(
      (await boss.listRecords({ object: 'people', is_deleted: true, sort: ['title'] })).records.map(({ id }) => id),
    ).toEqual(ids)
  })

  test('shows the key and client of a deletion to people who may see the change', async () => {
    const { admin, member, boss, rep, ids } = await company()
    const key = await given.key(member)
    await withKey(key).deleteRecords({ object: 'people', ids: [ids[0]!] })
    time.now = new Date(time.now.getTime() + 1000)
    await withSession(await given.session(admin)).deleteRecords({ object: 'people', ids: [ids[1]!] })
    const shown = async (api: typeof boss) =>
      (await api.listRecords({ object: 'people', is_deleted: true })).records.map(({ deleted_with }) => deleted_with)
    const tool = { api_key_name: expect.any(String), client: expect.any(String) }
    expect(await shown(boss)).toEqual([null, tool])
    expect(await shown(rep)).toEqual([null, tool])
    const other = withKey(await given.key(await given.user(admin)))
    expect(await shown(other)).toEqual([null, null])
  })

  test('is emptied of records that are past the retention period, and no others', async () => {
    const { boss, ids } = await company()
    const others = await company()
    const [a, b, c] = ids as [string, string, string]
    const { records } = await boss.createRecords({ object: 'notes', records: [{ body: 'About', about: [a, c] }] })
    await boss.updateRetentionSettings({ trash_days: 7 })
    await boss.deleteRecords({ object: 'people', ids: [a] })
    await others.boss.deleteRecords({ object: 'people', ids: [others.ids[0]!] })
    time.now = new Date(time.now.getTime() + 5 * day)
    await boss.deleteRecords({ object: 'people', ids: [b] })
    time.now = new Date(time.now.getTime() + 3 * day)
    await pruneTrash(kith.backgroundDb, time.now)
    const left = await boss.listRecords({ object: 'people', is_deleted: true })
    expect(left.records.map(({ id }) => id)).toEqual([b])
    expect(await statusOf(boss.restoreRecords({ object: 'people', ids: [a] }))).toBe(404)
    expect(await boss.countRecords({ object: 'people' })).toMatchObject({ count: 2 })
    expect(await others.boss.countRecords({ object: 'people', is_deleted: true })).toMatchObject({ count: 1 })
    const { rows } = await kith.pool.query('select to_id from links where from_id = $1', [records[0]!.id])
    expect(rows).toEqual([{ to_id: c }])
    const [last] = (await boss.listChanges({ record_id: records[0]!.id })).items
    expect(last).toMatchObject({ actor_id: null, door: 'automation', changes: [{ fields: { about: { to: [c] } } }] })
  })

  test('returns titles of deleted records only on request', async () => {
    const { boss, ids } = await company()
    await boss.deleteRecords({ object: 'people', ids: [ids[0]!] })
    const some = { ids: ids.slice(0, 2) }
    expect((await boss.getRecordTitles(some)).items.map(({ title }) => title)).toEqual(['B'])
    expect(
      (await boss.getRecordTitles({ ...some, include_deleted: true })).items.map(({ title }) => title).sort(),
    ).toEqual(['A', 'B'])
  })
})

describe('the trash of all objects', () => {
  test('is one list in pages, can be searched, and limited to an object or to who deleted', async () => {
    const { member, boss, rep, ids } = await company()
    const { records: deals } = await rep.createRecords({ object: 'deals', records: [{ name: 'Roof of Rheintal' }] })
    for (const [api, object, id] of [
      [boss, 'people', ids[0]!],
      [rep, 'deals', deals[0]!.id],
      [rep, 'people', ids[1]!],
    ] as const) {
      time.now = new Date(time.now.getTime() + 1000)
      await api.deleteRecords({ object, ids: [id] })
    }
    const titles = async (asked: Parameters<typeof boss.listTrash>[0]) =>
      (await boss.listTrash(asked)).items.map(({ object, title }) => `${object} ${title}`)
    expect(await titles({})).toEqual(['people B', 'deals Roof of Rheintal', 'people A'])
    const first = await boss.listTrash({ limit: 2 })
    expect(first.items[0]).toMatchObject({ id: ids[1], deleted_by: member.user_id, deleted_at: time.now.toISOString() })
    expect(await titles({ limit: 2, cursor: first.next_cursor! })).toEqual(['people A'])
    expect(await titles({ q: 'rheintal' })).toEqual(['deals Roof of Rheintal'])
    expect(await titles({ object: 'people' })).toEqual(['people B', 'people A'])
    expect(await titles({ deleted_by: member.user_id })).toEqual(['people B', 'deals Roof of Rheintal'])
    expect(await statusOf(boss.listTrash({ cursor: 'eHg' }))).toBe(422)
  })

  test('has only records that the caller may read', async () => {
    const { admin, boss, ids } = await company()
    await withSession(await given.session(admin)).createRole({
      name: 'Own people',
      records: {
        '*': { read: 'none', create: false, edit: 'none', delete: 'none' },
        people: { read: 'own', create: true, edit: 'own', delete: 'own' },
      },
    })
    const own = withKey(await given.key(await given.user(admin, { role: 'Own people' })))
    const { records } = await own.createRecords({ object: 'people', records: [{ first_name: 'Mine' }] })
    const { records: deals } = await boss.createRecords({ object: 'deals', records: [{ name: 'Secret' }] })
    await boss.deleteRecords({ object: 'people', ids: [ids[0]!, records[0]!.id] })
    await boss.deleteRecords({ object: 'deals', ids: [deals[0]!.id] })
    expect((await own.listTrash({})).items.map(({ title }) => title)).toEqual(['Mine'])
  })
})
