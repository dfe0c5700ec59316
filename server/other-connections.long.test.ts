// Covers: server/platform/pooled.ts server/platform/replica.ts server/platform/other-connections.ts server/platform/pools.ts server/doctor/connections.ts
// PgBouncer in front of the database and a replica behind it, each of which is killed: nothing is lost or done twice.
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { contract } from '../contract/index.ts'
import { givenFor } from '../test/given.ts'
import { compareLedger, keepCreating } from '../test/ledger.ts'
import { waitForProcesses } from '../test/patience.ts'
import { databaseUrlOf, freePort, launch, type Started, until } from '../test/process.ts'
import { startPgbouncer, startReplicated } from '../test/servers.ts'
import { type ApiError, createClient } from '../web/client/api.ts'
import { createDb, createPool } from './platform/db.ts'
import { isTransactionPooler } from './platform/other-connections.ts'
import { createReplica } from './platform/replica.ts'

waitForProcesses()

let cluster: Awaited<ReturnType<typeof startReplicated>>
let pooler: Awaited<ReturnType<typeof startPgbouncer>>
let env: Record<string, string>
let server: Started
let worker: Started
let port: number
const owners: ReturnType<typeof createPool>[] = []
const url = () => `http://localhost:${port}`
const ownerDb = () => {
  const pool = createPool(cluster.primary.owner, { max: 2 })
  owners.push(pool)
  return createDb(pool)
}
const startWorker = async () => {
  worker = await until(launch('worker', env), 'worker is ready')
}

beforeAll(async () => {
  cluster = await startReplicated()
  port = await freePort()
  const { connection, owner } = cluster.primary
  pooler = await startPgbouncer(connection)
  env = {
    PORT: String(port),
    WORKER: '0',
    WEB_CONCURRENCY: '2',
    SECRET_KEY: 'a secret that both processes know',
    DATA_DIR: `${process.env.TMPDIR ?? '/tmp'}/oc-${process.pid}`,
    DATABASE_URL: databaseUrlOf(connection),
    DATABASE_OWNER_URL: databaseUrlOf(owner),
    DATABASE_POOL_URL: `postgres://${connection.user}:${encodeURIComponent(String(connection.password))}@127.0.0.1:${pooler.connection.port}/${connection.database}`,
    DATABASE_READ_URL: databaseUrlOf(cluster.replica.connection),
  }
  // It had a connection before Kith set up its role: the one that showed that it answers.
  const refused = launch('main', env)
  await refused.ended
  expect(refused.output()).toContain('Run RECONNECT in its admin console')
  const console = new pg.Client({ ...pooler.connection, database: 'pgbouncer' })
  await console.connect()
  await console.query('RECONNECT')
  await console.end()
  server = await until(launch('main', env), 'To restart them')
  await startWorker()
})
afterAll(async () => {
  for (const { child, ended } of [server, worker].filter(Boolean)) {
    child.kill('SIGTERM')
    await ended
  }
  await Promise.all(owners.map((pool) => pool.end()))
  await pooler?.remove()
  await cluster?.remove()
})

const clientFor = (key: string) =>
  createClient<typeof contract>(contract, '/api/v1', (path, init) =>
    fetch(url() + path, { ...init, headers: { ...Object.fromEntries(new Headers(init.headers)), 'x-api-key': key } }),
  )

async function someone() {
  const db = ownerDb()
  const given = givenFor(db, () => new Date())
  const admin = await given.company()
  const key = await given.key(admin)
  return { db, key, company_id: admin.company_id, api: clientFor(key) }
}

/** The pooler is away. */
async function retryLater(error: ApiError) {
  if (error.problem?.status !== 503) throw error
  await sleep(200)
  return ''
}

async function exported(api: Awaited<ReturnType<typeof someone>>['api']) {
  let job_id = ''
  while (!job_id) job_id = await api.exportRecords({ object: 'people' }).then((begun) => begun.job_id, retryLater)
  for (;;) {
    const job = await api.getJob({ id: job_id }).catch(() => undefined)
    if (job && !['waiting', 'running'].includes(job.state)) return job
    await sleep(100)
  }
}

test('people work while pgbouncer, the replica and the worker are killed; nothing is lost or done twice', async () => {
  const { db, key, company_id, api } = await someone()
  const writing = keepCreating(url(), key, { repeats: true })
  const exports = []
  for (const kill of [
    async () => {
      await pooler.kill()
      await sleep(1000)
      await pooler.start()
    },
    async () => {
      await cluster.replica.kill()
      await sleep(1000)
      await cluster.replica.start()
    },
    async () => {
      worker.child.kill('SIGKILL')
      await worker.ended
      await startWorker()
    },
  ]) {
    const writtenBefore = writing.created.length
    await sleep(1500)
    const exporting = exported(api)
    await kill()
    exports.push(await exporting)
    await expect.poll(() => writing.created.length, { timeout: 60_000 }).toBeGreaterThan(writtenBefore + 10)
  }
  await writing.stop()
  expect(exports).toMatchObject([{ state: 'done' }, { state: 'done' }, { state: 'done' }])
  await compareLedger(db, company_id, writing)
})

test('exact counts are read from the replica', async () => {
  const { api } = await someone()
  const superuser = createPool(cluster.replica.superuser, { max: 1 })
  try {
    await expect
      .poll(
        async () => {
          const reading =
            "select query from pg_stat_activity where application_name = 'kith' and query ilike '%count(%'"
          await Promise.all([api.countRecords({ object: 'people', is_exact: true }), sleep(50)])
          return (await superuser.query(reading)).rowCount
        },
        { timeout: 60_000 },
      )
      .toBeGreaterThan(0)
  } finally {
    await superuser.end()
  }
})

test('an export from the replica shows the time of its data', async () => {
  const { api } = await someone()
  await api.createRecords({ object: 'people', records: [{ first_name: 'Ada' }] })
  await sleep(5000)
  const { result, state } = await exported(api)
  expect(state).toBe('done')
  const age = Date.now() - Date.parse(result!.as_of!)
  expect(age).toBeGreaterThanOrEqual(0)
  expect(age).toBeLessThan(60_000)
})

test('a statement that takes too long is stopped through pgbouncer, and its connection works on', async () => {
  const pool = createPool(pooler.connection, { max: 1, statementSeconds: 0.5, isPooled: true })
  try {
    await expect(pool.query('select pg_sleep(60)')).rejects.toMatchObject({ code: '57014' })
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  } finally {
    await pool.end()
  }
})

test('a replica is used while it keeps up, and not when it has stopped replaying', async () => {
  const pools = [cluster.replica.connection, cluster.primary.connection].map((to) => createPool(to, { max: 2 }))
  const replica = createReplica(pools[0]!, pools[1]!, undefined, { lookMs: 100, mostBehindMs: 1000 })
  const superuser = createPool(cluster.replica.superuser, { max: 1 })
  try {
    await expect.poll(replica.isCurrent, { timeout: 30_000 }).toBe(true)
    await superuser.query('select pg_wal_replay_pause()')
    const owner = createPool(cluster.primary.owner, { max: 1 })
    await owner.query('create table if not exists written (n int)')
    await owner.end()
    await expect.poll(replica.isCurrent, { timeout: 30_000 }).toBe(false)
    expect(await replica.connect()).toBe(undefined)
    await superuser.query('select pg_wal_replay_resume()')
    await expect.poll(replica.isCurrent, { timeout: 30_000 }).toBe(true)
  } finally {
    await replica.end()
    await Promise.all([pools[1]!.end(), superuser.end()])
  }
})

test('the doctor looks at the pooler and the replica, and finds a pooler where none must be', async () => {
  const doctor = launch('commands/doctor', env)
  await doctor.ended
  expect(doctor.output()).toMatch(/ok +Connections +DATABASE_URL keeps a connection to itself/)
  expect(doctor.output()).toMatch(/ok +Pooler/)
  expect(doctor.output()).toMatch(/ok +Replica/)
  expect(await isTransactionPooler(pooler.connection)).toBe(true)
  expect(await isTransactionPooler(cluster.primary.connection)).toBe(false)
  const wrong = launch('commands/doctor', { ...env, DATABASE_URL: env.DATABASE_POOL_URL! })
  await wrong.ended
  expect(wrong.output()).toContain('This is PgBouncer. Set DATABASE_URL to the database itself')
})
