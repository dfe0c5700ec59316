// 100,000 people with 20,000 organizations by name, imported from CSV while someone else works: under 90 seconds, under
// 350 MB, and the other's reads at least half as fast as before. Beside it COPY of the same rows into a bare table, an
// export of all of them, and the export imported again. ROWS=100000
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { createDb, createPool } from '../server/platform/db.ts'
import { givenFor } from '../test/given.ts'
import { median } from './harness.ts'
import { load } from './load.ts'
import { benchDatabase, serve } from './serve.ts'

const rows = Number(process.env.ROWS ?? 100_000)
const bars = { seconds: 90, megabytes: 350, bystander: 0.5 }

const database = await benchDatabase()
const { connection, key } = database
const pool = createPool(connection)
const given = givenFor(createDb(pool), () => new Date())
const bystander = await given.key(await given.company({ name: 'Bystander' }))
await pool.end()
const server = await serve(join(import.meta.dirname, 'serve-kith.ts'), JSON.stringify(connection), 'jobs')

async function call<T>(path: string, body?: unknown, as = key): Promise<T> {
  const headers = { 'x-api-key': as, ...(body !== undefined && { 'content-type': 'application/json' }) }
  const url = `http://localhost:${server.port}/api/v1${path}`
  const answer = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers,
    body: body === undefined ? null : JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(await answer.text())
  return (await answer.json()) as T
}
type Job = {
  state: string
  done: number
  failed: number
  result: Record<string, number & string> | null
  message: string | null
}

async function upload(content: Blob) {
  const url = `http://localhost:${server.port}/api/v1/files?purpose=import&name=people.csv`
  const answer = await fetch(url, { method: 'POST', headers: { 'x-api-key': key }, body: content })
  return ((await answer.json()) as { id: string }).id
}

const header = 'First name,Last name,E-mail,Phone,Company,Job title,Status,Score,City,Country,Birthday,Notes'
const line = (i: number) =>
  `First${i % 5000},Last${i},p${i}@example.com,+49 30 ${1_000_000 + (i % 8_000_000)},Company ${(i * 7919) % (rows / 5)},Engineer,Active,${i % 100},Berlin,Germany,19${60 + (i % 40)}-0${1 + (i % 9)}-1${i % 10},"Met at the fair, ""hall ${i % 12}"""`
const lines = Array.from({ length: rows }, (_, i) => line(i))
const csv = `${header}\n${lines.join('\n')}\n`

const copied = await copyRate()
const { records } = await call<{ records: { id: string }[] }>(
  '/records/people',
  { records: [{ first_name: 'Ada' }] },
  bystander,
)
const read = {
  port: server.port,
  path: `/api/v1/records/people/${records[0]!.id}`,
  headers: { 'x-api-key': bystander },
}
const readRate = async () => {
  const { requests, seconds } = await load(read, { connections: 4, seconds: 2 })
  return requests / seconds
}
await load(read, { connections: 4, seconds: 3 })
const before = median([await readRate(), await readRate(), await readRate()])

console.log(
  `${rows} rows, ${(csv.length / 1e6).toFixed(1)} MB; COPY into a bare table ${copied.toFixed(0)} rows/s; bystander ${before.toFixed(0)} reads/s`,
)
const file_id = await upload(new Blob([csv]))
const dry = await run('dry run', '/records/people/import', { file_id, if_missing: 'create', dry_run: true }, false)
const quiet = process.env.QUIET === '1'
const real = await run('import', '/records/people/import', { file_id, if_missing: 'create' }, !quiet)
const exported = await run('export', '/records/people/export', {}, false)
const content = await fetch(`http://localhost:${server.port}/api/v1/files/${exported.job.result!.file_id}/content`, {
  headers: { 'x-api-key': key },
})
const again = await upload(await content.blob())
await run('import again, by ID', '/records/people/import', { file_id: again, mode: 'update', match_by: 'id' }, false)

const met = (isMet: boolean) => (isMet ? 'met' : 'MISSED')
console.log(`\nimport ${real.seconds.toFixed(1)} s (bar ${bars.seconds}: ${met(real.seconds <= bars.seconds)})`)
console.log(
  `memory ${real.megabytes.toFixed(0)} MB (bar ${bars.megabytes}: ${met(real.megabytes <= bars.megabytes)}), dry run ${dry.megabytes.toFixed(0)} MB`,
)
if (!quiet)
  console.log(
    `bystander ${(real.reads / before).toFixed(2)} of before (bar ${bars.bystander}: ${met(real.reads / before >= bars.bystander)})`,
  )
console.log(`${((rows / real.seconds / copied) * 100).toFixed(1)} % of COPY into a bare table`)
server.stop()
await database.stop()

async function run(name: string, path: string, body: object, isWatched: boolean) {
  const began = performance.now()
  const { job_id } = await call<{ job_id: string }>(path, body)
  const reads: number[] = []
  let megabytes = 0
  let job: Job
  for (;;) {
    if (isWatched) reads.push(await readRate())
    else await sleep(100)
    megabytes = Math.max(megabytes, (await server.rss()) / 1024 / 1024)
    job = await call<Job>(`/jobs/${job_id}`)
    if (job.state !== 'waiting' && job.state !== 'running') break
  }
  const seconds = (performance.now() - began) / 1000
  if (job.state !== 'done') throw new Error(`${name}: ${job.state} ${job.message}`)
  console.log(
    `${name.padEnd(20)} ${seconds.toFixed(1).padStart(6)} s  ${(rows / seconds).toFixed(0).padStart(6)} rows/s  ${megabytes.toFixed(0)} MB  failed ${job.failed}  ${JSON.stringify(job.result)}`,
  )
  return { seconds, megabytes, reads: reads.length ? median(reads) : 0, job }
}

async function copyRate() {
  const client = new pg.Client(connection)
  await client.connect()
  await client.query(
    `create table bare (${header
      .split(',')
      .map((_, i) => `c${i} text`)
      .join(', ')})`,
  )
  const began = performance.now()
  await pipeline(Readable.from([csv]), client.query(copyFrom('copy bare from stdin (format csv, header)')))
  const rate = rows / ((performance.now() - began) / 1000)
  await client.query('drop table bare')
  await client.end()
  return rate
}
