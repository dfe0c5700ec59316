import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { everything } from '../../../contract/shared/access.ts'
import { type Api, testApp } from '../../../test/app.ts'
import { holdWrites } from '../../../test/hold.ts'
import { testWorker } from '../../../test/worker.ts'

const kith = await testApp({ own: true })
await testWorker(kith)
const { given, withKey, withSession } = kith

async function newCompany() {
  const admin = await given.company()
  const api = withKey(await given.key(admin))
  const create = async (object: string, ...records: object[]) => {
    const ids: string[] = []
    for (let from = 0; from < records.length; from += 100)
      ids.push(
        ...(await api.createRecords({ object, records: records.slice(from, from + 100) } as never)).records.map(
          ({ id }) => id,
        ),
      )
    return ids
  }
  return { admin, api, create }
}
const finished = (api: Api, id: string) =>
  vi.waitFor(
    async () => {
      const job = await api.getJob({ id })
      expect(['done', 'failed', 'cancelled']).toContain(job.state)
      return job
    },
    { timeout: 50_000, interval: 50 },
  )
const membersOf = async (api: Api, organization: string) =>
  (await api.countRecords({ object: 'people', filter: `organization = ${organization}`, is_exact: true })).count

/** Two organizations, of which the second has this many people. */
async function withPeople(count: number) {
  const company = await newCompany()
  const [kept, other] = await company.create('organizations', { name: 'Acme' }, { name: 'Acme Ltd', city: 'Turin' })
  const people = Array.from({ length: count }, (_, i) => ({ last_name: `P${i}`, organization: other }))
  return { ...company, kept: kept!, other: other!, people: await company.create('people', ...people) }
}

describe('merging a record to which many others link', () => {
  test('is a job, one change set, and undone as a whole', async () => {
    const { api, kept, other } = await withPeople(1100)
    const wanted = { object: 'organizations', id: kept, merge: [other], values: { industry: 'Engines' } }
    const preview = await api.mergeRecords({ ...wanted, dry_run: true })
    expect(preview).toMatchObject({
      record: { id: kept, city: { from: null, to: 'Turin' } },
      moved: 1100,
      job_id: null,
      change_set_id: null,
    })
    const started = await api.mergeRecords(wanted)
    expect(started).toMatchObject({ record: { id: kept, title: 'Acme' }, moved: 1100 })
    const job = await finished(api, started.job_id!)
    expect(job).toMatchObject({ state: 'done', total: 1101, done: 1101, changed: 1102, failed: 0, can_undo: true })
    expect(job.change_set_id).toBe(started.change_set_id)
    expect(await membersOf(api, kept)).toBe(1100)
    expect(await api.getRecord({ object: 'organizations', id: other })).toMatchObject({
      id: kept,
      merged_from: other,
      city: 'Turin',
      industry: 'Engines',
    })
    const { items } = await api.listChanges({ max_changes: 1 })
    expect(items[0]).toMatchObject({ operation: 'mergeRecords', other_changes: 1101 })
    const undo = await api.undoChanges({ change_set_ids: [job.change_set_id] })
    expect(await finished(api, undo.job_id!)).toMatchObject({ state: 'done', failed: 0 })
    expect([await membersOf(api, kept), await membersOf(api, other)]).toEqual([0, 1100])
    expect(await api.getRecord({ object: 'organizations', id: other })).toMatchObject({ id: other, city: 'Turin' })
    expect((await api.getRecord({ object: 'organizations', id: kept })).city ?? null).toBeNull()
  })

  test('moves people who join the duplicate meanwhile, and stops when it is cancelled', async () => {
    const { admin, api, create, kept, other, people } = await withPeople(1100)
    const held = await holdWrites(kith.owner, 'jobs', `new.company_id = '${admin.company_id}' and new.done > 0`)
    const { job_id } = await api.mergeRecords({ object: 'organizations', id: kept, merge: [other] })
    await held.reached()
    const joined = await create('people', { last_name: 'Late', organization: other })
    await held.release()
    expect(await finished(api, job_id!)).toMatchObject({ state: 'done' })
    expect(await membersOf(api, kept)).toBe(1101)
    expect(joined).toHaveLength(1)

    const [third] = await create('organizations', { name: 'Acme Inc' })
    const again = await holdWrites(kith.owner, 'jobs', `new.company_id = '${admin.company_id}' and new.done > 0`)
    const second = await api.mergeRecords({ object: 'organizations', id: third!, merge: [kept] })
    await again.reached()
    const cancelling = api.cancelJob({ id: second.job_id! })
    await again.release()
    await cancelling
    const cancelled = await finished(api, second.job_id!)
    expect(cancelled).toMatchObject({ state: 'cancelled' })
    expect(await api.getRecord({ object: 'organizations', id: kept })).toMatchObject({ id: kept })
    expect((await membersOf(api, kept)) + (await membersOf(api, third!))).toBe(people.length + 1)
    await api.undoChanges({ change_set_ids: [second.change_set_id!] })
    await vi.waitFor(async () => expect(await membersOf(api, kept)).toBe(people.length + 1))
  })

  test('is refused if one of them cannot be changed, and fails if that is so later', async () => {
    const { admin, api, kept, other, people } = await withPeople(1100)
    const boss = withSession(await given.session(admin))
    const { name: role, id: role_id } = await boss.createRole({
      name: 'Careful',
      records: { '*': everything, people: { ...everything, edit: 'own' } },
    })
    const max = await given.user(admin, { role })
    const careful = withKey(await given.key(max))
    const wanted = { object: 'organizations', id: kept, merge: [other] }
    await expect(careful.mergeRecords(wanted)).toBeRefused(403)
    await expect(careful.mergeRecords({ ...wanted, dry_run: true })).toBeRefused(403)
    await sql`update records set owner_id = ${max.user_id} where company_id = ${admin.company_id}
      and id = any(${people}::uuid[])`.execute(kith.db)
    const held = await holdWrites(kith.owner, 'jobs', `new.company_id = '${admin.company_id}' and new.done > 0`)
    const { job_id } = await careful.mergeRecords(wanted)
    await held.reached()
    await boss.updateRole({ id: role_id, records: { '*': everything, people: { ...everything, edit: 'none' } } })
    await held.release()
    const job = await finished(careful, job_id!)
    expect(job).toMatchObject({ state: 'failed', message: expect.stringMatching(/cannot change/) })
    expect(await api.getRecord({ object: 'organizations', id: other })).toMatchObject({ id: other })
  })
})

describe('a bulk merge', () => {
  test('merges each group under one change set, reports those that it cannot, and is undone as a whole', async () => {
    const { api, create } = await newCompany()
    const other = await newCompany()
    const [foreign] = await other.create('people', { last_name: 'Foreign' })
    const [a, b, c, d, e, f] = await create('people', ...'abcdef'.split('').map((last_name) => ({ last_name })))
    const [deal] = await create('deals', { name: 'Engine', people: [b, d] })
    const groups = [
      { id: a!, merge: [b!, c!] },
      { id: d!, merge: [foreign!] },
      { id: e!, merge: [f!] },
    ]
    const preview = await api.bulkMergeRecords({ object: 'people', groups, dry_run: true })
    expect(preview).toEqual({ matched: 6, not_found: 1, job_id: null, change_set_id: null, dry_run: true })
    const started = await api.bulkMergeRecords({ object: 'people', groups })
    const job = await finished(api, started.job_id!)
    expect(job).toMatchObject({
      kind: 'merge',
      state: 'done',
      done: 5,
      total: 5,
      failed: 1,
      change_set_id: started.change_set_id,
    })
    expect(job.problems).toMatchObject([{ record_id: d, message: expect.stringMatching(/does not exist/) }])
    const { records } = await api.getRecords({ object: 'people', ids: [b!, c!, d!, f!] })
    expect(new Map(records.map(({ id, merged_from }) => [merged_from ?? id, id]))).toEqual(
      new Map([
        [b, a],
        [c, a],
        [d, d],
        [f, e],
      ]),
    )
    expect((await api.getRecord({ object: 'deals', id: deal! })).people).toMatchObject([{ id: a }, { id: d }])
    await api.undoChanges({ change_set_ids: [started.change_set_id!] })
    expect((await api.getRecords({ object: 'people', ids: [b!, c!, f!] })).records.map(({ id }) => id).sort()).toEqual(
      [b, c, f].sort(),
    )
    expect(await api.getJob({ id: job.id })).toMatchObject({ state: 'undone' })
  })

  test('is refused if a record is in two groups, and leaves alone what the caller may not merge', async () => {
    const { admin, api, create } = await newCompany()
    const [a, b, c] = await create('people', { last_name: 'A' }, { last_name: 'B' }, { last_name: 'C' })
    const twice = [
      { id: a!, merge: [b!] },
      { id: c!, merge: [a!] },
    ]
    await expect(api.bulkMergeRecords({ object: 'people', groups: twice })).toBeRefused(422)
    await expect(api.bulkMergeRecords({ object: 'people', groups: [{ id: a!, merge: [a!] }] })).toBeRefused(422)
    const boss = withSession(await given.session(admin))
    const { name: role } = await boss.createRole({ name: 'Own', records: { '*': { ...everything, delete: 'own' } } })
    const own = withKey(await given.key(await given.user(admin, { role })))
    const started = await own.bulkMergeRecords({ object: 'people', groups: [{ id: a!, merge: [b!] }] })
    const job = await finished(own, started.job_id!)
    expect(job).toMatchObject({ state: 'done', changed: 0, failed: 1 })
    expect(await api.getRecord({ object: 'people', id: b! })).toMatchObject({ id: b })
    const none = await api.bulkMergeRecords({ object: 'people', groups: [{ id: admin.user_id, merge: [a!] }] })
    expect(none).toMatchObject({ matched: 1, not_found: 1, job_id: null })
  })
})
