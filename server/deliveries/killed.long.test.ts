// What matched is delivered exactly once, whatever ends the processes.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { testApp } from '../../test/app.ts'
import { databaseUrlOf, launch, type Started, until } from '../../test/process.ts'

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

const count = 3000

test('with kill -9 of workers during a bulk change, its notification counts every record once', async () => {
  const admin = await kith.given.company()
  const api = kith.withKey(await kith.given.key(admin))
  for (let from = 0; from < count; from += 100)
    await api.createRecords({
      object: 'people',
      records: Array.from({ length: 100 }, (_, i) => ({ first_name: `P${from + i}` })),
    })
  await api.createNotificationRule({ name: 'Scored', object: 'people', filter: 'score = 1', made_by: 'anyone' })
  await api.bulkUpdateRecords({ object: 'people', filter: 'first_name ~ P', values: { score: 1 } })
  const counted = async () => {
    const [notification] = (await api.listNotifications({})).items
    return Number(notification?.text.match(/\d+/)?.[0] ?? 0)
  }
  const reached = async (wanted: number) => {
    for (let i = 0; i < 1500 && (await counted()) < wanted; i++) await new Promise((resolve) => setTimeout(resolve, 20))
    return counted()
  }
  for (const part of [0.1, 0.5]) {
    const two = await Promise.all([startWorker(), startWorker()])
    expect(await reached(count * part)).toBeGreaterThanOrEqual(count * part)
    for (const { child } of two) child.kill('SIGKILL')
    await Promise.all(two.map(({ ended }) => ended))
  }
  await startWorker()
  await reached(count)
  await new Promise((resolve) => setTimeout(resolve, 1500))
  expect(await counted()).toBe(count)
  expect((await api.listNotifications({})).items).toHaveLength(1)
})
