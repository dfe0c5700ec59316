// A job survives whatever ends the processes that run it, and their database.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { holdWrites } from '../../test/hold.ts'
import { type Installation, install } from '../../test/installation.ts'
import { sized } from '../../test/long.ts'
import { waitForProcesses } from '../../test/patience.ts'
import { endLaunched, type Started } from '../../test/process.ts'
import { joinEmbeddedPostgres } from '../platform/embedded-postgres.ts'

waitForProcesses()

let kith: Installation
let running: Started[]
beforeAll(async () => {
  kith = await install()
  running = [kith.server, await kith.startWorker()]
})
afterAll(() => kith?.remove())

const killProcesses = () => Promise.all(running.map(kith.kill))
const startAgain = async () => {
  running = [await kith.startServer(), await kith.startWorker()]
}

/** More than an undo does without a job. */
const count = sized(1200, 3000)

test('with kill -9 of server, worker and database, every record is changed exactly once, and undone exactly once', async () => {
  const { company_id, ...admin } = await kith.given.company()
  const api = kith.withKey(await kith.given.key({ company_id, ...admin }))
  for (let from = 0; from < count; from += 100)
    await api.createRecords({
      object: 'people',
      records: Array.from({ length: 100 }, (_, i) => ({ first_name: `P${from + i}` })),
    })
  const job = async (id: string) => {
    const rows = sql<{ state: string; done: number; changed: number; failed: number }>`
      select state, done, changed, failed from jobs where company_id = ${company_id} and id = ${id}`
    return (await rows.execute(kith.db)).rows[0]!
  }
  const { owner } = await joinEmbeddedPostgres(kith.dataDir)
  /** Stops a job of this kind when it is about to save that more than so many records are done. */
  const holdJob = (kind: string, done: number) =>
    holdWrites(owner, 'jobs', `new.kind = '${kind}' and new.done > ${done}`)
  const [early, late] = [await holdJob('bulk_update', 100), await holdJob('bulk_update', count * 0.4)]
  const undoing = await holdJob('undo', 100)
  const finished = (id: string) =>
    kith.eventually(async () => {
      const now = await job(id)
      return now.state === 'done' && now
    })
  /** How many changes the change set has, of how many records, and how many records have which version and score. */
  const counted = async (change_set_id: string) => {
    const { rows } = await sql`select count(*)::int as changes, count(distinct record_id)::int as records,
        (select jsonb_object_agg(state, number) from (select version || ' ' || coalesce(values ->> 'score', '-') as state,
          count(*)::int as number from records where company_id = ${company_id} group by 1) s) as states
      from changes where company_id = ${company_id} and change_set_id = ${change_set_id}`.execute(kith.db)
    return rows[0]
  }

  const { job_id, change_set_id } = await api.bulkUpdateRecords({
    object: 'people',
    filter: 'first_name ~ P',
    values: { score: 1 },
  })
  await early.reached()
  await kith.killPostgres()
  await kith.eventually(async () => early.release().then(() => true))
  await late.reached()
  await killProcesses()
  const { state, done } = await job(job_id!)
  expect(state).toBe('running')
  expect(done).toBeGreaterThan(0)
  await startAgain()
  await late.release()
  expect(await finished(job_id!)).toMatchObject({ done: count, changed: count, failed: 0 })
  expect(await counted(change_set_id!)).toEqual({ changes: count, records: count, states: { '2 1': count } })

  const undo = await api.undoChanges({ change_set_ids: [change_set_id!] })
  await undoing.reached()
  await Promise.all([killProcesses(), kith.killPostgres()])
  await startAgain()
  await undoing.release()
  expect(await finished(undo.job_id!)).toMatchObject({ done: count, changed: count, failed: 0 })
  const { change_set_id: undone } = await api.getJob({ id: undo.job_id! })
  expect(await counted(undone)).toEqual({ changes: count, records: count, states: { '3 -': count } })
  expect(await api.getJob({ id: job_id! })).toMatchObject({ state: 'undone', can_undo: false })
})

test('processes that a failed test leaves behind are ended, with their database', async () => {
  await endLaunched()
  await Promise.all(running.map(({ ended }) => ended))
  await expect(kith.pool.query('select 1')).rejects.toThrow()
})
