// Records a release for the upgrade tests: test/released/VERSION contains the rows of a database that this version has
// used, the credentials, and its API. `npm run release -- FOLDER` records another checkout, such as an older tag.
// This version must have passed `npm run test:long`, which runs here unless it has. `npm run release -- --into FOLDER`
// tries the story: it writes into that folder and skips the long run.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { PgBoss } from 'pg-boss'
import { startEmbeddedPostgres } from '../../server/platform/embedded-postgres.ts'
import { databaseUrlOf } from '../../test/process.ts'
import { hasPassed } from '../test/long-run.ts'
import { dumpRows, emptyTables } from './dump.ts'
import { type Running, startProgram } from './kith.ts'
import { startPartners } from './partners.ts'
import { type Story, secretKey, tellStory } from './story.ts'

const { values: options, positionals } = parseArgs({ options: { into: { type: 'string' } }, allowPositionals: true })
const root = resolve(positionals[0] ?? '.')
if (root === resolve('.') && !options.into && !hasPassed()) {
  const { status } = spawnSync(process.execPath, ['scripts/test/test.ts', '--long', '--record'], { stdio: 'inherit' })
  if (status !== 0) process.exit(1)
}
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
const folder = resolve(options.into ?? join('test', 'released', version))
const openapi = readFileSync(join(root, 'docs', 'openapi.json'), 'utf8')

const home = mkdtempSync(join(tmpdir(), 'kith-release-'))
// With one role for everything, which makes no difference to the rows.
const database = await startEmbeddedPostgres(home, undefined, [
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
])
const pool = new pg.Pool({ ...database.owner, max: 1 })
// A connection that is closing may still hear that PostgreSQL stops.
pool.on('error', () => {})
/** Fixed, because they are part of addresses in the rows, and below those that connections get. */
const [port, partnersPort, mailPort] = [27_110, 27_111, 27_112]
const partners = await startPartners(partnersPort, mailPort)
const env = {
  DATABASE_URL: databaseUrlOf(database.owner),
  DATA_DIR: home,
  PORT: String(port),
  SECRET_KEY: secretKey,
  OPEN_SIGNUP: '1',
  OUTBOUND_ALLOW: '127.0.0.1',
  WORKER: '0',
  LOG: 'off',
}
/** What a worker does on a clock. Here it is done once whenever the worker runs, at the time of the story. */
const scheduled = [
  'remind',
  'wake_snoozed_conversations',
  'expire_proposals',
  'report_overdue_conversations',
  'report_overdue_leads',
  'accept_returns',
  'seal_audit_logs',
]

const began = new Date('2026-03-02T08:00:00Z')
const started = new Date()
let time = began
let server: Running | undefined
let worker: Running | undefined
try {
  server = await startProgram({ root, name: 'main', seed: 'server', time, env })
  const story: Story = {
    origin: `http://localhost:${port}`,
    partners: partners.url,
    mailPort,
    openapi: JSON.parse(openapi),
    at,
    work,
  }
  const access = await tellStory(story)
  await worker?.stop()
  await server.stop()
  await evenOut()
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'rows.sql'), await dumpRows(database.owner))
  writeFileSync(join(folder, 'openapi.json'), openapi)
  writeFileSync(join(folder, 'access.json'), `${JSON.stringify(access, null, 2)}\n`)
  console.log(`  Recorded ${version} in ${folder}`)
  console.log(`  Tables without rows: ${(await emptyTables(database.owner)).join(', ')}`)
} finally {
  await worker?.stop().catch(() => {})
  await server?.stop().catch(() => {})
  partners.stop()
  await pool.end()
  await database.stop()
  rmSync(home, { recursive: true, force: true })
}

/** The only values that depend on the clock of PostgreSQL or the speed of this machine. */
async function evenOut() {
  const { rows } = await pool.query<{ name: string; column: string }>(
    `select quote_ident(table_name) as name, quote_ident(column_name) as column from information_schema.columns
      join information_schema.tables using (table_schema, table_name)
      where table_schema = 'public' and table_type = 'BASE TABLE' and data_type = 'timestamp with time zone'
        and is_generated = 'NEVER'`,
  )
  for (const { name, column } of rows)
    await pool.query(`update ${name} set ${column} = $1 where ${column} between $2 and now() + interval '1 minute'`, [
      time,
      started,
    ])
  await pool.query('update migrations set applied_at = $1', [began])
  await pool.query('update requests set duration_ms = 1')
  const timeless = (column: string) => `regexp_replace(${column}::text, '"ms": [0-9]+', '"ms": 1', 'g')::jsonb`
  await pool.query(`update webhook_deliveries set last_ms = 1, log = ${timeless('log')} where last_ms is not null`)
  await pool.query(`update lead_deliveries set answer_ms = 1, log = ${timeless('log')} where answer_ms is not null`)
  await pool.query(`update lead_routings set trace = ${timeless('trace')}`)
  for (const table of ['channels', 'jobs', 'lead_routings', 'messages', 'webhooks'])
    await pool.query(`update ${table} set leased_by = null, leased_until = null`)
}

async function at(moment: string) {
  time = new Date(moment)
  await server!.setTime(time)
}

/** Runs the worker until everything is done that is due, including what it does on a clock. */
async function work() {
  if (!worker) {
    worker = await startProgram({ root, name: 'worker', seed: 'worker', time, env })
    // By the clock of PostgreSQL, which differs with every recording.
    await pool.query('delete from pgboss.schedule')
  }
  const isSet = worker.setTime(time)
  worker.resume()
  await isSet
  await untilIdle()
  for (const task of scheduled) {
    await runTask(task)
    await untilIdle()
  }
  worker.pause()
}

async function untilIdle() {
  const busy = `select event as what from outbox
    union all select name from pgboss.job where state in ('created', 'active') and name !~ '^__'
    union all select queue from due_work where due_at <= $1
    union all select 'jobs' from jobs where leased_until > now()
    union all select 'leads' from lead_routings where leased_until > now()
    union all select 'messages' from messages where leased_until > now()
    union all select 'webhooks' from webhooks where leased_until > now() limit 5`
  const patience = AbortSignal.timeout(120_000)
  for (let quiet = 0; quiet < 2; await sleep(50)) {
    const { rows } = await pool.query<{ what: string }>(busy, [time])
    quiet = rows.length ? 0 : quiet + 1
    if (patience.aborted)
      throw new Error(`At ${time.toISOString()}, ${rows.map(({ what }) => what).join(', ')} does not end`)
  }
}

async function runTask(name: string) {
  const { rowCount } = await pool.query('select from pgboss.queue where name = $1', [name])
  if (!rowCount) return
  const executeSql = (text: string, values?: unknown[]) => pool.query(text, values)
  const queue = new PgBoss({ db: { executeSql }, migrate: false, supervise: false, schedule: false })
  await queue.start()
  await queue.send(name, {})
  await queue.stop({ graceful: false })
}
