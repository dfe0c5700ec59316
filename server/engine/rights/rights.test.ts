import { randomUUIDv7 } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { print } from '../../../contract/filter/index.ts'
import { everything, type ObjectRights, type RecordRights, reaches, rightsOn } from '../../../contract/shared/access.ts'
import { mayWithOne } from '../../../contract/shared/rights-on-one.ts'
import { type Api, testApp } from '../../../test/app.ts'
import { mcpFor } from '../../../test/mcp.ts'
import { patience, runs, seed } from '../../../test/random.ts'
import { answersOf, asActor } from '../../../test/records/answers.ts'
import { fits, isThere, type Kept, type World } from '../../../test/records/fits.ts'
import { refusal, statusOf } from '../../../test/records/refusal.ts'
import { scopeFrom } from '../../../test/records/scope.ts'
import { treesOf } from '../../../test/records/trees.ts'
import { idsOf, waysTo } from '../../../test/records/ways.ts'
import { givenWorld, readActivity } from '../../../test/records/world.ts'

const kith = await testApp()
const { given, withKey, withSession } = kith
const mcp = await mcpFor(kith)
const place = { zone: 'Europe/Berlin', firstWeekday: 'monday' as const, seed }
const roles = runs(6)
const treesEach = 20
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

/** An Admin, a Rep whose role changes, and a world in which the Rep wrote and touched some records. */
async function withRep() {
  const { admin, api, users, world } = await givenWorld(kith, place)
  const session = withSession(await given.session(admin))
  const rep = users[1]!
  const role = await session.createRole({ name: 'Any', records: { '*': everything } })
  await session.updateUserRole({ id: rep.user_id, role: 'Any' })
  const key = await given.key(rep)
  const own = withKey(key)
  await addNotes(world, api, admin.user_id)
  await addNotes(world, own, rep.user_id)
  const touched = world.records.filter(({ object, is_deleted }) => object === 'organizations' && !is_deleted)
  const updates = touched.map(({ id }, i) => ({ id, values: { city: `Touched ${i}` } }))
  await own.updateRecords({ object: 'organizations', records: updates })
  for (const [i, { values }] of touched.entries())
    Object.assign(values, { city: `Touched ${i}`, updated_at: kith.time.now.toISOString() })
  await readActivity(kith, world.records)
  const take = (records: RecordRights) => session.updateRole({ id: role.id, records })
  const known = { ids: world.records.map(({ id }) => id), users: users.map(({ user_id }) => user_id) }
  return { rep, key, own, world, touched, take, known }
}

async function addNotes(world: World, api: Api, created_by: string) {
  const targets = world.records.filter(({ object, is_deleted }) => object !== 'tasks' && !is_deleted).slice(0, 6)
  const inputs = targets.map(({ id }) => ({ body: 'A note', about: [id], owner: null }))
  const { records } = await api.createRecords({ object: 'notes', records: inputs, return: 'record' })
  for (const [i, { id, created_at }] of records.entries()) {
    const values = { ...inputs[i], id, title: 'A note', created_by, created_at, updated_at: created_at }
    world.records.push({ id, object: 'notes', is_deleted: false, values })
  }
}

const isOwnOf = (user_id: string, { object, values: { owner, assignee, created_by } }: Kept) =>
  owner === user_id || (object === 'tasks' && assignee === user_id) || (object === 'notes' && created_by === user_id)

describe('for any role', () => {
  test(
    'every operation shows the same records, which can be changed and deleted exactly as the rights allow',
    async () => {
      const { rep, key, own, world, touched, take, known } = await withRep()
      for (const [i, records] of fc.sample(someRole, { seed, numRuns: roles }).entries()) {
        await take(records)
        const reached = (right: 'read' | 'edit' | 'delete', record: Kept) => {
          const reach = rightsOn(records, record.object)[right]
          return reach === 'all' || (reach === 'own' && isOwnOf(rep.user_id, record))
        }
        const maySee = (record: Kept) => reached('read', record)
        const scope = mayWithOne(records, ['records.read']) ? scopeFrom((await own.describeSchema({})).objects) : {}
        const seen: World = { ...world, scope, here: { ...world.here, me: rep.user_id }, maySee }
        const readable = objects.filter((object) => rightsOn(records, object).read !== 'none')
        expect(
          Object.keys(scope)
            .filter((key) => objects.includes(key))
            .toSorted(),
        ).toEqual(readable.toSorted())
        for (const object of objects) {
          const all = world.records.filter((record) => record.object === object && !record.is_deleted)
          const visible = all.filter((record) => isThere(seen, record))
          const what = `${object} ${JSON.stringify(records)}`
          const ways = waysTo(own, key, mcp, object, idsOf(all))
          for (const [name, way] of Object.entries(ways))
            expect(await way(), `${name} of ${what}`).toEqual(idsOf(visible))
          const hidden = all.filter((record) => !visible.includes(record))
          if (readable.includes(object)) {
            expect(await own.countRecords({ object, is_exact: true })).toMatchObject({ count: visible.length })
            await sameFilters(object, visible, i)
            await tellsNothing(own, object, hidden)
          }
          for (const record of all.slice(0, 3)) {
            const expected = (right: 'edit' | 'delete') => {
              if (!mayWithOne(records, [`records.${right}`])) return 403
              if (!visible.includes(record)) return 404
              return reached(right, record) ? 200 : 403
            }
            const update = { object, records: [{ id: record.id, values: { owner: 'me' } }], dry_run: true }
            expect(await statusOf(own.updateRecords(update)), what).toBe(expected('edit'))
            expect(await statusOf(own.deleteRecords({ object, ids: [record.id], dry_run: true })), what).toBe(
              expected('delete'),
            )
          }
        }
        await samePaths(own, seen)
        const { items } = await own.listChanges({ limit: 100, max_changes: 1000 })
        const told = items.flatMap(({ changes }) => changes.map(({ record_id }) => record_id))
        const written = [...touched, ...world.records.filter((one) => one.values.created_by === rep.user_id)]
        expect([...new Set(told)].toSorted(), JSON.stringify(records)).toEqual(idsOf(written.filter(maySee)))

        async function sameFilters(object: string, visible: Kept[], i: number) {
          const filters = fc.sample(treesOf(scope, known, object), { seed: seed + i, numRuns: treesEach })
          const answers = await answersOf(kith, asActor(rep, records), seen, object, filters)
          const ways = waysTo(own, key, mcp, object, [])
          for (const [n, filter] of filters.entries()) {
            const ids = idsOf(visible.filter((record) => fits(seen, filter, record)))
            expect(answers[n]!.toSorted(), `${object}: ${print(filter)}`).toEqual(ids)
            if (n > 1) continue
            for (const way of [ways.list, ways.query, ways.queryTool])
              expect(await way(filter), print(filter)).toEqual(ids)
            expect(await own.countRecords({ object, filter: filter as never })).toMatchObject({ count: ids.length })
          }
        }
      }
    },
    patience,
  )

  /** A record that one may not see is refused as one that is not there. */
  async function tellsNothing(api: Api, object: string, hidden: Kept[]) {
    for (const { id, values } of hidden.slice(0, 2)) {
      const get = (id: string) => refusal(api.getRecords({ object, ids: [id] }))
      expect(await get(id)).toBe(await get(randomUUIDv7()))
      const [email] = (values.emails as string[] | undefined) ?? []
      const by = (value: string) => refusal(api.getRecords({ object, by: [{ field: 'emails', value }] }))
      if (email) expect(await by(email)).toBe(await by('nobody@nowhere.example'))
    }
  }

  /** A field of a related record is there where that record is. */
  async function samePaths(api: Api, seen: World) {
    if (!seen.scope.people) return
    const call = api.listRecords({ object: 'people', fields: ['organization.name'], limit: 100 })
    if (!seen.scope.organizations) return expect(await statusOf(call)).toBe(422)
    for (const { id, organization } of (await call).records) {
      const { values } = seen.records.find((one) => one.id === id)!
      const target = seen.records.find((one) => one.id === values.organization && isThere(seen, one))
      expect((organization as { name: string } | null)?.name).toBe(target?.values.name)
    }
  }
})
