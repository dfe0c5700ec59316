// 1, 2 and 4 server processes (WEB_CONCURRENCY) under a mixed load: 60 % queries, 20 % gets, 15 % writes, 5 % calls of an
// agent by MCP, each from one of 1,000 companies with 1,000 people. Then the same load from 10 companies of the same size
// in another database: a call must cost no more because there are others. SCALE_FOLDER keeps the databases, COMPANIES and
// PROCESSES run less.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { frugal } from '../scripts/frugal.mjs'
import { createDb, createPool } from '../server/platform/db.ts'
import { startEmbeddedPostgres } from '../server/platform/embedded-postgres.ts'
import { migrate } from '../server/platform/migrate.ts'
import type { Database } from '../server/platform/open-database.ts'
import { readLockFile } from '../server/platform/postgres-process.ts'
import { givenFor } from '../test/given.ts'
import { databaseUrlOf, freePort } from '../test/process.ts'
import { median } from './harness.ts'
import { load } from './load.ts'
import { newPerson, rest, tool } from './records-calls.ts'

const people = 1000
const many = Number(process.env.COMPANIES ?? 1000)
const few = 10
const counts = (process.env.PROCESSES ?? '1,2,4').split(',').map(Number)
const [connections, seconds, rounds] = [32, 10, 3]
/** So many calls a second of one company that no rate limit is reached. */
const keysOf = (companies: number) => Math.ceil(200 / companies)

type Caller = { key: string; ids: string[] }
type Roles = Pick<Database, 'connection' | 'owner'>
type Place = { name: string; database: Roles; callers: Caller[]; cluster: string; stop(): Promise<void> }

const kept = process.env.SCALE_FOLDER
const home = kept ?? mkdtempSync(join(tmpdir(), 'kith-bench-'))
mkdirSync(home, { recursive: true })

async function prepare(companies: number): Promise<Place> {
  const folder = join(home, String(companies))
  const callersFile = join(folder, 'callers.json')
  const database = await startEmbeddedPostgres(folder, undefined, ['max_connections=200'])
  await migrate(database.owner)
  if (!existsSync(callersFile)) writeFileSync(callersFile, JSON.stringify(await seed(database, companies)))
  return {
    name: `${companies.toLocaleString('en')} companies`,
    database,
    callers: JSON.parse(readFileSync(callersFile, 'utf8')),
    cluster: join(folder, 'postgres', 'cluster'),
    stop: database.stop,
  }
}

/** The people of the first company are created by the product and then copied: IDs are unique within a company. */
async function seed(database: Roles & { superuser: pg.ClientConfig }, companies: number): Promise<Caller[]> {
  const began = performance.now()
  const pool = createPool(database.superuser, { statementSeconds: 3600 })
  const given = givenFor(createDb(pool), () => new Date())
  const admins = []
  for (let i = 0; i < companies; i++) admins.push(await given.company({ name: `Company ${i}` }))
  const first = admins[0]!
  const key = await given.key(first)
  await createPeople(database, key)
  const { rows: columns } = await pool.query<{ name: string }>(
    `select column_name as name from information_schema.columns where table_name = 'records' and is_generated = 'NEVER'
      and column_name not in ('company_id', 'object_id', 'owner_id', 'created_by')`,
  )
  const names = columns.map(({ name }) => name).join(', ')
  const copied = columns.map(({ name }) => `r.${name}`).join(', ')
  // Building an index over all rows is faster than updating it row by row.
  const { rows: indexes } = await pool.query<{ name: string; definition: string }>(
    `select indexname as name, indexdef as definition from pg_indexes
     where tablename = 'records' and indexname <> 'records_pkey'`,
  )
  for (const { name } of indexes) await pool.query(`drop index ${name}`)
  await pool.query(
    `insert into records (company_id, object_id, ${names}) select o.company_id, o.id, ${copied} from records r
      join objects mine on mine.company_id = $1 and mine.id = r.object_id and mine.key = 'people'
      join objects o on o.company_id <> $1 and o.key = 'people' where r.company_id = $1`,
    [first.company_id],
  )
  await pool.query(
    `insert into unique_values select f.company_id, f.id, u.key, u.record_id from unique_values u
      join fields mine on mine.company_id = $1 and mine.id = u.field_id
      join objects of on of.company_id = $1 and of.id = mine.object_id
      join objects o on o.company_id <> $1 and o.key = of.key
      join fields f on f.company_id = o.company_id and f.object_id = o.id and f.key = mine.key where u.company_id = $1`,
    [first.company_id],
  )
  for (const { definition } of indexes) await pool.query(definition)
  const { rows } = await pool.query<{ id: string }>(
    `select r.id from records r join objects o on o.company_id = $1 and o.id = r.object_id and o.key = 'people'
      where r.company_id = $1`,
    [first.company_id],
  )
  const callers = []
  for (const admin of admins)
    for (let i = 0; i < keysOf(companies); i++)
      callers.push({ key: await given.key(admin), ids: rows.slice(0, 200).map(({ id }) => id) })
  await pool.query('vacuum analyze')
  await pool.query('checkpoint')
  await pool.end()
  console.log(`${companies} companies made in ${((performance.now() - began) / 1000).toFixed(0)} s`)
  return callers
}

async function createPeople(database: Roles, key: string) {
  const kith = await start(database, 1)
  try {
    for (let made = 0; made < people; made += 100) {
      const records = Array.from({ length: 100 }, aPerson)
      const { port, path, ...init } = rest({ ours: kith, key }, 'POST', '/records/people', { records })
      const answer = await fetch(`http://localhost:${port}${path}`, init)
      if (!answer.ok) throw new Error(await answer.text())
    }
  } finally {
    await kith.stop()
  }
}

/** These companies have no fields beyond the usual ones. */
function aPerson() {
  const { visits: _, ...person } = newPerson()
  return person
}

/** The product itself, with its background work. */
async function start({ connection, owner }: Roles, processes: number) {
  const port = await freePort()
  const data = mkdtempSync(join(tmpdir(), 'kith-bench-data-'))
  const child = spawn(process.execPath, [...frugal.execArgv, join(import.meta.dirname, '..', 'server', 'main.ts')], {
    env: {
      ...frugal.env,
      PORT: String(port),
      DATABASE_URL: databaseUrlOf(connection),
      DATABASE_OWNER_URL: databaseUrlOf(owner),
      DATA_DIR: data,
      SECRET_KEY: 'a secret for benchmarks, long enough',
      WEB_CONCURRENCY: String(processes),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await new Promise<void>((resolve, reject) => {
    child.once('exit', () => reject(new Error('Kith did not start')))
    child.stdout.on('data', (text) => String(text).includes('Kith is ready') && resolve())
  })
  return {
    port,
    pid: child.pid!,
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      await ended
      rmSync(data, { recursive: true, force: true })
    },
  }
}

let dice = 1
const roll = (sides: number) => {
  dice = (dice * 48_271) % 2_147_483_647
  return dice % sides
}

function mixed(callers: Caller[], port: number) {
  return () => {
    const { key, ids } = callers[roll(callers.length)]!
    const place = { key, ours: { port } }
    const of100 = roll(100)
    const filter = 'job_title is not empty and score > 50'
    if (of100 < 60) return rest(place, 'POST', '/records/people/query', { filter, limit: 50 })
    if (of100 < 80) return rest(place, 'GET', `/records/people/${ids[roll(ids.length)]}`)
    if (of100 < 90) return rest(place, 'POST', '/records/people', { records: [aPerson()] })
    if (of100 < 95)
      return rest(place, 'PATCH', '/records/people', {
        records: [{ id: ids[roll(ids.length)], values: { score: roll(100) } }],
      })
    return tool(place, 'query_records', { object: 'people', filter, limit: 20 })
  }
}

const ticksPerSecond = 100
/** CPU time of a process and of all its children, also of those that have ended. */
function cpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const own = fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0)
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean)
  return (own * 1000) / ticksPerSecond + children.reduce((sum, id) => sum + cpuOfChild(Number(id)), 0)
}
function cpuOfChild(pid: number) {
  try {
    return cpuMs(pid)
  } catch {
    // It has just ended, and counts for its parent from now on.
    return 0
  }
}

type Seen = { rps: number; p50: number; p99: number; cpu: number; share: number }

async function measure({ database, callers, cluster }: Place, processes: number): Promise<Seen> {
  const kith = await start(database, processes)
  try {
    const source = mixed(callers, kith.port)
    // Until each process has met each company: it remembers their schemas.
    await load(source, { connections, seconds: 5 + Math.ceil((callers.length * processes) / 150) })
    const postgres = readLockFile(cluster)!.pid
    const before = [cpuMs(kith.pid), cpuMs(postgres)] as const
    const { requests, seconds: took, latencies } = await load(source, { connections, seconds })
    const [ours, theirs] = [cpuMs(kith.pid) - before[0], cpuMs(postgres) - before[1]]
    return {
      rps: requests / took,
      p50: latencies[Math.floor(latencies.length * 0.5)]!,
      p99: latencies[Math.floor(latencies.length * 0.99)]!,
      cpu: (ours + theirs) / requests,
      share: theirs / (ours + theirs),
    }
  } finally {
    await kith.stop()
  }
}

function report(what: string, all: Seen[]) {
  const of = (name: keyof Seen) => median(all.map((one) => one[name]))
  console.log(
    `  ${what.padEnd(28)} ${of('rps').toFixed(0).padStart(5)} rps   p50 ${of('p50').toFixed(1)} ms   p99 ${of('p99').toFixed(0)} ms   ` +
      `${of('cpu').toFixed(2)} ms of CPU a request, ${(of('share') * 100).toFixed(0)} % of it in the database`,
  )
  return of('cpu')
}

const places: Place[] = []
try {
  for (const companies of [few, many]) places.push(await prepare(companies))
  const [small, large] = places as [Place, Place]
  console.log(`\nMixed load, ${connections} connections, median of ${rounds} runs of ${seconds} s`)
  for (const processes of counts) {
    const seen: Seen[] = []
    for (let round = 0; round < rounds; round++) seen.push(await measure(large, processes))
    report(`${processes} ${processes === 1 ? 'process' : 'processes'}, ${large.name}`, seen)
  }
  const seen: [Seen[], Seen[]] = [[], []]
  for (let round = 0; round < rounds + 2; round++)
    for (const side of round % 2 ? ([0, 1] as const) : ([1, 0] as const))
      seen[side].push(await measure([small, large][side]!, 1))
  const [less, more] = [report(`1 process, ${small.name}`, seen[0]), report(`1 process, ${large.name}`, seen[1])]
  const growth = (more / less - 1) * 100
  console.log(
    `  growth of CPU a request from ${small.name} to ${large.name}: ${growth.toFixed(0)} % (less than 20 %: ${growth < 20 ? 'met' : 'MISSED'})`,
  )
} finally {
  for (const { stop } of places) await stop()
  if (!kept) rmSync(home, { recursive: true, force: true })
}
