import { describe, expect, test } from 'vitest'
import { everything, rightsOn } from '../../../contract/shared/access.ts'
import { testApp } from '../../../test/app.ts'
import { mcpFor } from '../../../test/mcp.ts'

const kith = await testApp()
const { given, withKey, withSession } = kith
const mcp = await mcpFor(kith)
const inherited = Object.getOwnPropertyNames(Object.prototype)
const nothing = { read: 'none', create: false, edit: 'none', delete: 'none' } as const

test.each(inherited)('%s is not a key for a new object, field or option', async (key) => {
  const admin = await given.company()
  const api = withKey(await given.key(admin))
  const label = 'Builder'
  await expect(api.createObject({ key, label, label_plural: 'Builders' })).toBeRefused(422)
  await expect(api.createField({ object: 'people', key, label, type: 'text' })).toBeRefused(422)
  const select = { object: 'people', key: 'trade', label: 'Trade', type: 'select' as const }
  await expect(api.createField({ ...select, options: [{ key, label }] })).toBeRefused(422)
})

test('an option can be labeled Constructor, and gets another key', async () => {
  const api = withKey(await given.key(await given.company()))
  const options = [{ label: 'Constructor' }]
  const field = await api.createField({ object: 'people', key: 'trade', label: 'Trade', type: 'select', options })
  expect(field.options).toMatchObject([{ key: 'constructor_option', label: 'Constructor' }])
  const records = [{ first_name: 'Ada', trade: 'constructor' }]
  const made = await api.createRecords({ object: 'people', records })
  expect(made.records).toMatchObject([{ trade: 'constructor_option' }])
})

test.each(inherited)('a role has no rights on an object %s unless it names it', (key) => {
  expect(rightsOn({ '*': nothing }, key)).toEqual(nothing)
  expect(rightsOn({ '*': nothing, [key]: everything }, key)).toEqual(everything)
})

/** A company from before these keys were refused: an object and a unique field that are called constructor. */
async function withOldKeys() {
  const admin = await given.company()
  const api = withKey(await given.key(admin))
  await api.createObject({ key: 'builders', label: 'Builder', label_plural: 'Builders' })
  await api.createField({ object: 'people', key: 'builder', label: 'Builder', type: 'text', is_unique: true })
  for (const [table, key] of [
    ['objects', 'builders'],
    ['fields', 'builder'],
  ] as const)
    await kith.db.updateTable(table).set({ key: 'constructor' }).where('key', '=', key).execute()
  await api.updateObject({ object: 'constructor', label: 'Builder' })
  return { admin, api }
}

describe('with an existing object and field named constructor', () => {
  test('a role that grants nothing on it neither sees nor creates its records', async () => {
    const { admin } = await withOldKeys()
    const session = withSession(await given.session(admin))
    await session.createRole({ name: 'Tasks', records: { '*': nothing, tasks: everything } })
    const key = await given.key(await given.user(admin, { role: 'Tasks' }))
    const api = withKey(key)
    expect((await api.describeSchema({})).objects.map((object) => object.key)).toEqual(['tasks'])
    await expect(api.createRecords({ object: 'constructor', records: [{ name: 'X' }] })).toBeRefused(404)
    await expect(api.listRecords({ object: 'constructor' })).toBeRefused(404)
    const { text } = await mcp.legacy(key, 'tools/call', { name: 'describe_schema', arguments: {} })
    expect(text).toContain('tasks')
    expect(text).not.toContain('constructor')
  })

  test('a Member can use both, and a value exists only if it was entered', async () => {
    const { admin } = await withOldKeys()
    const key = await given.key(await given.user(admin))
    const api = withKey(key)
    const made = await api.createRecords({
      object: 'people',
      records: [{ first_name: 'Ada' }, { first_name: 'Bob' }, { first_name: 'Cyd', constructor: 'Acme Works' }],
      return: 'record',
    })
    expect(made.records.map((record) => record.constructor)).toEqual([null, null, 'Acme Works'])
    const [ada, , cyd] = made.records
    await api.updateRecords({ object: 'people', records: [{ id: ada!.id, values: { last_name: 'Lovelace' } }] })
    const cleared = { id: cyd!.id, values: { constructor: null } }
    const { change_set_id } = await api.updateRecords({ object: 'people', records: [cleared] })
    await api.undoChanges({ change_set_ids: [change_set_id!] })
    const found = await api.listRecords({ object: 'people', filter: 'constructor is not empty' })
    expect(found.records).toMatchObject([{ title: 'Cyd', constructor: 'Acme Works' }])
    expect((await api.searchRecords({ q: 'native code' })).items).toEqual([])
    await api.createRecords({ object: 'constructor', records: [{ name: 'Site' }] })
    expect(await api.countRecords({ object: 'constructor', filter: 'name = Site' })).toMatchObject({ count: 1 })
    const { changes } = (await api.listChanges({ record_id: ada!.id })).items[0]!
    expect(Object.keys(changes[0]!.fields)).toEqual(['last_name'])
  })

  test('a relation to many with that name can be set, changed in part, and left alone', async () => {
    const { api } = await withOldKeys()
    await api.createField({ object: 'deals', key: 'crew', label: 'Crew', type: 'relation', is_multi: true })
    await kith.db.updateTable('fields').set({ key: 'constructor' }).where('key', '=', 'crew').execute()
    await api.updateObject({ object: 'constructor', label: 'Builder' })
    const { records: people } = await api.createRecords({ object: 'people', records: [{ first_name: 'Ada' }] })
    const { records } = await api.createRecords({ object: 'deals', records: [{ name: 'Bridge' }] })
    const update = async (values: object) =>
      (await api.updateRecords({ object: 'deals', records: [{ id: records[0]!.id, values: { ...values } }] }))
        .records[0]
    expect(Object.keys((await update({ source: 'Website' }))!)).not.toContain('constructor')
    expect(await update({ constructor: { add: ['Ada'] } })).toMatchObject({
      constructor: [{ id: people[0]!.id, title: 'Ada', object: 'people' }],
    })
  })

  test('a filter, sort, column or view with an unknown key is refused with an explanation', async () => {
    const apiKey = await given.key(await given.company())
    const api = withKey(apiKey)
    for (const key of inherited) {
      await expect(api.listRecords({ object: 'people', filter: `${key} = 1` }), key).toBeRefused(422)
      await expect(api.listRecords({ object: 'people', filter: `any(${key}: name = 1)` }), key).toBeRefused(422)
      await expect(api.listRecords({ object: 'people', sort: [key] }), key).toBeRefused(422)
      await expect(api.listRecords({ object: 'people', fields: [key] }), key).toBeRefused(422)
      await expect(api.createRecords({ object: 'people', records: [{ [key]: 1 }] }), key).toBeRefused(
        key === '__proto__' ? 400 : 422,
      )
      const answer = await kith.send(`/api/v1/records/${key}`, { headers: { 'x-api-key': apiKey } })
      expect(answer.status, key).toBeLessThan(500)
    }
  })
})
