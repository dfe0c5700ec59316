import { describe, expect, test } from 'vitest'
import { everything } from '../../../contract/shared/access.ts'
import { type Api, testApp } from '../../../test/app.ts'
import { statusOf } from '../../../test/records/refusal.ts'
import { between } from './board-order.ts'

const kith = await testApp()
const { given, withSession } = kith

async function board() {
  const admin = await given.company()
  const api = withSession(await given.session(admin))
  const records = ['A', 'B', 'C', 'D'].map((name) => ({ name, owner: admin.user_id }))
  const made = await api.createRecords({ object: 'deals', records })
  const ids = Object.fromEntries(made.records.map(({ id }, i) => [records[i]!.name, id]))
  const place = (api: Api, name: string, above?: string, below?: string) =>
    api.placeRecord({ object: 'deals', id: ids[name]!, above: above && ids[above], below: below && ids[below] })
  return { admin, api, ids, place }
}

async function order(api: Api, more = {}) {
  const { records } = await api.queryRecords({ object: 'deals', sort: ['$manual'], ...more })
  return records.map(({ title }) => title).join('')
}

describe('the manual order', () => {
  test('is newest first until a record is placed, and can be read page by page', async () => {
    const { api, place } = await board()
    expect(await order(api)).toBe('DCBA')
    await place(api, 'A', 'C', 'D')
    expect(await order(api)).toBe('DACB')
    await place(api, 'B', 'D')
    expect(await order(api)).toBe('BDAC')
    await place(api, 'D', undefined, 'C')
    expect(await order(api)).toBe('BACD')
    const { next_cursor } = await api.queryRecords({ object: 'deals', sort: ['$manual'], limit: 2 })
    expect(await order(api, { limit: 2, cursor: next_cursor })).toBe('CD')
    await api.createRecords({ object: 'deals', records: [{ name: 'N' }] })
    expect(await order(api)).toBe('NBACD')
  })

  test('does not change the record: no new version, nothing in its history', async () => {
    const { api, ids, place } = await board()
    await place(api, 'A', 'C', 'D')
    expect(await api.getRecord({ object: 'deals', id: ids.A! })).toMatchObject({ version: 1 })
    expect((await api.listChanges({ record_id: ids.A! })).items).toHaveLength(1)
  })

  test('is refused beside records that have moved, that do not exist, and for those who may not edit the record', async () => {
    const { admin, api, ids, place } = await board()
    expect(await statusOf(place(api, 'A', 'D', 'C'))).toBe(409)
    expect(await statusOf(place(api, 'A', 'A'))).toBe(409)
    await api.deleteRecords({ object: 'deals', ids: [ids.B!] })
    expect(await statusOf(place(api, 'A', 'B'))).toBe(404)
    const rep = await given.user(admin)
    await api.createRole({ name: 'Rep', records: { '*': { ...everything, edit: 'own' } } })
    await api.updateUserRole({ id: rep.user_id, role: 'Rep' })
    expect(await statusOf(place(withSession(await given.session(rep)), 'A', 'C'))).toBe(403)
    expect(await order(api)).toBe('DCA')
  })

  test('always has room between two records, in texts that stay short', () => {
    const ids = ['0193f2a1-aaaa-7bbb-8ccc-000000000000', '0193f2a1-aaaa-7bbb-8ccc-000000000001']
    for (const keepLow of [true, false, undefined]) {
      let [low, high] = ids as [string, string]
      for (let i = 0; i < 1000; i++) {
        const middle = between(low, high)
        expect(low < middle && middle < high, `${low} ${middle} ${high}`).toBe(true)
        if (keepLow ?? i % 2) high = middle
        else low = middle
      }
      expect(Math.max(low.length, high.length)).toBeLessThan(260)
    }
  })
})
