import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { everything } from '../../../contract/shared/access.ts'
import { mostViews } from '../../../contract/views.ts'
import { testApp } from '../../../test/app.ts'
import { refusal, statusOf } from '../../../test/records/refusal.ts'

const kith = await testApp()
const { given, withKey, withSession } = kith

async function team() {
  const admin = await given.company()
  const member = await given.user(admin)
  const other = await given.user(admin, { name: 'Olga Other' })
  const [boss, mine, theirs] = await Promise.all(
    [admin, member, other].map(async (user) => withSession(await given.session(user))),
  )
  return { admin, member, other, boss: boss!, mine: mine!, theirs: theirs! }
}

const active = { object: 'people', name: 'Active', filter: 'status = active', sort: ['-score', 'last_name'] }
const names = ({ items }: { items: { name: string }[] }) => items.map(({ name }) => name)

describe('a view', () => {
  test('keeps filter, sort, columns and layout, and is the same by API key', async () => {
    const { member, mine } = await team()
    const columns = [{ key: 'title', width: 240, pinned: true }, { key: 'organization.name' }, { key: 'created_at' }]
    const view = await mine.createView({ ...active, columns, layout: 'compact' })
    expect(view).toEqual({
      ...active,
      columns,
      layout: 'compact',
      type: 'table',
      group_by: null,
      collapsed: [],
      id: view.id,
      filter_error: null,
      owner_id: member.user_id,
      is_mine: true,
      is_shared: false,
      shared_with: [],
      position: 0,
    })
    const changed = await mine.updateView({ id: view.id, name: 'Hot', filter: null, sort: [], position: 7 })
    expect(changed).toEqual({ ...view, name: 'Hot', filter: null, sort: [], position: 7 })
    expect(await withKey(await given.key(member)).listViews({ object: 'people' })).toEqual({
      items: [changed],
      next_cursor: null,
    })
    await mine.deleteView({ id: view.id })
    expect(await mine.listViews({})).toEqual({ items: [], next_cursor: null })
  })

  test('can be shared with some members, who use it but neither change it nor see with whom else it is shared', async () => {
    const { admin, other, boss, mine, theirs } = await team()
    const shared_with = [other.user_id]
    const view = await mine.createView({ ...active, shared_with })
    expect(view).toMatchObject({ shared_with, is_shared: false })
    expect((await theirs.listViews({})).items).toMatchObject([{ id: view.id, is_mine: false, shared_with: [] }])
    expect(names(await boss.listViews({}))).toEqual([])
    expect(await statusOf(theirs.updateView({ id: view.id, name: 'Mine now' }))).toBe(403)
    await mine.updateView({ id: view.id, shared_with: [admin.user_id] })
    expect(names(await theirs.listViews({}))).toEqual([])
    expect(names(await boss.listViews({}))).toEqual(['Active'])
    expect(await refusal(mine.updateView({ id: view.id, shared_with: [randomUUID()] }))).toContain('User not found')
  })

  test('can be a board or a calendar by a field that its reader may see', async () => {
    const { boss, mine } = await team()
    const board = { object: 'deals', name: 'Board', type: 'board' as const, group_by: { field: 'stage' } }
    const view = await mine.createView({ ...board, collapsed: ['lost'] })
    expect(view).toMatchObject({ ...board, collapsed: ['lost'] })
    const month = { type: 'calendar' as const, group_by: { field: 'expected_close' }, collapsed: [] }
    expect(await mine.updateView({ id: view.id, ...month })).toMatchObject(month)
    expect(await mine.updateView({ id: view.id, group_by: null })).toMatchObject({ type: 'calendar', group_by: null })
    await expect(mine.updateView({ id: view.id, group_by: { field: 'staage' } })).rejects.toMatchObject({
      problem: { status: 422, errors: [{ path: 'group_by.field' }] },
    })
    const shared = await boss.createView({ ...board, is_shared: true })
    const { views } = await boss.getFieldDependents({ object: 'deals', field: 'stage' })
    expect(views.map(({ id }) => id)).toContain(shared.id)
  })

  test('keeps its position, and can be listed by object', async () => {
    const { mine } = await team()
    for (const name of ['One', 'Two', 'Three']) await mine.createView({ object: 'people', name })
    const deals = await mine.createView({ object: 'deals', name: 'Deals' })
    await mine.updateView({ id: deals.id, position: 0 })
    expect(names(await mine.listViews({ object: 'people' }))).toEqual(['One', 'Two', 'Three'])
    expect(names(await mine.listViews({}))).toEqual(['One', 'Deals', 'Two', 'Three'])
  })

  test('of someone else is visible only if shared, and can be changed by its owner or an Admin', async () => {
    const { boss, mine, theirs } = await team()
    const own = await mine.createView(active)
    const shared = await mine.createView({ ...active, name: 'Team', is_shared: true })
    expect(names(await theirs.listViews({ object: 'people' }))).toEqual(['Team'])
    expect((await theirs.listViews({})).items[0]).toMatchObject({ is_mine: false, is_shared: true })
    for (const api of [theirs, boss]) {
      expect(await statusOf(api.updateView({ id: own.id, name: 'Taken' }))).toBe(404)
      expect(await statusOf(api.deleteView({ id: own.id }))).toBe(404)
    }
    expect(await refusal(theirs.updateView({ id: shared.id, name: 'Taken' }))).toContain('Save your own view')
    expect(await statusOf(theirs.deleteView({ id: shared.id }))).toBe(403)
    expect(await boss.updateView({ id: shared.id, name: 'Ours' })).toMatchObject({ name: 'Ours', is_mine: false })
    await boss.deleteView({ id: shared.id })
    expect(names(await mine.listViews({}))).toEqual(['Active'])
  })

  test('of another company is not found', async () => {
    const [ours, theirs] = [await team(), await team()]
    const shared = await ours.mine.createView({ ...active, is_shared: true })
    expect(await theirs.boss.listViews({})).toEqual({ items: [], next_cursor: null })
    const unknown = await refusal(theirs.boss.updateView({ id: randomUUID(), name: 'Taken' }))
    expect(await refusal(theirs.boss.updateView({ id: shared.id, name: 'Taken' }))).toBe(unknown)
    expect(await statusOf(theirs.boss.deleteView({ id: shared.id }))).toBe(404)
    expect(names(await ours.mine.listViews({}))).toEqual(['Active'])
  })

  test('of an object that is archived or that the role may not read is hidden', async () => {
    const { member, boss, mine } = await team()
    const view = await boss.createView({ object: 'deals', name: 'Pipeline', is_shared: true })
    const none = { ...everything, read: 'none' as const, edit: 'none' as const, delete: 'none' as const }
    await boss.createRole({ name: 'No deals', records: { '*': everything, deals: none } })
    expect(names(await mine.listViews({}))).toEqual(['Pipeline'])
    await boss.updateUserRole({ id: member.user_id, role: 'No deals' })
    expect(await mine.listViews({})).toEqual({ items: [], next_cursor: null })
    expect(await statusOf(mine.listViews({ object: 'deals' }))).toBe(404)
    expect(await statusOf(mine.createView({ object: 'deals', name: 'Mine' }))).toBe(422)
    expect(await statusOf(mine.updateView({ id: view.id, name: 'Mine' }))).toBe(404)
    await boss.updateObject({ object: 'deals', is_archived: true })
    expect(await boss.listViews({})).toEqual({ items: [], next_cursor: null })
  })

  test.each([
    ['a field that does not exist', { columns: [{ key: 'scor' }] }, 'columns.0.key', 'Did you mean score'],
    ['a column twice', { columns: [{ key: 'city' }, { key: 'city' }] }, 'columns.1.key', 'twice'],
    ['a path that does not exist', { columns: [{ key: 'city.name' }] }, 'columns.0.key', 'cannot be selected'],
    ['a filter that cannot be read', { filter: 'status = ' }, 'filter', 'Correct the filter'],
    ['a filter by an unknown field', { filter: 'scor > 5' }, 'filter', 'score'],
    ['a sort by what has no order', { sort: ['tags'] }, 'sort.0', 'cannot be sorted by'],
  ])('with %s is refused with an explanation and its path', async (_, odd, path, words) => {
    const { mine } = await team()
    const view = await mine.createView(active)
    const calls = [() => mine.createView({ ...active, ...odd }), () => mine.updateView({ id: view.id, ...odd })]
    for (const call of calls) {
      const said = await refusal(call())
      expect(JSON.parse(said)).toMatchObject({ status: 422, errors: [{ path }] })
      expect(said).toContain(words)
    }
    expect((await mine.listViews({})).items).toEqual([view])
  })

  test('is limited to 200 per user, even with two concurrent requests', async () => {
    const { admin, member, mine, theirs } = await team()
    const { columns: _, ...view } = await mine.createView(active)
    await kith.pool.query(
      `insert into views (company_id, id, object_id, owner_id, name, position, created_at)
       select company_id, gen_random_uuid(), object_id, owner_id, name, n, now()
       from views, generate_series(1, $2::int) n where company_id = $1`,
      [admin.company_id, mostViews - 2],
    )
    const calls = await Promise.all([1, 2].map(() => statusOf(mine.createView(active))))
    expect(calls.sort()).toEqual([200, 409])
    expect(await refusal(mine.createView(active))).toContain('Delete one you no longer need')
    const { items, next_cursor } = await mine.listViews({})
    const others = await mine.listViews({ cursor: next_cursor! })
    expect(new Set([...items, ...others.items].map(({ id }) => id)).size).toBe(mostViews)
    expect(others.next_cursor).toBeNull()
    expect((await theirs.createView(active)).owner_id).not.toBe(member.user_id)
    await mine.deleteView({ id: view.id })
    expect(await statusOf(mine.createView(active))).toBe(200)
  })
})

describe('a shared view that mentions hidden fields', () => {
  const nothing = { read: 'none', create: false, edit: 'none', delete: 'none' } as const

  test('does not exist for them: not in the list, not by id', async () => {
    const { admin, boss } = await team()
    await boss.createRole({ name: 'No deals', records: { '*': everything, deals: nothing, organizations: nothing } })
    const rep = withSession(await given.session(await given.user(admin, { role: 'No deals' })))
    const share = (view: object) => boss.createView({ object: 'people', name: 'Plain', is_shared: true, ...view })
    const hidden = [
      await share({ name: 'Filter', filter: 'any(deals: name ~ "CANARY")' }),
      await share({ name: 'Path', filter: 'organization.name = "CANARY"' }),
      await share({ name: 'Column', columns: [{ key: 'organization.name' }] }),
      await share({ name: 'Relation', columns: [{ key: 'organization' }] }),
    ]
    const plain = await share({ filter: 'status = active', sort: ['-score'], columns: [{ key: 'title' }] })
    const { items } = await rep.listViews({})
    expect(items.map(({ id }) => id)).toEqual([plain.id])
    for (const { id } of hidden) await expect(rep.updateView({ id, name: 'Mine' })).toBeRefused(404)
    expect((await boss.listViews({})).items).toHaveLength(5)
  })

  test('stays visible to its owner, and broken views to people who may read everything', async () => {
    const { admin, boss, member, mine, theirs } = await team()
    await boss.createField({ object: 'people', key: 'tier', label: 'Tier', type: 'text' })
    await mine.createView({ object: 'people', name: 'Broken', filter: 'tier = gold', is_shared: true })
    await boss.updateField({ object: 'people', field: 'tier', is_archived: true })
    expect(names(await theirs.listViews({}))).toEqual(['Broken'])
    await boss.createRole({ name: 'No deals', records: { '*': everything, deals: nothing } })
    await boss.updateUserRole({ id: member.user_id, role: 'No deals' })
    expect(names(await withSession(await given.session(member)).listViews({}))).toEqual(['Broken'])
    const rep = withSession(await given.session(await given.user(admin, { role: 'No deals' })))
    expect(names(await rep.listViews({}))).toEqual([])
  })
})
