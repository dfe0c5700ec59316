// What the ID of a merged record leads to.
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { everything } from '../../../contract/shared/access.ts'
import { type Api, testApp } from '../../../test/app.ts'
import { mcpFor } from '../../../test/mcp.ts'
import { statementsOf } from '../../../test/statements.ts'

const kith = await testApp()
const { given, withKey, withSession } = kith
const mcp = await mcpFor(kith)

async function newCompany() {
  const admin = await given.company()
  const key = await given.key(admin)
  const api = withKey(key)
  const person = async (last_name: string, values: object = {}) =>
    (await api.createRecords({ object: 'people', records: [{ last_name, ...values }] })).records[0]!.id
  const merge = async (id: string, ...merge: string[]) =>
    (await api.mergeRecords({ object: 'people', id, merge })).change_set_id!
  const undo = async (...change_set_ids: string[]) => (await api.undoChanges({ change_set_ids })).change_set_id!
  const remove = async (id: string) => (await api.deleteRecords({ object: 'people', ids: [id] })).change_set_id!
  const restore = async (id: string) => (await api.restoreRecords({ object: 'people', ids: [id] })).change_set_id!
  const purge = (id: string) => api.purgeRecords({ object: 'people', ids: [id] })
  return { admin, key, api, person, merge, undo, remove, restore, purge }
}
/** The record that is found by this ID; undefined: none. */
const found = (api: Api, id: string) =>
  api.getRecord({ object: 'people', id }).then(
    (record) => record.id,
    (error) => {
      expect(error.problem.status).toBe(404)
      return undefined
    },
  )

describe('the ID of a merged record', () => {
  test('finds the kept record via REST and MCP, also if that one was merged later', async () => {
    const { api, key, person, merge } = await newCompany()
    const [a, b, c] = [await person('A'), await person('B'), await person('C')]
    await merge(b, a)
    expect(await api.getRecord({ object: 'people', id: a })).toMatchObject({ id: b, last_name: 'B', merged_from: a })
    await merge(c, b)
    expect(await api.getRecord({ object: 'people', id: a, fields: ['last_name'] })).toEqual({
      id: c,
      version: expect.any(Number),
      last_name: 'C',
      merged_from: a,
    })
    const { records, missing } = await api.getRecords({ object: 'people', ids: [a, c, b, randomUUID()] })
    expect(records.map(({ id, merged_from }) => [id, merged_from])).toEqual([
      [c, a],
      [c, undefined],
      [c, b],
    ])
    expect(missing).toHaveLength(1)
    const { text } = await mcp.legacy(key, 'tools/call', {
      name: 'get_records',
      arguments: { object: 'people', ids: [a] },
    })
    expect(text).toContain(`merged_from`)
    await expect(api.getRecord({ object: 'organizations', id: a })).toBeRefused(404)
  })

  test('finds nothing for users who cannot see the kept record', async () => {
    const { admin, api, person, merge } = await newCompany()
    const session = withSession(await given.session(admin))
    const { name: role } = await session.createRole({ name: 'Own', records: { '*': { ...everything, read: 'own' } } })
    const max = await given.user(admin, { role })
    const own = withKey(await given.key(max))
    const mine = (await own.createRecords({ object: 'people', records: [{ last_name: 'Mine' }] })).records[0]!.id
    const theirs = await person('Theirs')
    await merge(theirs, mine)
    expect(await found(api, mine)).toBe(theirs)
    expect(await found(own, mine)).toBeUndefined()
    const update = { object: 'people', records: [{ id: mine, values: { city: 'Turin' } }] }
    await expect(own.updateRecords(update)).rejects.toMatchObject({
      problem: { status: 404, detail: expect.not.stringContaining('merged') },
    })
    const other = await newCompany()
    expect(await found(other.api, mine)).toBeUndefined()
  })

  test('finds the merged record again once the merge is undone, and the kept one if that is undone', async () => {
    const { api, person, merge, undo } = await newCompany()
    const [a, b] = [await person('A'), await person('B')]
    const undone = await undo(await merge(b, a))
    expect(await found(api, a)).toBe(a)
    const redone = await undo(undone)
    expect(await found(api, a)).toBe(b)
    await undo(redone)
    expect(await found(api, a)).toBe(a)
  })

  test('does not find the kept record after it was restored and then deleted on its own', async () => {
    const { api, person, merge, undo, remove, restore } = await newCompany()
    const [a, b] = [await person('A'), await person('B')]
    await merge(b, a)
    const restored = await restore(a)
    expect(await found(api, a)).toBe(a)
    const deleted = await remove(a)
    expect(await found(api, a)).toBeUndefined()
    await undo(deleted)
    expect(await found(api, a)).toBe(a)
    await undo(restored)
    expect(await found(api, a)).toBe(b)
  })

  test('finds the record into which it was merged last', async () => {
    const { api, person, merge, undo, restore } = await newCompany()
    const [a, b, c] = [await person('A'), await person('B'), await person('C')]
    await merge(b, a)
    const restored = await restore(a)
    const second = await merge(c, a)
    expect(await found(api, a)).toBe(c)
    await undo(second)
    expect(await found(api, a)).toBe(a)
    await undo(restored)
    expect(await found(api, a)).toBe(b)
  })

  test('still finds the kept record after the merged one, or one on the way, was permanently deleted', async () => {
    const { api, person, merge, purge } = await newCompany()
    const [a, b, c] = [await person('A'), await person('B'), await person('C')]
    await merge(b, a)
    await merge(c, b)
    await purge(b)
    expect(await found(api, a)).toBe(c)
    await purge(a)
    expect([await found(api, a), await found(api, b)]).toEqual([c, c])
  })

  test('finds nothing while the kept record is in the trash, and nothing is stored once that is gone forever', async () => {
    const { admin, api, person, merge, undo, remove, purge } = await newCompany()
    const [a, b, c] = [await person('A'), await person('B'), await person('C')]
    await merge(b, a)
    await merge(c, b)
    await purge(a)
    const deleted = await remove(c)
    expect(await found(api, a)).toBeUndefined()
    await undo(deleted)
    expect(await found(api, a)).toBe(c)
    await remove(c)
    await purge(b)
    await purge(c)
    expect(await found(api, a)).toBeUndefined()
    const rows = kith.db.selectFrom('record_merges').selectAll().where('company_id', '=', admin.company_id)
    expect(await rows.execute()).toEqual([])
  })

  test('is refused in writes with the name of the kept record, but can be linked to', async () => {
    const { api, person, merge } = await newCompany()
    const [a, b, c] = [await person('A'), await person('B'), await person('C')]
    await merge(b, a)
    const object = 'people'
    for (const write of [
      () => api.updateRecords({ object, records: [{ id: a, values: { city: 'Turin' } }] }),
      () => api.deleteRecords({ object, ids: [c, a] }),
      () => api.mergeRecords({ object, id: c, merge: [a] }),
      () => api.mergeRecords({ object, id: a, merge: [c] }),
      () => api.linkRecords({ object, id: a, field: 'organization', to: [randomUUID()] }),
      () => api.getTimeline({ object, id: a }),
    ])
      await expect(write()).rejects.toMatchObject({
        problem: {
          status: 404,
          detail: `This person was merged into B (${b}). Use that ID.`,
          errors: [{ record: { object, id: b, title: 'B' } }],
        },
      })
    const deals = await api.createRecords({
      object: 'deals',
      records: [{ name: 'Engine', people: [a.toUpperCase(), b, c] }],
      return: 'record',
    })
    expect(deals.records[0]!.people).toEqual([
      { id: b, title: 'B' },
      { id: c, title: 'C' },
    ])
    await expect(api.createRecords({ object: 'deals', records: [{ name: 'X', organization: a }] })).toBeRefused(422)
  })

  test('costs nothing for IDs that are found', async () => {
    const { api, person } = await newCompany()
    const id = await person('A')
    const sent = await statementsOf(kith.pools.work).during(() => api.getRecord({ object: 'people', id }))
    expect(sent.length).toBeGreaterThan(0)
    expect(sent.filter(({ text }) => text.includes('record_merges'))).toEqual([])
  })

  test('is explained by a saved filter that uses it', async () => {
    const { api, person, merge } = await newCompany()
    const [a, b] = [await person('A'), await person('B')]
    const view = await api.createView({ object: 'deals', name: 'Of A', filter: `people has any ("${a}")` } as never)
    await merge(b, a)
    const { items } = await api.listViews({ object: 'deals' })
    expect(items.find(({ id }) => id === view.id)!.filter_error).toBe(
      'People: this record was merged into B. Choose that one.',
    )
  })
})
