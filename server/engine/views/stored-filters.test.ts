import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { print } from '../../../contract/filter/index.ts'
import { everything } from '../../../contract/shared/access.ts'
import { testApp } from '../../../test/app.ts'
import { inTurns, patience, runs, seed } from '../../../test/random.ts'
import { refusal } from '../../../test/records/refusal.ts'
import { treesOf } from '../../../test/records/trees.ts'
import { givenWorld } from '../../../test/records/world.ts'
import { soon, testWorker } from '../../../test/worker.ts'
import { findActorById } from '../../accounts/users/queries.ts'
import type { Caller, Context } from '../../kernel/context.ts'
import { noNotes, taking } from '../../kernel/pending-writes.ts'
import { readStored } from '../read/stored-filter.ts'
import { schemaOf } from '../schema/schema.ts'
import { storeOldFilters } from './store-old-filters.ts'

const kith = await testApp({ own: true })
const { given, withSession } = kith

async function newCompany() {
  const admin = await given.company()
  const api = withSession(await given.session(admin))
  const add = async (object: string, values: Record<string, unknown>) =>
    (await api.createRecords({ object, records: [values as never] })).records[0]!.id
  const acme = await add('organizations', { name: 'Acme' })
  const person = await add('people', { last_name: 'Lovelace', organization: acme, status: 'active' })
  const save = async (filter: string, more: object = {}) =>
    (await api.createView({ object: 'people', name: 'Saved', filter, ...more })).id
  const view = async (id: string) => (await api.listViews({})).items.find((one) => one.id === id)!
  const found = async (id: string) => {
    const { filter } = await view(id)
    return (await api.queryRecords({ object: 'people', filter: filter! })).records.map((record) => record.id)
  }
  return { admin, api, add, acme, person, save, view, found }
}

describe('the filter of a view', () => {
  test('is stored with keys and IDs, and can be shown with names', async () => {
    const { admin, api, acme, save, view } = await newCompany()
    const id = await save(
      'Organization = Acme and Status in (Active, "customer") and (Owner = "Ada Admin" or owner = me)',
    )
    const { filter } = await view(id)
    expect(filter).toBe(
      `organization = ${acme} and status in (active, customer) and (owner = ${admin.user_id} or owner = me)`,
    )
    const { named, text } = await api.validateFilter({ object: 'people', filter: filter! })
    expect(text).toBe(filter)
    expect(named).toBe('organization = Acme and status in (active, customer) and (owner = "Ada Admin" or owner = me)')
  })

  test('sent as JSON is stored as text', async () => {
    const { api, acme, save, view } = await newCompany()
    const json = JSON.stringify({ or: [{ field: 'organization', op: 'eq', value: 'Acme' }, { search: 'ada' }] })
    expect((await view(await save(json))).filter).toBe(`organization = ${acme} or search("ada")`)
    const none = await api.createView({ object: 'people', name: 'All', filter: '{"and":[]}' })
    expect(none).toMatchObject({ filter: null, filter_error: null })
  })

  test('finds the same records after relabeling options and fields and renaming records and users', async () => {
    const { admin, api, acme, person, save, found, view } = await newCompany()
    const id = await save('Status = "Active" and organization = "Acme" and Owner = "Ada Admin"')
    expect(await found(id)).toEqual([person])
    const { objects } = await api.describeSchema({ objects: ['people'] })
    const { options } = objects[0]!.fields.find(({ key }) => key === 'status')!
    const relabelled = options!.map((option) => ({ ...option, label: `${option.label} since 2026` }))
    await api.updateField({ object: 'people', field: 'status', label: 'Standing', options: relabelled })
    await api.updateRecords({ object: 'organizations', records: [{ id: acme, values: { name: 'Acme Holding' } }] })
    await api.updateUser({ id: admin.user_id, name: 'Ada King' })
    expect(await found(id)).toEqual([person])
    expect(await view(id)).toMatchObject({ filter_error: null })
    const { named } = await api.validateFilter({ object: 'people', filter: (await view(id)).filter! })
    expect(named).toBe('status = active and organization = "Acme Holding" and owner = "Ada King"')
  })

  test('keeps the ID of a record that shares its name with another', async () => {
    const { api, acme, add, save, view } = await newCompany()
    const id = await save(`organization = ${acme}`)
    await add('organizations', { name: 'ACME' })
    const { named } = await api.validateFilter({ object: 'people', filter: (await view(id)).filter! })
    expect(named).toBe(`organization = ${acme}`)
  })

  test.each([
    ['a field is archived', 'city = Berlin', 'The field city is archived'],
    ['an option is removed', 'status = former', 'no option former'],
    ['a field of a related record is archived', 'organization.industry = Steel', 'The field industry is archived'],
  ])('reports an error when %s, and works again once that is reverted', async (_, filter, words) => {
    const { api, save, view } = await newCompany()
    const id = await save(filter)
    const { objects } = await api.describeSchema({ objects: ['people'] })
    const { options } = objects[0]!.fields.find(({ key }) => key === 'status')!
    const [object, field] = filter.startsWith('organization') ? ['organizations', 'industry'] : ['people', 'city']
    const set = (isThere: boolean) =>
      filter.startsWith('status')
        ? api.updateField({
            object: 'people',
            field: 'status',
            options: options!.filter(({ key }) => isThere || key !== 'former'),
          })
        : api.updateField({ object: object!, field: field!, is_archived: !isThere })
    await set(false)
    expect((await view(id)).filter_error).toContain(words)
    expect((await view(id)).filter).toBe(filter)
    await set(true)
    expect(await view(id)).toMatchObject({ filter, filter_error: null })
  })

  test('reports a record that is in the trash or permanently deleted', async () => {
    const { api, acme, person, save, view, found } = await newCompany()
    const id = await save('organization = Acme')
    await api.deleteRecords({ object: 'organizations', ids: [acme] })
    expect((await view(id)).filter_error).toContain('Acme is in the trash')
    await api.restoreRecords({ object: 'organizations', ids: [acme] })
    expect((await view(id)).filter_error).toBeNull()
    expect(await found(id)).toEqual([person])
    await api.deleteRecords({ object: 'organizations', ids: [acme] })
    await api.purgeRecords({ object: 'organizations', ids: [acme] })
    expect((await view(id)).filter_error).toContain('was deleted')
    expect(await refusal(api.updateView({ id, filter: `organization = ${acme}` }))).toContain('was deleted')
    await api.updateView({ id, name: 'Still mine' })
  })

  test('reports a user who was removed, but not one who was deactivated', async () => {
    const { admin, api, save, view } = await newCompany()
    const { user_id } = await given.user(admin, { name: 'Max Member' })
    const id = await save('owner = "Max Member"')
    await api.deactivateUser({ id: user_id })
    expect((await view(id)).filter_error).toBeNull()
    await api.deleteUser({ id: user_id })
    expect((await view(id)).filter_error).toContain('this user was removed')
  })

  test('reveals no more of a record than the caller may know', async () => {
    const { admin, api, acme, save, view } = await newCompany()
    const own = { ...everything, read: 'own' as const, edit: 'own' as const, delete: 'own' as const }
    await api.createRole({ name: 'Own only', records: { '*': everything, organizations: own } })
    const member = withSession(await given.session(await given.user(admin, { role: 'Own only' })))
    const id = await save('organization = Acme', { is_shared: true })
    const [shown] = (await member.listViews({})).items
    expect(shown).toMatchObject({ id, filter: `organization = ${acme}` })
    expect(shown!.filter_error).toContain("you don't have access")
    const { named } = await member.validateFilter({ object: 'people', filter: shown!.filter! })
    expect(named).toBe(`organization = ${acme}`)
    expect((await view(id)).filter_error).toBeNull()
  })

  test.each([
    ['an unknown name', 'organization = Nowhere', 'No record is named'],
    ['a record that does not exist', `organization = ${randomUUID()}`, 'was deleted'],
    ['a user that does not exist', `owner = ${randomUUID()}`, 'was removed'],
  ])('with %s is refused', async (_, filter, words) => {
    const { save } = await newCompany()
    expect(await refusal(save(filter))).toContain(words)
  })

  test('with a record of another object is refused', async () => {
    const { person, save } = await newCompany()
    expect(await refusal(save(`organization = ${person}`))).toContain('was deleted')
  })
})

test('any filter finds the same records once stored, and once shown with names and stored again', {
  timeout: patience,
}, async () => {
  const { api, users, world } = await givenWorld(kith, { zone: 'Europe/Berlin', firstWeekday: 'monday', seed })
  const ids = world.records.filter(({ is_deleted }) => !is_deleted).map(({ id }) => id)
  const known = { ids, users: users.map(({ user_id }) => user_id) }
  let kept = 0
  for (const object of ['people', 'organizations', 'deals', 'tasks', 'projects']) {
    const trees = fc.sample(treesOf(world.scope, known, object), { seed, numRuns: runs(40) })
    await inTurns(trees, async (tree) => {
      const find = async (filter: string) =>
        (await api.queryRecords({ object, filter, limit: 100 })).records.map(({ id }) => id)
      const text = print(tree)
      // Some compare a relation with a record that it cannot lead to.
      const view = await api.createView({ object, name: 'Any', filter: text }).catch(() => undefined)
      if (!view?.filter) return
      kept++
      expect(view.filter_error, text).toBeNull()
      expect(await find(view.filter), text).toEqual(await find(text))
      const { named } = await api.validateFilter({ object, filter: view.filter })
      expect(await find(named!), text).toEqual(await find(text))
      const again = await api.updateView({ id: view.id, filter: named })
      expect(again.filter, text).toBe(view.filter)
      await api.deleteView({ id: view.id })
    })
  }
  expect(kept).toBeGreaterThan(runs(100))
})

test('a stored filter that no longer works is an error instead of matching nothing', async () => {
  const { admin, api, acme, save, view } = await newCompany()
  const filter = (await view(await save('organization = Acme and city is empty'))).filter!
  const read = async () => {
    const actor = (await findActorById(kith.db, admin.company_id, admin.user_id))!
    const caller: Caller = { door: 'automation', request_id: 'test', ip: '', client: null, actor, web: null }
    const context: Context = { ...caller, ...taking(noNotes(), caller), db: kith.db, now: kith.time.now }
    const schema = await schemaOf(kith.db, actor)
    return readStored(context, schema, schema.objects.get('people')!, filter)
  }
  expect((await read()).root).toBe('people')
  await api.deleteRecords({ object: 'organizations', ids: [acme] })
  await expect(read()).rejects.toThrow('no longer works. Organization: Acme is in the trash')
  await api.restoreRecords({ object: 'organizations', ids: [acme] })
  await api.updateField({ object: 'people', field: 'city', is_archived: true })
  await expect(read()).rejects.toThrow('The field city is archived')
  await api.updateField({ object: 'people', field: 'city', is_archived: false })
  expect((await read()).root).toBe('people')
})

describe('views of older versions', () => {
  const asSent = (id: string, filter: string | null) =>
    kith.pool.query('update views set filter = $2, filter_field_ids = null where id = $1', [id, filter])

  test('are converted; those that cannot be read report why, and are converted once they can be', async () => {
    const { api, acme, save, view } = await newCompany()
    const [named, broken, empty] = [await save('score > 1'), await save('score > 2'), await save('score > 3')]
    await asSent(named, 'Organization = "acme"')
    await asSent(broken, 'Organization = "Initech"')
    await asSent(empty, null)
    expect(await storeOldFilters(kith.backgroundDb, kith.time.now)).toBe(2)
    expect(await view(named)).toMatchObject({ filter: `organization = ${acme}`, filter_error: null })
    expect(await view(empty)).toMatchObject({ filter: null, filter_error: null })
    const left = await view(broken)
    expect(left.filter).toBe('Organization = "Initech"')
    expect(left.filter_error).toContain('No record is named Initech')
    expect(await storeOldFilters(kith.backgroundDb, kith.time.now)).toBe(0)
    await api.createRecords({ object: 'organizations', records: [{ name: 'Initech' }] })
    expect(await storeOldFilters(kith.backgroundDb, kith.time.now)).toBe(1)
    expect((await view(broken)).filter_error).toBeNull()
  })

  test('of someone who left are converted with the rights of an Admin', async () => {
    const { admin, api, acme, view } = await newCompany()
    const member = await given.user(admin)
    const shared = { object: 'people', name: 'Theirs', filter: 'score > 1', is_shared: true }
    const { id } = await withSession(await given.session(member)).createView(shared)
    await api.deactivateUser({ id: member.user_id })
    await asSent(id, 'organization = Acme')
    await storeOldFilters(kith.backgroundDb, kith.time.now)
    expect((await view(id)).filter).toBe(`organization = ${acme}`)
  })

  test('are converted when a worker starts', async () => {
    const { acme, save, view } = await newCompany()
    const id = await save('score > 1')
    await asSent(id, 'organization = Acme')
    await testWorker(kith)
    await soon(async () => expect((await view(id)).filter).toBe(`organization = ${acme}`))
  })
})

describe('the dependents of a field', () => {
  test('are views that use it in filter, sort or columns, also of other objects; private views of others are counted', async () => {
    const { admin, api, save } = await newCompany()
    const member = withSession(await given.session(await given.user(admin)))
    await save('city = Berlin', { name: 'By filter' })
    await save('score > 1', { name: 'By sort', sort: ['-city'] })
    await save('score > 1', { name: 'By column', columns: [{ key: 'title' }, { key: 'city' }] })
    await save('score > 1', { name: 'Not at all' })
    await api.createView({ object: 'deals', name: 'By relation', filter: 'any(people: city = Berlin)' })
    await member.createView({ object: 'people', name: 'Shared', filter: 'city is empty', is_shared: true })
    await member.createView({ object: 'people', name: 'Secret', filter: 'city is empty' })
    const dependents = await api.getFieldDependents({ object: 'people', field: 'city' })
    expect(dependents.views.map(({ name }) => name)).toEqual([
      'By column',
      'By filter',
      'By relation',
      'By sort',
      'Shared',
    ])
    expect(dependents.views[2]).toMatchObject({ object: 'deals' })
    expect(dependents.private_views).toBe(1)
    await save('score > 1', { name: 'Path', columns: [{ key: 'organization.name' }] })
    expect(await api.getFieldDependents({ object: 'organizations', field: 'name' })).toMatchObject({
      views: [{ name: 'Path' }],
      private_views: 0,
    })
    await api.updateField({ object: 'people', field: 'city', is_archived: true })
    expect((await api.getFieldDependents({ object: 'people', field: 'city' })).views).toHaveLength(5)
  })

  test('are listed only for people who manage objects, and only for existing fields', async () => {
    const { admin, api } = await newCompany()
    const member = withSession(await given.session(await given.user(admin)))
    await expect(member.getFieldDependents({ object: 'people', field: 'city' })).toBeRefused(403)
    await expect(api.getFieldDependents({ object: 'people', field: 'town' })).toBeRefused(404)
    await expect(api.getFieldDependents({ object: 'places', field: 'city' })).toBeRefused(404)
  })
})
