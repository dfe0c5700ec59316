// Records a release for the upgrade tests: test/released/VERSION contains the rows of a database that this version has
// used, the credentials, and its API. `npm run release -- FOLDER` records another checkout, such as an older tag.
// This version must have passed `npm run test:long`, which runs here unless it has.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { PgBoss } from 'pg-boss'
import { startEmbeddedPostgres } from '../../server/platform/embedded-postgres.ts'
import { databaseUrlOf, freePort } from '../../test/process.ts'
import { hasPassed } from '../test/long-run.ts'
import { dumpRows } from './dump.ts'
import { type Running, startProgram } from './kith.ts'
import { type Story, secretKey, tellStory } from './story.ts'

const root = resolve(process.argv[2] ?? '.')
if (root === resolve('.') && !hasPassed()) {
  const { status } = spawnSync(process.execPath, ['scripts/test/test.ts', '--long', '--record'], { stdio: 'inherit' })
  if (status !== 0) process.exit(1)
}
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
const folder = resolve('test', 'released', version)
const openapi = readFileSync(join(root, 'docs', 'openapi.json'), 'utf8')

const home = mkdtempSync(join(tmpdir(), 'kith-release-'))
// With one role for everything, which makes no difference to the rows.
const database = await startEmbeddedPostgres(home)
const pool = new pg.Pool({ ...database.owner, max: 1 })
const port = await freePort()
const env = {
  DATABASE_URL: databaseUrlOf(database.owner),
  DATA_DIR: home,
  PORT: String(port),
  SECRET_KEY: secretKey,
  OPEN_SIGNUP: '1',
  WORKER: '0',
  LOG: 'off',
}

const began = new Date('2026-03-02T08:00:00Z')
let time = began
let server: Running | undefined
try {
  server = await startProgram({ root, name: 'main', seed: 'server', time, env })
  const story: Story = { origin: `http://localhost:${port}`, openapi: JSON.parse(openapi), at, work }
  const access = await tellStory(story)
  await server.stop()
  // The only values that depend on the clock of PostgreSQL or the speed of this machine.
  await pool.query('update migrations set applied_at = $1', [began])
  await pool.query('update requests set duration_ms = 1')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'rows.sql'), await dumpRows(database.owner))
  writeFileSync(join(folder, 'openapi.json'), openapi)
  writeFileSync(join(folder, 'access.json'), `${JSON.stringify(access, null, 2)}\n`)
  console.log(`  Recorded ${version} in ${folder}`)
} finally {
  await server?.stop().catch(() => {})
  await pool.end()
  await database.stop()
  rmSync(home, { recursive: true, force: true })
}

async function at(moment: string) {
  time = new Date(moment)
  await server!.setTime(time)
}

/** Runs the worker until all jobs are done, including the sealing of the audit log. */
async function work() {
  const name = `worker ${time.toISOString()}`
  const worker = await startProgram({ root, name: 'worker', seed: name, time, env })
  await untilIdle()
  await seal()
  await untilIdle()
  await worker.stop()
}

async function untilIdle() {
  const busy = `select from outbox union all
    select from pgboss.job where state in ('created', 'active') and name !~ '^__' limit 1`
  for (let quiet = 0; quiet < 3; await sleep(100)) quiet = (await pool.query(busy)).rowCount ? 0 : quiet + 1
}

async function seal() {
  const { rowCount } = await pool.query("select from pgboss.queue where name = 'seal_audit_logs'")
  if (!rowCount) return
  const executeSql = (text: string, values?: unknown[]) => pool.query(text, values)
  const queue = new PgBoss({ db: { executeSql }, migrate: false, supervise: false, schedule: false })
  await queue.start()
  await queue.send('seal_audit_logs', {})
  await queue.stop({ graceful: false })
}
