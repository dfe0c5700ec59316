// What matched is delivered exactly once, whatever ends the processes.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { testApp } from '../../../../test/app.ts'
import { holdWrites } from '../../../../test/hold.ts'
import { sized } from '../../../../test/long.ts'
import { waitForProcesses } from '../../../../test/patience.ts'
import { databaseUrlOf, launch, type Started, until } from '../../../../test/process.ts'

waitForProcesses()

const kith = await testApp()
const home = mkdtempSync(join(tmpdir(), 'kith-deliveries-'))
const workers: Started[] = []
afterAll(async () => {
  for (const { child } of workers) child.kill('SIGKILL')
  rmSync(home, { recursive: true, force: true })
})

async function startWorker() {
  const env = {
    DATA_DIR: home,
    DATABASE_URL: databaseUrlOf(kith.connection),
    DATABASE_OWNER_URL: databaseUrlOf(kith.owner),
  }
  const worker = await until(launch('worker', env), 'worker is ready')
  workers.push(worker)
  return worker
}

const count = sized(600, 3000)

test('with kill -9 of workers during a bulk change, its notification counts every record once', async () => {
  const admin = await kith.given.company()
  const api = kith.withKey(await kith.given.key(admin))
  for (let from = 0; from < count; from += 100)
    await api.createRecords({
      object: 'people',
      records: Array.from({ length: 100 }, (_, i) => ({ first_name: `P${from + i}` })),
    })
  await api.createNotificationRule({ name: 'Scored', object: 'people', filter: 'score = 1', made_by: 'anyone' })
  const first = await holdWrites(kith.owner, 'notifications', `new.company_id = '${admin.company_id}'`)
  // At most 500 are delivered at a time, so this one adds to the notification.
  const next = await holdWrites(
    kith.owner,
    'notifications',
    `new.company_id = '${admin.company_id}' and (new.data ->> 'count')::int > 500`,
  )
  const { job_id } = await api.bulkUpdateRecords({ object: 'people', filter: 'first_name ~ P', values: { score: 1 } })
  const counted = async () => {
    const [notification] = (await api.listNotifications({})).items
    return Number(notification?.text.match(/\d+/)?.[0] ?? 0)
  }
  for (const { reached, release } of [first, next]) {
    const two = await Promise.all([startWorker(), startWorker()])
    await reached()
    for (const { child } of two) child.kill('SIGKILL')
    await Promise.all(two.map(({ ended }) => ended))
    expect(await counted()).toBeLessThanOrEqual(500)
    await release()
  }
  await startWorker()
  // When the job is done and nothing waits to be delivered, the count is final.
  await vi.waitFor(
    async () => {
      expect(await api.getJob({ id: job_id! })).toMatchObject({ state: 'done' })
      const { rows } = await kith.pool.query('select from deliveries where company_id = $1 limit 1', [admin.company_id])
      expect(rows).toHaveLength(0)
    },
    { timeout: 240_000, interval: 50 },
  )
  expect(await counted()).toBe(count)
  expect((await api.listNotifications({})).items).toHaveLength(1)
})
