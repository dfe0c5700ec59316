// Covers: server/processes.ts server/process.ts server/start.ts server/app.ts
// nginx in front of two servers on one database: one is killed again and again, or both are restarted with care.
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { browserOfWorker } from '../test/browser.ts'
import { testDatabase } from '../test/database.ts'
import { givenFor } from '../test/given.ts'
import { install } from '../test/installation.ts'
import { compareLedger, keepCreating } from '../test/ledger.ts'
import { waitForProcesses } from '../test/patience.ts'
import { databaseUrlOf, endLaunched, freePort, launch, type Started, until } from '../test/process.ts'
import { startNginx } from '../test/servers.ts'

waitForProcesses()

const { connection, owner, db } = await testDatabase()
const given = givenFor(db, () => new Date())
const writers = 6
const ports = [await freePort(), await freePort()] as const
const servers: Started[] = []
let nginx: Awaited<ReturnType<typeof startNginx>>

const start = async (number: number) => {
  const env = {
    PORT: String(ports[number]),
    DATABASE_URL: databaseUrlOf(connection),
    DATABASE_OWNER_URL: databaseUrlOf(owner),
    DATA_DIR: `${process.env.TMPDIR ?? '/tmp'}/two-${process.pid}`,
    LOG: 'off',
  }
  servers[number] = await until(launch('main', env), 'Kith is ready')
}

beforeAll(async () => {
  await start(0)
  await start(1)
  nginx = await startNginx([...ports])
})
afterAll(async () => {
  await nginx?.remove()
  for (const { child, ended } of servers) {
    child.kill('SIGTERM')
    await ended
  }
})

async function someone() {
  const admin = await given.company()
  return { company_id: admin.company_id, key: await given.key(admin) }
}

test('when one of two is killed every 10 seconds, only its requests in flight fail', async () => {
  const { company_id, key } = await someone()
  const writing = keepCreating(nginx.url, key, { writers, repeats: false })
  const kills: number[] = []
  for (let round = 0; round < 4; round++) {
    await sleep(10_000)
    const victim = servers[round % 2]!
    kills.push(Date.now())
    victim.child.kill('SIGKILL')
    await victim.ended
    await start(round % 2)
  }
  await writing.stop()
  // Within a moment after a kill, and no more than were being answered.
  const late = writing.failures.filter(({ at }) => !kills.some((kill) => at >= kill && at < kill + 5000))
  expect(late).toEqual([])
  for (const kill of kills)
    expect(writing.failures.filter(({ at }) => at >= kill && at < kill + 5000).length).toBeLessThanOrEqual(writers)
  expect(writing.created.length).toBeGreaterThan(100)
  await compareLedger(db, company_id, writing)
})

test('restarting one after the other fails no request', async () => {
  const { company_id, key } = await someone()
  const writing = keepCreating(nginx.url, key, { writers, repeats: false })
  for (let round = 0; round < 4; round++) {
    await sleep(2000)
    const { child, ended } = servers[round % 2]!
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
    await start(round % 2)
  }
  await sleep(2000)
  await writing.stop()
  expect(writing.failures).toEqual([])
  await compareLedger(db, company_id, writing)
})

describe('two processes on one port', () => {
  let kith: Awaited<ReturnType<typeof install>>
  let api: ReturnType<typeof kith.withKey>
  let token: string
  beforeAll(async () => {
    kith = await install({ WEB_CONCURRENCY: '2' })
    const ada = await kith.given.company()
    api = kith.withKey(await kith.given.key(ada))
    token = await kith.given.session(ada)
  })
  afterAll(endLaunched)

  test('an open tab shows what happens during and after a restart one by one', async () => {
    const context = await (await browserOfWorker()).newContext()
    try {
      await context.addCookies([{ name: 'kith_session', value: token, url: kith.url }])
      const page = await context.newPage()
      const faults: string[] = []
      page.on('pageerror', (error) => faults.push(String(error)))
      await page.goto(`${kith.url}/people`)
      await page.getByText('No people yet').waitFor()
      const create = async (first_name: string) => {
        await api.createRecords({ object: 'people', records: [{ first_name }] })
        await page.getByText(first_name, { exact: true }).first().waitFor({ timeout: 30_000 })
      }
      await create('Before')
      kith.server.child.kill('SIGUSR2')
      for (let i = 0; !kith.server.output().includes('Restarted'); i++) await create(`During ${i}`)
      await create('After')
      expect(await page.evaluate(() => performance.getEntriesByType('navigation').length)).toBe(1)
      expect(faults).toEqual([])
    } finally {
      await context.close()
    }
  })

  test('when the first process is killed, the others end, and the next start finds everything in order', async () => {
    const { pid } = kith.server.child
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number)
    await kith.kill(kith.server)
    const isGone = (id: number) => expect(() => process.kill(id, 0)).toThrow()
    const servers = children.filter((id) => id !== kith.postgres())
    expect(servers.length).toBeGreaterThan(1)
    await vi.waitFor(() => servers.forEach(isGone), 60_000)
    await kith.startServer()
    expect((await api.listRecords({ object: 'people' })).records.length).toBeGreaterThan(1)
  })
})
