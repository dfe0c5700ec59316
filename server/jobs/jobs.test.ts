import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { everything } from '../../contract/shared/access.ts'
import { testApp } from '../../test/app.ts'
import type { GivenUser } from '../../test/given.ts'
import { holdWrites, untilWaiting } from '../../test/hold.ts'
import { soon, testWorker } from '../../test/worker.ts'
import { jobHandlers } from '../background-tasks.ts'
import { makeDue } from '../kernel/due-work.ts'
import { startWorkers } from '../kernel/worker.ts'
import { jobWork } from './runner.ts'

const kith = await testApp({ own: true })
await testWorker(kith)
const { given, withKey, withSession } = kith

async function company() {
  const admin = await given.company()
  const api = withKey(await given.key(admin))
  const max = await given.user(admin, { name: 'Max Member' })
  return { admin, api, max, member: withKey(await given.key(max)) }
}
type Api = Awaited<ReturnType<typeof company>>['api']

async function addPeople(api: Api, count: number, more: object = {}) {
  const ids: string[] = []
  for (let from = 0; from < count; from += 100) {
    const records = Array.from({ length: Math.min(100, count - from) }, (_, i) => ({
      first_name: `P${from + i}`,
      ...more,
    }))
    ids.push(...(await api.createRecords({ object: 'people', records })).records.map(({ id }) => id))
  }
  return ids
}

/** Jobs of a thousand records have many steps, so they get longer than other waits. */
const finished = (api: Api, id: string) =>
  vi.waitFor(
    async () => {
      const job = await api.getJob({ id })
      expect(['done', 'failed', 'cancelled']).toContain(job.state)
      return job
    },
    { timeout: 50_000, interval: 50 },
  )
const scores = async (api: Api, score: number) =>
  (await api.countRecords({ object: 'people', filter: `score = ${score}`, is_exact: true })).count

describe('a bulk update', () => {
  test('changes every record that matches, under one change set, and can be undone as a whole', async () => {
    const { api } = await company()
    await addPeople(api, 250, { city: 'Berlin' })
    await addPeople(api, 20, { city: 'Rome' })
    const started = await api.bulkUpdateRecords({ object: 'people', filter: 'city = Berlin', values: { score: 7 } })
    expect(started).toMatchObject({ matched: 250, not_found: 0, dry_run: false })
    const job = await finished(api, started.job_id!)
    expect(job).toMatchObject({
      change_set_id: started.change_set_id,
      state: 'done',
      total: 250,
      done: 250,
      changed: 250,
      failed: 0,
      can_undo: true,
      problems: [],
    })
    expect(await scores(api, 7)).toBe(250)
    const { items } = await api.listChanges({ max_changes: 1 })
    expect(items[0]).toMatchObject({ id: job.change_set_id, operation: 'bulkUpdateRecords', other_changes: 249 })
    await api.undoChanges({ change_set_ids: [job.change_set_id] })
    expect(await scores(api, 7)).toBe(0)
    expect(await api.getJob({ id: job.id })).toMatchObject({ state: 'undone', can_undo: false })
  })

  test('previews without changing anything', async () => {
    const { api } = await company()
    await addPeople(api, 3)
    const preview = await api.bulkUpdateRecords({
      object: 'people',
      filter: 'first_name ~ P',
      values: { score: 7 },
      dry_run: true,
    })
    expect(preview).toEqual({ matched: 3, not_found: 0, job_id: null, change_set_id: null, dry_run: true })
    expect((await api.listJobs({})).items).toEqual([])
  })

  test('reports each record that could not be changed, and changes the others', async () => {
    const { admin, api, member } = await company()
    const boss = withSession(await given.session(admin))
    const own = { ...everything, edit: 'own' as const }
    const { name: role } = await boss.createRole({ name: 'Edits own', records: { '*': own } })
    const sam = await given.user(admin, { name: 'Sam', role })
    const samApi = withKey(await given.key(sam))
    const ids = [...(await addPeople(api, 29)), ...(await addPeople(samApi, 1))]
    const started = await samApi.bulkUpdateRecords({ object: 'people', ids, values: { score: 1 } })
    const job = await finished(samApi, started.job_id!)
    expect(job).toMatchObject({ state: 'done', done: 30, changed: 1, failed: 29 })
    expect(job.problems[0]).toMatchObject({ record_id: ids[0], message: expect.stringMatching(/Edits own/) })
    await expect(member.getJob({ id: job.id })).rejects.toMatchObject({ problem: { code: 'not_found' } })
  })

  test('says how many of the ids are not those of records that the caller can read', async () => {
    const { api } = await company()
    const other = await company()
    const ids = await addPeople(api, 2)
    const foreign = await addPeople(other.api, 1)
    await api.deleteRecords({ object: 'people', ids: [ids[1]!] })
    const wanted = { object: 'people', ids: [...ids, ...foreign, ids[0]!, randomUUIDv7()] }
    const started = await api.bulkUpdateRecords({ ...wanted, values: { score: 1 } })
    expect(started).toMatchObject({ matched: 1, not_found: 3, job_id: expect.any(String) })
    expect(await finished(api, started.job_id!)).toMatchObject({ total: 1, changed: 1, failed: 0 })
    const none = await api.bulkDeleteRecords({ object: 'people', ids: foreign })
    expect(none).toMatchObject({ matched: 0, not_found: 1, job_id: null, change_set_id: null })
  })

  test('does nothing if more records match than were agreed to', async () => {
    const { api } = await company()
    await addPeople(api, 3, { city: 'Berlin' })
    const wanted = { object: 'people', filter: 'city = Berlin' }
    const refused = { problem: { status: 409, detail: expect.stringContaining('3 records match') } }
    await expect(api.bulkDeleteRecords({ ...wanted, at_most: 2 })).rejects.toMatchObject(refused)
    await expect(api.bulkUpdateRecords({ ...wanted, values: { score: 1 }, at_most: 2 })).rejects.toMatchObject(refused)
    expect(await api.bulkDeleteRecords({ ...wanted, at_most: 3 })).toMatchObject({ matched: 3 })
  })

  test('refuses to set the same unique value on several records', async () => {
    const { api } = await company()
    const ids = await addPeople(api, 2)
    const send = (values: object) => api.bulkUpdateRecords({ object: 'people', ids, values } as never)
    await expect(send({ emails: ['a@b.com'] })).rejects.toMatchObject({ problem: { code: 'invalid_input' } })
    expect(await send({ emails: null })).toMatchObject({ matched: 2 })
  })

  test('refuses values that are wrong before it starts', async () => {
    const { api } = await company()
    await addPeople(api, 1)
    const send = (more: object) =>
      api.bulkUpdateRecords({ object: 'people', filter: 'first_name ~ P', values: { score: 1 }, ...more })
    await expect(send({ values: { score: 'many' } })).rejects.toMatchObject({ problem: { code: 'invalid_input' } })
    await expect(send({ values: {} })).rejects.toMatchObject({ problem: { code: 'invalid_input' } })
    await expect(send({ filter: 'nonsense = 1' })).rejects.toMatchObject({ problem: { code: 'invalid_input' } })
    await expect(send({ values: { organization: 'Nowhere' } })).rejects.toMatchObject({
      problem: { code: 'invalid_input' },
    })
    for (const filter of [' ', { and: [] }])
      await expect(send({ filter })).rejects.toMatchObject({ problem: { code: 'invalid_input' } })
    await expect(send({ filter: undefined })).rejects.toMatchObject({ problem: { code: 'invalid_input' } })
  })
})

describe('companies take turns', () => {
  const wanted = (score: number) => ({ object: 'people', filter: 'first_name ~ P', values: { score } })

  test('a short job of one ends while long jobs of two others run', async () => {
    const long = [await company(), await company()]
    const short = await company()
    for (const { api } of long) await addPeople(api, 300)
    await addPeople(short.api, 1)
    const theirs = `new.company_id in (${long.map(({ admin }) => `'${admin.company_id}'`).join(', ')})`
    const first = await holdWrites(kith.owner, 'jobs', `${theirs} and new.done > 0 and new.done <= 100`)
    const second = await holdWrites(kith.owner, 'jobs', `${theirs} and new.done > 100`)
    const ids: string[] = []
    for (const { api } of long) ids.push((await api.bulkUpdateRecords(wanted(1))).job_id!)
    await soon(async () => {
      for (const [i, { api }] of long.entries()) expect((await api.getJob({ id: ids[i]! })).state).toBe('running')
    })
    const { job_id } = await short.api.bulkUpdateRecords(wanted(1))
    await first.release()
    expect(await finished(short.api, job_id!)).toMatchObject({ state: 'done', changed: 1 })
    await second.release()
    for (const [i, { api }] of long.entries())
      expect(await finished(api, ids[i]!)).toMatchObject({ state: 'done', done: 300, changed: 300 })
  })

  test('a second process waits for the first one to claim, so that a company has one running job', async () => {
    const { admin, api } = await company()
    await addPeople(api, 1)
    const claiming = await holdWrites(
      kith.owner,
      'jobs',
      `new.company_id = '${admin.company_id}' and new.state = 'running' and new.attempts = 1`,
    )
    const parts = { db: kith.backgroundDb, log: kith.log, clock: () => kith.time.now }
    const other = startWorkers(parts, [jobWork({ ...parts, handlers: jobHandlers(kith.services) })])
    onTestFinished(() => other.stop())
    const ids = [await api.bulkUpdateRecords(wanted(1)), await api.bulkUpdateRecords(wanted(2))].map(
      ({ job_id }) => job_id!,
    )
    await claiming.reached()
    other.wake('jobs')
    await untilWaiting(kith.connection, 'select pg_advisory_xact_lock(hashtextextended(')
    await claiming.release()
    for (const id of ids) expect(await finished(api, id)).toMatchObject({ state: 'done', changed: 1 })
    expect(await scores(api, 2)).toBe(1)
  })

  test('a job waits for the one before it, also while a step of that takes longer than its lease', async () => {
    const { admin, api } = await company()
    await addPeople(api, 1)
    const step = await holdWrites(kith.owner, 'jobs', `new.company_id = '${admin.company_id}' and new.done > 0`)
    const { job_id: first } = await api.bulkUpdateRecords(wanted(1))
    await step.reached()
    const { job_id: second } = await api.bulkUpdateRecords(wanted(2))
    await soon(async () => {
      const { rows } = await sql<{ is_over: boolean }>`select leased_until < now() as is_over from jobs
        where company_id = ${admin.company_id} and id = ${first}`.execute(kith.db)
      expect(rows[0]!.is_over).toBe(true)
    })
    const other = await company()
    await addPeople(other.api, 1)
    await finished(other.api, (await other.api.bulkUpdateRecords(wanted(3))).job_id!)
    expect(await api.getJob({ id: second! })).toMatchObject({ state: 'waiting' })
    await step.release()
    expect(await finished(api, second!)).toMatchObject({ state: 'done', changed: 1 })
    expect(await scores(api, 2)).toBe(1)
  })
})

test('a bulk delete moves every record that matches to the trash, and undoing it brings them back', async () => {
  const { api } = await company()
  await addPeople(api, 120, { city: 'Berlin' })
  const { job_id } = await api.bulkDeleteRecords({ object: 'people', filter: 'city = Berlin' })
  const job = await finished(api, job_id!)
  expect(job).toMatchObject({ state: 'done', changed: 120 })
  expect((await api.countRecords({ object: 'people' })).count).toBe(0)
  await api.undoChanges({ change_set_ids: [job.change_set_id] })
  expect((await api.countRecords({ object: 'people' })).count).toBe(120)
})

test('more than 1,000 changes are undone by a job', async () => {
  const { api } = await company()
  await addPeople(api, 1050)
  const { job_id } = await api.bulkUpdateRecords({ object: 'people', filter: 'first_name ~ P', values: { score: 3 } })
  const { change_set_id } = await finished(api, job_id!)
  const [kept] = (await api.listRecords({ object: 'people', limit: 1 })).records
  await api.updateRecords({ object: 'people', records: [{ id: kept!.id, values: { score: 99 } }] })
  const undone = await api.undoChanges({ change_set_ids: [change_set_id] })
  expect(undone).toMatchObject({ undone: 0, change_set_id: null, job_id: expect.any(String) })
  const job = await finished(api, undone.job_id!)
  expect(job).toMatchObject({ state: 'done', done: 1050, changed: 1049, failed: 1 })
  expect(job.problems).toMatchObject([{ record_id: kept!.id, message: 'score: It was changed again later' }])
  expect(await scores(api, 3)).toBe(0)
  expect(await scores(api, 99)).toBe(1)
  await expect(api.undoChanges({ change_set_ids: [change_set_id] })).rejects.toMatchObject({
    problem: { code: 'conflict', detail: expect.stringContaining('already undone') },
  })
  // And the undo itself can be undone.
  const again = await api.undoChanges({ change_set_ids: [job.change_set_id] })
  await finished(api, again.job_id!)
  expect(await scores(api, 3)).toBe(1049)
})

test('permanently deleting a record that many link to is done by a job', async () => {
  const { api } = await company()
  const { records } = await api.createRecords({ object: 'organizations', records: [{ name: 'Acme' }] })
  const organization = records[0]!.id
  await addPeople(api, 300, { organization })
  await api.deleteRecords({ object: 'organizations', ids: [organization] })
  const purged = await api.purgeRecords({ object: 'organizations', ids: [organization] })
  expect(purged).toMatchObject({ purged: 0, job_id: expect.any(String) })
  expect(await finished(api, purged.job_id!)).toMatchObject({ state: 'done', done: 1, changed: 300, can_undo: false })
  const { rows } = await sql`select 1 from links where to_id = ${organization}`.execute(kith.db)
  expect(rows).toEqual([])
})

describe('a job in the middle', () => {
  /** A bulk update of 300 people that is about to save its first step, which waits for `release`. */
  async function held(by: Api, { company_id }: GivenUser, score: number) {
    await addPeople(by, 300)
    const hold = await holdWrites(kith.owner, 'jobs', `new.company_id = '${company_id}' and new.done > 0`)
    const filter = 'first_name ~ P'
    const { job_id } = await by.bulkUpdateRecords({ object: 'people', filter, values: { score } })
    await hold.reached()
    return { id: job_id!, release: hold.release }
  }

  test('stops when it is cancelled; changes made so far are kept and can be undone', async () => {
    const { admin, api } = await company()
    const { id, release } = await held(api, admin, 5)
    const cancelled = api.cancelJob({ id })
    await untilWaiting(kith.connection, 'update "jobs"')
    await release()
    await cancelled
    const job = await finished(api, id)
    expect(job.state).toBe('cancelled')
    expect(job.done).toBeLessThan(300)
    expect(await scores(api, 5)).toBe(job.done)
    await expect(api.cancelJob({ id })).rejects.toMatchObject({ problem: { code: 'conflict' } })
    const undone = await api.undoChanges({ change_set_ids: [job.change_set_id] })
    if (undone.job_id) await finished(api, undone.job_id)
    expect(await scores(api, 5)).toBe(0)
    expect(await api.getJob({ id: job.id })).toMatchObject({ state: 'undone', can_undo: false })
    const listed = async (state: 'undone' | 'cancelled') =>
      (await api.listJobs({ state, kind: 'bulk_update' })).items.map((one) => one.id)
    expect([await listed('undone'), await listed('cancelled')]).toEqual([[job.id], []])
  })

  test('fails with a clear message when its user loses the right', async () => {
    const { admin, api, max, member } = await company()
    const { id, release } = await held(member, admin, 6)
    await api.deactivateUser({ id: max.user_id, reassign_to: admin.user_id })
    await release()
    const job = await finished(api, id)
    expect(job).toMatchObject({ state: 'failed', message: expect.stringMatching(/can no longer sign in/) })
  })

  test('is left to the process that took it over, and done once', async () => {
    const { admin, api } = await company()
    const { id, release } = await held(api, admin, 7)
    const lease = (seconds: number) =>
      sql`update jobs set leased_by = ${randomUUIDv7()}, leased_until = now() + make_interval(secs => ${seconds})
        where company_id = ${admin.company_id} and id = ${id}`.execute(kith.db)
    const taken = lease(3600)
    await untilWaiting(kith.connection, 'set leased_by = ')
    await release()
    await taken
    const { done } = await api.getJob({ id })
    const other = await company()
    await addPeople(other.api, 300)
    const later = { object: 'people', filter: 'first_name ~ P', values: { score: 8 } }
    await finished(other.api, (await other.api.bulkUpdateRecords(later)).job_id!)
    expect(await api.getJob({ id })).toMatchObject({ state: 'running', done })
    await lease(-1)
    await makeDue(kith.db, [{ company_id: admin.company_id, queue: 'jobs', at: kith.time.now }])
    expect(await finished(api, id)).toMatchObject({ state: 'done', done: 300, changed: 300, failed: 0 })
    expect(await scores(api, 7)).toBe(300)
  })
})
