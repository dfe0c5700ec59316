import { randomUUIDv7 } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  everything,
  mayWithSome,
  type ObjectRights,
  type RecordRights,
  reaches,
  rightsOn,
} from '../../contract/access.ts'
import { type Filter, print } from '../../contract/filter/index.ts'
import { type Api, testApp } from '../../test/app.ts'
import { mcpFor } from '../../test/mcp.ts'
import { dump } from '../../test/records/dump.ts'
import { fits, isThere, type Kept, type World } from '../../test/records/fits.ts'
import { scopeFrom } from '../../test/records/scope.ts'
import { treesOf } from '../../test/records/trees.ts'
import { givenWorld } from '../../test/records/world.ts'
import { ApiError } from '../../web/api.ts'

const kith = await testApp({ rateLimit: { perSecond: 1e6, burst: 1e6 } })
const { given, withKey, withSession } = kith
const { legacy } = await mcpFor(kith)
const seed = Number(process.env.FC_SEED ?? 20260617)
const place = { zone: 'Europe/Berlin', firstWeekday: 'monday' as const, seed }
const roles = 14
const treesEach = 6
const objects = ['people', 'organizations', 'deals', 'tasks', 'notes', 'projects']

const reach = fc.constantFrom(...reaches)
const someRights = fc.record(
  { read: reach, create: fc.boolean(), edit: reach, delete: reach },
  { noNullPrototype: true },
)
const someRole: fc.Arbitrary<RecordRights> = fc.record(
  Object.fromEntries(['*', ...objects].map((key) => [key, someRights])) as Record<string, fc.Arbitrary<ObjectRights>>,
  { requiredKeys: ['*'], noNullPrototype: true },
) as never

const statusOf = (call: Promise<unknown>) =>
  call.then(
    () => 200,
    (error) => (error instanceof ApiError ? error.problem.status : Promise.reject(error)),
  )

/** A refusal without what differs from call to call. */
const refusal = (call: Promise<unknown>) =>
  call.then(
    (answer) => JSON.stringify(answer),
    (error) => {
      if (!(error instanceof ApiError)) throw error
      const { request_id: _, ...problem } = error.problem
      return JSON.stringify(problem).replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID')
    },
  )

const idsOf = (records: { id: string }[]) => records.map(({ id }) => id).toSorted()

async function wholeList(api: Api, object: string, filter?: Filter) {
  const ids: string[] = []
  for (let cursor: string | undefined; ; ) {
    const page = await api.listRecords({ object, filter: filter && print(filter), limit: 30, cursor })
    ids.push(...page.records.map(({ id }) => id))
    if (!page.next_cursor) return ids.toSorted()
    cursor = page.next_cursor
  }
}

async function viaMcp(key: string, object: string, filter?: Filter) {
  const { rpc } = await legacy(key, 'tools/call', { name: 'query_records', arguments: { object, filter, limit: 100 } })
  const { structuredContent } = rpc.result as { structuredContent: { records?: { id: string }[] } }
  expect(structuredContent, JSON.stringify(rpc)).toHaveProperty('records')
  return idsOf(structuredContent.records!)
}

describe('for any role', () => {
  test('every way to records shows the same ones, and they can be changed and deleted exactly as its rights say', async () => {
    const { admin, api, users, world } = await givenWorld(kith, place)
    const session = withSession(await given.session(admin))
    const [, rep] = users
    const key = await given.key(rep!)
    const own = withKey(key)
    await addNotes(world, [
      { api, user_id: admin.user_id },
      { api: own, user_id: rep!.user_id },
    ])
    const role = await session.createRole({ name: 'Any', records: { '*': everything } })
    await session.changeUserRole({ id: rep!.user_id, role: 'Any' })
    const known = { ids: world.records.map(({ id }) => id), users: users.map(({ user_id }) => user_id) }
    for (const [i, records] of fc.sample(someRole, { seed, numRuns: roles }).entries()) {
      await session.updateRole({ id: role.id, records })
      const isMine = ownedBy(rep!.user_id)
      const reached = (object: string, right: 'read' | 'edit' | 'delete', record: Kept) =>
        allows(rightsOn(records, object)[right], isMine(record))
      const seen: World = {
        ...world,
        scope: scopeFrom((await own.describeSchema({})).objects),
        here: { ...world.here, me: rep!.user_id },
        maySee: (record) => reached(record.object, 'read', record),
      }
      const readable = objects.filter((object) => rightsOn(records, object).read !== 'none')
      expect(
        Object.keys(seen.scope)
          .filter((object) => objects.includes(object))
          .toSorted(),
      ).toEqual(readable.toSorted())
      for (const object of objects) {
        const all = world.records.filter((record) => record.object === object && !record.is_deleted)
        const visible = all.filter((record) => isThere(seen, record))
        if (readable.includes(object)) await sameEverywhere(own, key, object, all, visible)
        if (readable.includes(object)) await sameFilters(own, key, object, seen, known, i)
        for (const record of all.slice(0, 6)) {
          const expected = (right: 'edit' | 'delete') => {
            if (!mayWithSome(records, `records.${right}`)) return 403
            if (!readable.includes(object) || !visible.includes(record)) return 404
            return reached(object, right, record) ? 200 : 403
          }
          const update = { object, records: [{ id: record.id, values: { owner: 'me' } }], dry_run: true }
          expect(await statusOf(own.updateRecords(update)), `${JSON.stringify(records)} ${object}`).toBe(
            expected('edit'),
          )
          const remove = { object, ids: [record.id], dry_run: true }
          expect(await statusOf(own.deleteRecords(remove)), `${JSON.stringify(records)} ${object}`).toBe(
            expected('delete'),
          )
        }
      }
    }
  }, 120_000)

  const ownedBy = (user_id: string) => (record: Kept) => {
    const { owner, assignee, created_by } = record.values
    if (owner === user_id) return true
    return record.object === 'tasks' ? assignee === user_id : record.object === 'notes' && created_by === user_id
  }
  const allows = (reach: string, isMine: boolean) => reach === 'all' || (reach === 'own' && isMine)

  async function addNotes(world: World, writers: { api: Api; user_id: string }[]) {
    const targets = world.records.filter(({ object, is_deleted }) => object !== 'tasks' && !is_deleted).slice(0, 6)
    for (const { api, user_id } of writers) {
      const about = targets.map(({ id }) => id)
      const inputs = about.map((id) => ({ body: 'A note', about: [id], owner: null }))
      const { records } = await api.createRecords({ object: 'notes', records: inputs })
      for (const [i, { id, created_at }] of records.entries()) {
        const values = { ...inputs[i], id, title: 'A note', created_by: user_id, created_at, updated_at: created_at }
        world.records.push({ id, object: 'notes', is_deleted: false, values })
      }
    }
    await kith.pool.query('analyze records, links')
  }

  async function sameEverywhere(api: Api, key: string, object: string, all: Kept[], visible: Kept[]) {
    const ids = idsOf(visible)
    expect(await wholeList(api, object)).toEqual(ids)
    expect(idsOf((await api.queryRecords({ object, limit: 100 })).records)).toEqual(ids)
    expect(await viaMcp(key, object)).toEqual(ids)
    expect(await api.countRecords({ object, exact: true })).toMatchObject({ count: ids.length })
    if (ids.length) expect(idsOf((await api.getRecords({ object, ids })).records)).toEqual(ids)
    const hidden = all.filter((record) => !visible.includes(record))
    for (const { id } of hidden.slice(0, 3)) {
      const random = randomUUIDv7()
      expect(await refusal(api.getRecord({ object, id }))).toBe(await refusal(api.getRecord({ object, id: random })))
      const both = (one: string) => refusal(api.getRecords({ object, ids: [...ids.slice(0, 2), one] }))
      expect(await both(id)).toBe(await both(random))
    }
    const emails = hidden.flatMap((record) => (record.values.emails as string[] | undefined)?.[0] ?? [])
    for (const value of emails.slice(0, 2)) {
      const by = (value: string) => refusal(api.getRecords({ object, by: [{ field: 'emails', value }] }))
      expect(await by(value)).toBe(await by('nobody@nowhere.example'))
    }
  }

  async function sameFilters(
    api: Api,
    key: string,
    object: string,
    seen: World,
    known: { ids: string[]; users: string[] },
    i: number,
  ) {
    const all = seen.records.filter((record) => record.object === object && isThere(seen, record))
    const filters = fc.sample(treesOf(seen.scope, known, object), { seed: seed + i, numRuns: treesEach })
    await Promise.all(
      filters.map(async (filter) => {
        const ids = idsOf(all.filter((record) => fits(seen, filter, record)))
        expect(await wholeList(api, object, filter), `${object}: ${print(filter)}`).toEqual(ids)
        expect(await viaMcp(key, object, filter)).toEqual(ids)
        expect(await api.countRecords({ object, filter: filter as never })).toMatchObject({ count: ids.length })
      }),
    )
  }
})

describe('a record that one may not see', () => {
  test('is not shown, named, linked to or given away by a refusal', async () => {
    const admin = await given.company()
    const api = withKey(await given.key(admin))
    await withSession(await given.session(admin)).createRole({
      name: 'Own',
      records: { '*': { read: 'own', create: true, edit: 'own', delete: 'own' } },
    })
    const rep = withKey(await given.key(await given.user(admin, { role: 'Own' })))
    const { records: hidden } = await api.createRecords({
      object: 'organizations',
      records: [{ name: 'Hidden Ltd', domains: ['hidden.com'] }],
    })
    const { id } = hidden[0]!
    await api.createRecords({ object: 'people', records: [{ first_name: 'Secret', emails: ['secret@x.com'] }] })
    const { records: mine } = await rep.createRecords({ object: 'people', records: [{ first_name: 'Mine' }] })
    await api.updateRecords({ object: 'people', records: [{ id: mine[0]!.id, values: { organization: id } }] })

    const shown = await rep.listRecords({ object: 'people', fields: ['title', 'organization.name'] })
    expect(shown.records[0]).toMatchObject({ title: 'Mine', organization: null })
    for (const filter of ['organization.name = "Hidden Ltd"', 'any(organization: name is not empty)'])
      expect((await rep.listRecords({ object: 'people', filter })).records, filter).toEqual([])
    const people = (organization: string) =>
      refusal(rep.createRecords({ object: 'people', records: [{ organization }] }))
    expect(await people(id)).toBe(await people(randomUUIDv7()))
    expect((await people('Hidden Ltd')).replaceAll('Hidden Ltd', 'X')).toBe(
      (await people('Nobody Ltd')).replaceAll('Nobody Ltd', 'X'),
    )
    expect((await people('hidden.com')).replaceAll('hidden.com', 'X')).toBe(
      (await people('nobody.com')).replaceAll('nobody.com', 'X'),
    )
    const taken = [{ emails: ['secret@x.com'] }]
    for (const call of [
      rep.createRecords({ object: 'people', records: taken }),
      rep.createRecords({ object: 'people', records: taken, dry_run: true }),
      rep.upsertRecords({ object: 'people', match_on: 'emails', records: taken }),
    ]) {
      const text = await refusal(call)
      expect(JSON.parse(text)).toMatchObject({ status: 409 })
      expect(text).not.toMatch(/Secret|\bID\b/)
    }
  })

  test('counts neither for a relation backwards nor in a list of those that are called the same', async () => {
    const admin = await given.company()
    const api = withKey(await given.key(admin))
    await withSession(await given.session(admin)).createRole({
      name: 'Own deals',
      records: { '*': everything, deals: { ...everything, read: 'own' }, leads: { ...everything, read: 'own' } },
    })
    const rep = withKey(await given.key(await given.user(admin, { role: 'Own deals' })))
    const { records } = await api.createRecords({ object: 'organizations', records: [{ name: 'Acme' }] })
    const organization = records[0]!.id
    const { records: deals } = await api.createRecords({ object: 'deals', records: [{ name: 'Secret', organization }] })
    const count = async (filter: string) => (await rep.countRecords({ object: 'organizations', filter })).count
    expect(await count('deals is not empty')).toBe(0)
    expect(await count(`deals has any (${deals[0]!.id})`)).toBe(0)
    expect(await count(`deals has all (${deals[0]!.id})`)).toBe(0)
    expect(await count('none(deals: name = Secret)')).toBe(1)
    const refused = await refusal(rep.listRecords({ object: 'deal_lines', filter: 'deal = Secret' }))
    expect(refused).toContain('No record is called Secret')
  })
})

describe('between two companies', () => {
  test('an id of the other answers as a random one, wherever it is sent', async () => {
    const [ours, theirs] = await Promise.all([twin(false), twin(true)])
    const before = await dump(kith, theirs.company_id)
    const { api } = ours
    const since = '2020-01-01T00:00:00Z'
    type Ids = {
      person: string
      organization: string
      trashed: string
      user: string
      set: string
      key: string
      object: string
      field: string
    }
    const tries: Record<string, (x: Ids) => Promise<unknown>> = {
      getRecord: (x) => api.getRecord({ object: 'people', id: x.person }),
      getRecords: (x) => api.getRecords({ object: 'people', ids: [ours.person, x.person] }),
      filterById: (x) => api.listRecords({ object: 'people', filter: `id = "${x.person}"` }),
      filterByRelation: (x) =>
        api.queryRecords({ object: 'people', filter: { field: 'organization', op: 'eq', value: x.organization } }),
      filterByPath: (x) => api.countRecords({ object: 'people', filter: `organization.id = "${x.organization}"` }),
      filterByAny: (x) => api.listRecords({ object: 'organizations', filter: `any(people: id = "${x.person}")` }),
      filterBackwards: (x) => api.listRecords({ object: 'organizations', filter: `people has any (${x.person})` }),
      filterByUser: (x) => api.countRecords({ object: 'people', filter: `owner = ${x.user}` }),
      createWithRelation: (x) => api.createRecords({ object: 'people', records: [{ organization: x.organization }] }),
      createWithList: (x) =>
        api.createRecords({ object: 'deals', records: [{ name: 'D', people: [ours.person, x.person] }] }),
      createAbout: (x) => api.createRecords({ object: 'tasks', records: [{ title: 'T', about: [x.person] }] }),
      createForUser: (x) => api.createRecords({ object: 'people', records: [{ owner: x.user }] }),
      assign: (x) => api.createRecords({ object: 'tasks', records: [{ title: 'T', assignee: x.user }] }),
      update: (x) => api.updateRecords({ object: 'people', records: [{ id: x.person, values: { score: 1 } }] }),
      updateVersion: (x) =>
        api.updateRecords({ object: 'people', records: [{ id: x.person, version: 1, values: { score: 1 } }] }),
      updateRelation: (x) =>
        api.updateRecords({
          object: 'people',
          records: [{ id: ours.person, values: { organization: x.organization } }],
        }),
      upsertRelation: (x) =>
        api.upsertRecords({
          object: 'people',
          match_on: 'emails',
          records: [{ emails: ['same@x.com'], organization: x.organization }],
        }),
      delete: (x) => api.deleteRecords({ object: 'people', ids: [x.person] }),
      restore: (x) => api.restoreRecords({ object: 'people', ids: [x.trashed] }),
      purge: (x) => api.purgeRecords({ object: 'people', ids: [x.trashed] }),
      link: (x) => api.linkRecords({ object: 'people', id: x.person, field: 'organization', to: [ours.organization] }),
      linkTo: (x) =>
        api.linkRecords({ object: 'people', id: ours.person, field: 'organization', to: [x.organization] }),
      unlink: (x) =>
        api.unlinkRecords({ object: 'people', id: x.person, field: 'organization', to: [ours.organization] }),
      unlinkFrom: (x) =>
        api.unlinkRecords({ object: 'people', id: ours.person, field: 'organization', to: [x.organization] }),
      changesOfRecord: (x) => api.listChanges({ record_id: x.person }),
      changesOfUser: (x) => api.listChanges({ actor_id: x.user }),
      changesOfKey: (x) => api.listChanges({ api_key_id: x.key }),
      undo: (x) => api.undoChanges({ change_set_ids: [x.set] }),
      undoOfKey: (x) => api.undoChanges({ api_key_id: x.key, since }),
      schema: (x) => api.describeSchema({ objects: [x.object] }),
      objectList: (x) => api.listRecords({ object: x.object }),
      updateObject: (x) => api.updateObject({ object: x.object, label: 'Mine' }),
      createField: (x) => api.createField({ object: x.object, key: 'mine', label: 'Mine', type: 'text' }),
      relationTo: (x) =>
        api.createField({ object: 'people', key: 'rel', label: 'R', type: 'relation', to_objects: [x.object] }),
      updateField: (x) => api.updateField({ object: 'people', field: x.field, label: 'Mine' }),
      filterByField: (x) => api.listRecords({ object: 'people', filter: `${x.field} = 1` }),
      sortByField: (x) => api.listRecords({ object: 'people', sort: [x.field] }),
      writeField: (x) => api.createRecords({ object: 'people', records: [{ [x.field]: 'x' }] }),
    }
    const id = randomUUIDv7
    for (const [name, attempt] of Object.entries(tries)) {
      // As long as theirs, and as near to any other name.
      const random: Ids = {
        person: id(),
        organization: id(),
        trashed: id(),
        user: id(),
        set: id(),
        key: id(),
        object: 'qxqxqxqx',
        field: 'qyqyqyqy',
      }
      const wanted = (await refusal(attempt(random)))
        .replaceAll('qxqxqxqx', 'zxzxzxzx')
        .replaceAll('qyqyqyqy', 'zyzyzyzy')
      expect(await refusal(attempt(theirs)), name).toBe(wanted)
    }
    expect(await dump(kith, theirs.company_id)).toEqual(before)
    const page = await theirs.api.listRecords({ object: 'people', limit: 1 })
    const next = await api.listRecords({ object: 'people', limit: 1, cursor: page.next_cursor! })
    for (const record of next.records) expect(ours.people).toContain(record.id)
  })

  /** Two of these have the same data and differ by ids, and by an object and a field that one of them made. */
  async function twin(isOdd: boolean) {
    const admin = await given.company()
    const api = withKey(await given.key(admin))
    if (isOdd) {
      await api.createObject({ key: 'zxzxzxzx', label: 'Odd', label_plural: 'Odds' })
      await api.createField({ object: 'people', key: 'zyzyzyzy', label: 'Odd', type: 'number' })
    }
    const { records: orgs } = await api.createRecords({
      object: 'organizations',
      records: [{ name: 'Acme', domains: ['acme.com'] }],
    })
    const organization = orgs[0]!.id
    const made = await api.createRecords({
      object: 'people',
      records: [
        { first_name: 'Ada', emails: ['ada@x.com'], organization },
        { first_name: 'Max' },
        { first_name: 'Gone' },
      ],
    })
    const [person, , trashed] = made.records.map((record) => record.id) as [string, string, string]
    await api.deleteRecords({ object: 'people', ids: [trashed] })
    const { items } = await api.listChanges({ limit: 1 })
    const { company_id, user_id: user } = admin
    return {
      api,
      company_id,
      person,
      organization,
      trashed,
      user,
      set: made.change_set_id!,
      key: items[0]!.api_key_id!,
      object: 'zxzxzxzx',
      field: 'zyzyzyzy',
      people: made.records.map((record) => record.id),
    }
  }
})
