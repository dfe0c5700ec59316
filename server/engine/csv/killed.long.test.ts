// An import and an export survive whatever ends the process that runs them.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { type Api, testApp } from '../../../test/app.ts'
import { download, table, uploaded } from '../../../test/csv.ts'
import { type Hold, holdWrites } from '../../../test/hold.ts'
import { sized } from '../../../test/long.ts'
import { waitForProcesses } from '../../../test/patience.ts'
import { databaseUrlOf, launch, type Started, until } from '../../../test/process.ts'

waitForProcesses()

const home = mkdtempSync(join(tmpdir(), 'kith-csv-'))
const kith = await testApp({ filesFolder: join(home, 'files') })
const workers: Started[] = []
afterAll(async () => {
  for (const { child } of workers) child.kill('SIGKILL')
  rmSync(home, { recursive: true, force: true })
})

const env = {
  DATA_DIR: home,
  DATABASE_URL: databaseUrlOf(kith.connection),
  DATABASE_OWNER_URL: databaseUrlOf(kith.owner),
}
async function startWorker() {
  const worker = await until(launch('worker', env), 'worker is ready')
  workers.push(worker)
  return worker
}
async function kill({ child, ended }: Started) {
  child.kill('SIGKILL')
  await ended
}

const ended = async (api: Api, id: string) => {
  for (;;) {
    const job = await api.getJob({ id })
    if (!['waiting', 'running'].includes(job.state)) return job
    await sleep(20)
  }
}
/** Kills the worker when it is about to save that so many rows are done. */
const killAt = async (worker: Started, { reached, release }: Hold) => {
  await reached()
  await kill(worker)
  await release()
}
const holdJob = (kind: string, done: number) =>
  holdWrites(kith.owner, 'jobs', `new.kind = '${kind}' and new.done >= ${done}`)

const count = sized(2400, 12_000)

test('with kill -9 in the middle, every row is imported once and exported once', async () => {
  const admin = await kith.given.company()
  const key = await kith.given.key(admin)
  const api = kith.withKey(key)
  const [early, late] = [await holdJob('import', count * 0.2), await holdJob('import', count * 0.5)]
  const rows = Array.from({ length: count }, (_, i) => `P${i},Org ${i % 700}`)
  const file_id = await uploaded(api, `First name,Company\n${rows.join('\n')}\n`)
  const { job_id } = await api.importRecords({ object: 'people', file_id, if_missing: 'create' })
  for (const hold of [early, late]) {
    await killAt(await startWorker(), hold)
    const { state, done } = await api.getJob({ id: job_id })
    expect(state).toBe('running')
    expect(done).toBeGreaterThan(0)
    expect(done).toBeLessThan(count * 0.5)
  }
  const last = await startWorker()
  const job = await ended(api, job_id)
  expect(job).toMatchObject({ state: 'done', done: count, failed: 0, changed: count + 700 })
  expect(job.result).toMatchObject({ created: count, related_created: { organizations: 700 } })
  const { rows: stored } = await sql<{ records: number; names: number; changes: number }>`
    select count(*)::int as records, count(distinct title)::int as names,
      (select count(*)::int from changes where company_id = ${admin.company_id} and change_set_id = ${job.change_set_id}) as changes
    from records where company_id = ${admin.company_id}`.execute(kith.db)
  expect(stored[0]).toEqual({ records: count + 700, names: count + 700, changes: count + 700 })

  const amidExport = await holdJob('export', 2000)
  const { job_id: exporting } = await api.exportRecords({ object: 'people', fields: ['first_name', 'organization'] })
  await killAt(last, amidExport)
  expect(await api.getJob({ id: exporting })).toMatchObject({ state: 'running', done: 1000, result: null })
  await startWorker()
  const { state, result, done } = await ended(api, exporting)
  expect({ state, done, rows: result?.rows }).toEqual({ state: 'done', done: count, rows: count })
  const { text } = await download(kith, key, `/files/${result!.file_id}/content`)
  expect(new Set(table(text).map(([name]) => name)).size).toBe(count + 1)
  expect(readdirSync(join(home, 'files', admin.company_id))).toHaveLength(2)
})

test('with kill -9 while rows wait for their parents, each is imported once and linked', async () => {
  const admin = await kith.given.company()
  const api = kith.withKey(await kith.given.key(admin))
  const parents = 300
  const [early, late] = [await holdJob('import', parents + 1), await holdJob('import', count * 0.6)]
  const children = Array.from({ length: count - parents }, (_, i) => `Kid ${i},Mother ${i % parents}`)
  const mothers = Array.from({ length: parents }, (_, i) => `Mother ${i},`)
  const file_id = await uploaded(api, `Name,Parent\n${[...children, ...mothers].join('\n')}\n`)
  const { job_id } = await api.importRecords({ object: 'organizations', file_id, if_missing: 'create' })
  for (const hold of [early, late]) {
    await killAt(await startWorker(), hold)
    expect(await api.getJob({ id: job_id })).toMatchObject({ state: 'running' })
  }
  await startWorker()
  const job = await ended(api, job_id)
  expect(job).toMatchObject({ state: 'done', done: count, total: count, failed: 0, changed: count })
  expect(job.result).toMatchObject({ created: count, related_created: {} })
  const { rows } = await sql<Record<string, number>>`
    select count(*)::int as records, count(distinct title)::int as names,
      (select count(*)::int from links where company_id = ${admin.company_id}) as links,
      (select count(*)::int from import_rows where company_id = ${admin.company_id}) as waiting
    from records where company_id = ${admin.company_id}`.execute(kith.db)
  expect(rows[0]).toEqual({ records: count, names: count, links: count - parents, waiting: 0 })
})

test('with kill -9 in the middle of a move and of its undo, every row is imported once and undone once', async () => {
  const admin = await kith.given.company()
  const api = kith.withKey(await kith.given.key(admin))
  const orgs = Math.floor(count / 4)
  const [early, late] = [await holdJob('move', orgs * 0.6), await holdJob('move', orgs + count * 0.3)]
  const files = {
    people: Array.from({ length: count }, (_, i) => `P${i},Org ${i % orgs}`),
    organizations: Array.from({ length: orgs }, (_, i) => `Org ${i}`),
  }
  const people = await uploaded(api, `First name,Company\n${files.people.join('\n')}\n`)
  const organizations = await uploaded(api, `Name\n${files.organizations.join('\n')}\n`, 'organizations.csv')
  const { job_id } = await api.startMove({
    files: [
      { object: 'people', file_id: people },
      { object: 'organizations', file_id: organizations },
    ],
  })
  for (const hold of [early, late]) {
    await killAt(await startWorker(), hold)
    expect(await api.getJob({ id: job_id })).toMatchObject({ state: 'running' })
  }
  const worker = await startWorker()
  const job = await ended(api, job_id)
  expect(job).toMatchObject({
    state: 'done',
    done: count + orgs,
    total: count + orgs,
    failed: 0,
    changed: count + orgs,
  })
  expect(job.result).toMatchObject({ created: count + orgs, files: [{ created: orgs }, { created: count }] })
  const stored = async () => {
    const { rows } = await sql<Record<string, number>>`
      select count(*) filter (where deleted_at is null)::int as records, count(distinct title)::int as names,
        (select count(*)::int from links where company_id = ${admin.company_id}) as links
      from records where company_id = ${admin.company_id}`.execute(kith.db)
    return rows[0]
  }
  expect(await stored()).toEqual({ records: count + orgs, names: count + orgs, links: count })

  const amidUndo = await holdJob('undo', count * 0.5)
  const { job_id: undoing } = await api.undoChanges({ change_set_ids: [job.change_set_id] })
  await killAt(worker, amidUndo)
  await startWorker()
  expect(await ended(api, undoing!)).toMatchObject({ state: 'done', failed: 0 })
  expect(await stored()).toMatchObject({ records: 0 })
})
