// A job survives whatever ends the process that runs it.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { testApp } from '../../test/app.ts'
import { databaseUrlOf, launch, type Started, until } from '../../test/process.ts'

const kith = await testApp({ rateLimits: { key: { perSecond: 1e6, burst: 1e6 } } } as never)
const home = mkdtempSync(join(tmpdir(), 'kith-jobs-'))
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

const count = 3000

test('with kill -9 of one worker after another, every record is changed exactly once', async () => {
  const admin = await kith.given.company()
  const api = kith.withKey(await kith.given.key(admin))
  for (let from = 0; from < count; from += 100)
    await api.createRecords({
      object: 'people',
      records: Array.from({ length: 100 }, (_, i) => ({ first_name: `P${from + i}` })),
    })
  const { job_id } = await api.bulkUpdateRecords({ object: 'people', filter: 'first_name ~ P', values: { score: 1 } })
  const job = () => api.getJob({ id: job_id! })
  const progress = async (done: number) => {
    for (let i = 0; i < 1200 && (await job()).done < done; i++) await new Promise((resolve) => setTimeout(resolve, 20))
    return (await job()).done
  }

  for (const part of [0.2, 0.5]) {
    const two = await Promise.all([startWorker(), startWorker()])
    expect(await progress(count * part)).toBeGreaterThanOrEqual(count * part)
    for (const { child } of two) child.kill('SIGKILL')
    await Promise.all(two.map(({ ended }) => ended))
    expect((await job()).state).toBe('running')
  }
  await startWorker()
  expect(await progress(count)).toBe(count)

  expect(await job()).toMatchObject({ state: 'done', changed: count, failed: 0 })
  const { change_set_id } = await job()
  const { rows } = await sql<{ changes: number; records: number; versions: number }>`
    select count(*)::int as changes, count(distinct record_id)::int as records,
      (select count(*)::int from records where company_id = ${admin.company_id} and version = 2) as versions
    from changes where company_id = ${admin.company_id} and change_set_id = ${change_set_id}`.execute(kith.db)
  expect(rows[0]).toEqual({ changes: count, records: count, versions: count })
}, 120_000)
