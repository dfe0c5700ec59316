// Covers: server/engine/records server/jobs
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { holdWrites } from '../../../test/hold.ts'
import { type Installation, install } from '../../../test/installation.ts'
import { sized } from '../../../test/long.ts'
import { waitForProcesses } from '../../../test/patience.ts'
import type { Started } from '../../../test/process.ts'
import { joinEmbeddedPostgres } from '../../platform/embedded-postgres.ts'

waitForProcesses()

let kith: Installation
let running: Started[]
beforeAll(async () => {
  kith = await install()
  running = [kith.server, await kith.startWorker()]
})
afterAll(() => kith?.remove())

/** More than one call merges. */
const count = sized(1200, 3000)

test('with kill -9 of server, worker and database, a large merge moves every record exactly once, and so does its undo', async () => {
  const { company_id, ...admin } = await kith.given.company()
  const api = kith.withKey(await kith.given.key({ company_id, ...admin }))
  const { records } = await api.createRecords({
    object: 'organizations',
    records: [{ name: 'Acme' }, { name: 'Twin' }],
  })
  const [kept, other] = records.map(({ id }) => id) as [string, string]
  for (let from = 0; from < count; from += 100)
    await api.createRecords({
      object: 'people',
      records: Array.from({ length: 100 }, (_, i) => ({ last_name: `P${from + i}`, organization: other })),
    })
  const { owner } = await joinEmbeddedPostgres(kith.dataDir)
  const hold = (kind: string, done: number) => holdWrites(owner, 'jobs', `new.kind = '${kind}' and new.done > ${done}`)
  const held = [await hold('merge', 100), await hold('merge', count * 0.6), await hold('undo', count * 0.3)]
  const dieAndStart = async (withDatabase: boolean) => {
    await Promise.all([...running.map(kith.kill), ...(withDatabase ? [kith.killPostgres()] : [])])
    running = [await kith.startServer(), await kith.startWorker()]
  }
  const finished = (id: string) =>
    kith.eventually(async () => {
      const job = await api.getJob({ id })
      return job.state === 'done' && job
    })
  /** How many people belong to each organization, and how often they were changed. */
  const people = async () => {
    const { rows } = await sql<{ organization: string; version: number; number: number }>`
      select values ->> 'organization' as organization, version::int, count(*)::int as number from records
      where company_id = ${company_id} and values ? 'last_name' group by 1, 2`.execute(kith.db)
    return rows
  }

  const { job_id, change_set_id, moved } = await api.mergeRecords({ object: 'organizations', id: kept, merge: [other] })
  expect(moved).toBe(count)
  await held[0]!.reached()
  await dieAndStart(true)
  await held[0]!.release()
  await held[1]!.reached()
  await dieAndStart(false)
  await held[1]!.release()
  expect(await finished(job_id!)).toMatchObject({ done: count + 1, failed: 0 })
  expect(await people()).toEqual([{ organization: kept, version: 2, number: count }])
  expect(await api.getRecord({ object: 'organizations', id: other })).toMatchObject({ id: kept, merged_from: other })

  const undo = await api.undoChanges({ change_set_ids: [change_set_id!] })
  await held[2]!.reached()
  await dieAndStart(true)
  await held[2]!.release()
  expect(await finished(undo.job_id!)).toMatchObject({ failed: 0 })
  expect(await people()).toEqual([{ organization: other, version: 3, number: count }])
  expect(await api.getRecord({ object: 'organizations', id: other })).toMatchObject({ id: other })
})
