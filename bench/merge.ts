// An organization with 50,000 people merged into another one while someone else works: the other's reads at least half as
// fast as before. Then undone. PEOPLE=50000
import { join } from 'node:path'
import { createDb, createPool } from '../server/platform/db.ts'
import { givenFor } from '../test/given.ts'
import { median } from './harness.ts'
import { load } from './load.ts'
import { benchDatabase, serve } from './serve.ts'

const people = Number(process.env.PEOPLE ?? 50_000)
const bar = 0.5

const database = await benchDatabase()
const { connection, key } = database
const pool = createPool(connection)
const given = givenFor(createDb(pool), () => new Date())
const bystander = await given.key(await given.company({ name: 'Bystander' }))
await pool.end()
const server = await serve(join(import.meta.dirname, 'serve-kith.ts'), JSON.stringify(connection), 'worker')

async function call<T>(path: string, body?: unknown, as = key): Promise<T> {
  const answer = await fetch(`http://localhost:${server.port}/api/v1${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'x-api-key': as, ...(body !== undefined && { 'content-type': 'application/json' }) },
    body: body === undefined ? null : JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(await answer.text())
  return (await answer.json()) as T
}
const create = async (object: string, records: object[], as = key) =>
  (await call<{ records: { id: string }[] }>(`/records/${object}`, { records }, as)).records.map(({ id }) => id)

const [kept, other] = (await create('organizations', [{ name: 'Acme' }, { name: 'Acme Ltd' }])) as [string, string]
for (let from = 0; from < people; from += 1000)
  await Promise.all(
    Array.from({ length: 10 }, (_, hundred) =>
      create(
        'people',
        Array.from({ length: 100 }, (_, i) => ({
          last_name: `Person ${from + hundred * 100 + i}`,
          organization: other,
        })),
      ),
    ),
  )
const [read_id] = await create('people', [{ first_name: 'Ada' }], bystander)
const read = { port: server.port, path: `/api/v1/records/people/${read_id}`, headers: { 'x-api-key': bystander } }
const readRate = async () => {
  const { requests, seconds } = await load(read, { connections: 4, seconds: 2 })
  return requests / seconds
}
await load(read, { connections: 4, seconds: 3 })
const before = median([await readRate(), await readRate(), await readRate()])
console.log(`${people} people; bystander ${before.toFixed(0)} reads/s`)

const membersOf = async (id: string) =>
  (await call<{ count: number }>('/records/people/count', { filter: `organization = ${id}`, is_exact: true })).count
const merged = await watch('merge', () => call(`/records/organizations/${kept}/merge`, { merge: [other] }))
console.log(`  ${await membersOf(kept)} people in the kept organization`)
await watch('undo', () => call('/changes/undo', { change_set_ids: [merged.change_set_id] }))
console.log(`  ${await membersOf(other)} people in the other one again`)
server.stop()
await database.stop()

type Job = { state: string; done: number; failed: number; message: string | null; change_set_id: string }

async function watch(name: string, start: () => Promise<{ job_id: string }>) {
  const began = performance.now()
  const { job_id } = await start()
  const answered = performance.now() - began
  const reads: number[] = []
  let megabytes = 0
  let job: Job
  do {
    reads.push(await readRate())
    megabytes = Math.max(megabytes, (await server.rss()) / 1024 / 1024)
    job = await call<Job>(`/jobs/${job_id}`)
  } while (job.state === 'waiting' || job.state === 'running')
  const seconds = (performance.now() - began) / 1000
  if (job.state !== 'done' || job.failed) throw new Error(`${name}: ${job.state} ${job.message} ${job.failed}`)
  const share = median(reads) / before
  console.log(
    `${name.padEnd(6)} ${seconds.toFixed(1).padStart(6)} s, answered in ${answered.toFixed(0)} ms, ${megabytes.toFixed(0)} MB, bystander ${share.toFixed(2)} of before (bar ${bar}: ${share >= bar ? 'met' : 'MISSED'})`,
  )
  return job
}
