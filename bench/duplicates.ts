// Finding duplicates among 1,000,000 people, of whom one in a thousand is there twice: creating a person takes at most 5 ms
// longer, the page of groups at most 300 ms, and importing 100,000 people with a check at most 1.3 times as long as without.
// BASE: a folder with Kith before it found duplicates, for the first comparison. RECORDS=1000000 ROWS=100000
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findAllDuplicates } from '../server/engine/records/find-all-duplicates.ts'
import { createDb, createPool } from '../server/platform/db.ts'
import { median } from './harness.ts'
import { seedPeople } from './records-people.ts'
import { benchDatabase, serve } from './serve.ts'

const count = Number(process.env.RECORDS ?? 1_000_000)
const rows = Number(process.env.ROWS ?? 100_000)
const base = process.env.BASE
const creates = 300

const database = await benchDatabase()
const { connection, key } = database
process.env.FILES_FOLDER = mkdtempSync(join(tmpdir(), 'kith-bench-files-'))
const json = JSON.stringify(connection)
const headers = { 'x-api-key': key, 'content-type': 'application/json' }

async function call<T>(port: number, path: string, body: unknown): Promise<T> {
  const answer = await fetch(`http://localhost:${port}/api/v1${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(await answer.text())
  return (await answer.json()) as T
}

const first = await serve(join(import.meta.dirname, 'serve-kith.ts'), json)
await call(first.port, '/objects/people/fields', { key: 'visits', label: 'Visits', type: 'number' })
await timed(`${count} people made`, () => seedPeople(connection, count))
const pool = createPool(connection)
await timed(`${count / 1000} of them made again`, plant)
await first.stop()
await pool.query('update companies set duplicate_version = 0')
await timed('keys and pairs of all, as after an update', () => findAllDuplicates(createDb(pool), new Date()))
await pool.query('vacuum analyze duplicate_keys, duplicate_pairs')
const { rows: sizes } = await pool.query<{ size: string; keys: string; pairs: string }>(
  `select pg_size_pretty(pg_total_relation_size('duplicate_keys')) as size,
    (select count(*) from duplicate_keys) as keys, (select count(*) / 2 from duplicate_pairs) as pairs`,
)
console.log(`${sizes[0]!.keys} keys in ${sizes[0]!.size}, ${sizes[0]!.pairs} pairs`)
await pool.end()

const now = await serve(join(import.meta.dirname, 'serve-kith.ts'), json)
const before = base ? await serve(join(base, 'bench', 'serve-kith.ts'), json) : undefined
let made = 0
/** Names that many have, with an address and a phone number of their own. */
const person = () => ({
  first_name: 'Anna',
  last_name: ['Schmidt', 'Rossi', 'Smith', 'Nowak', 'Garcia'][made % 5],
  emails: [`bench.${made++}@firm-${made % 400}.example`],
  phones: [`+4930${String(70_000_000 + made)}`],
})
const create = async (port: number) => {
  const began = performance.now()
  await call(port, '/records/people', { records: [person()] })
  return performance.now() - began
}
const times = { now: [] as number[], before: [] as number[] }
for (let i = 0; i < creates + 50; i++) {
  const [one, two] = [await create(now.port), before && (await create(before.port))]
  if (i < 50) continue
  times.now.push(one)
  if (two !== undefined) times.before.push(two)
}
const words = (ms: number) => `${ms.toFixed(1)} ms`
const met = (isMet: boolean) => (isMet ? 'met' : 'MISSED')
const [created, earlier] = [median(times.now), before ? median(times.before) : Number.NaN]
console.log(
  `create ${words(created)}, without ${words(earlier)}: ${words(created - earlier)} more (bar 5: ${met(created - earlier <= 5)})`,
)
await before?.stop()

const asked = async (body: object) => {
  const began = performance.now()
  await call(now.port, '/records/people/duplicates/lookup', body)
  return performance.now() - began
}
const spread = async (name: string, body: () => object) => {
  const all: number[] = []
  for (let i = 0; i < 40; i++) all.push(await asked(body()))
  const sorted = all.slice(5).sort((a, b) => a - b)
  console.log(`${name}: ${words(median(sorted))}, p95 ${words(sorted[Math.floor(sorted.length * 0.95)]!)}`)
  return median(sorted)
}
await spread('values while typing', () => ({ values: person() }))
const page = await spread('page of groups', () => ({ limit: 20 }))
console.log(`page ${words(page)} (bar 300: ${met(page <= 300)})`)
await now.stop()

const header = 'First name,Last name,E-mail,Phone,City,Country'
const line = (i: number, salt: string) =>
  `First${i % 5000},Last${salt}${i},${salt}${i}@example.com,+49 40 ${1_000_000 + i + (salt === 'b' ? 5_000_000 : 0)},Berlin,Germany`
const worker = await serve(join(import.meta.dirname, 'serve-kith.ts'), json, 'worker')
const importing = async (salt: string, on_duplicate: string) => {
  const csv = `${header}\n${Array.from({ length: rows }, (_, i) => line(i, salt)).join('\n')}\n`
  const url = `http://localhost:${worker.port}/api/v1/files?purpose=import&name=people.csv`
  const sent = await fetch(url, { method: 'POST', headers: { 'x-api-key': key }, body: csv })
  const { id: file_id } = (await sent.json()) as { id: string }
  const began = performance.now()
  const { job_id } = await call<{ job_id: string }>(worker.port, '/records/people/import', { file_id, on_duplicate })
  for (;;) {
    await sleep(200)
    const job = await call<{ state: string; failed: number; message: string }>(
      worker.port,
      `/jobs/${job_id}`,
      undefined,
    )
    if (job.state === 'done' && !job.failed) return (performance.now() - began) / 1000
    if (job.state !== 'waiting' && job.state !== 'running') throw new Error(`${job.state} ${job.message} ${job.failed}`)
  }
}
const watching = createPool(connection)
/** The pairs of what was imported are found in the background, which would slow the next import. */
async function settled() {
  for (let isBusy = true; isBusy; await sleep(500)) {
    const { rows } = await watching.query<{ is_busy: boolean }>(
      `select exists (select from outbox) or exists (select from pgboss.job
        where name = 'find_duplicates' and state in ('created', 'active', 'retry')) as is_busy`,
    )
    isBusy = rows[0]!.is_busy
  }
}
const plain = await importing('a', 'create')
await timed('its pairs found', settled)
const checked = await importing('b', 'skip')
await timed('its pairs found', settled)
await watching.end()
console.log(
  `import of ${rows}: ${plain.toFixed(1)} s, with a check ${checked.toFixed(1)} s, ${(checked / plain).toFixed(2)} times (bar 1.3: ${met(checked / plain <= 1.3)})`,
)
await worker.stop()
await database.stop()
rmSync(process.env.FILES_FOLDER, { recursive: true })

/** With the same name and phone number, and another address. */
async function plant() {
  const { rows: twins } = await pool.query<{ first_name: string; last_name: string; phones: string[] }>(
    `select values ->> 'first_name' as first_name, values ->> 'last_name' as last_name, values -> 'phones' as phones
     from records where values ? 'phones' order by hashtextextended(id::text, 3) limit ${count / 1000}`,
  )
  for (let from = 0; from < twins.length; from += 100)
    await call(first.port, '/records/people', { records: twins.slice(from, from + 100) })
}

async function timed<T>(name: string, work: () => Promise<T>) {
  const began = performance.now()
  const result = await work()
  console.log(`${name}: ${((performance.now() - began) / 1000).toFixed(1)} s`)
  return result
}
