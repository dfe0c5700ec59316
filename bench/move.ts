// 20,000 organizations, 100,000 people, 30,000 deals and 200,000 notes, linked by the IDs of another system, moved in
// together: under 6 minutes. The server is killed in the middle of it, and the whole move is undone. SCALE=1 KILL=1
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { benchDatabase, serve } from './serve.ts'

const scale = Number(process.env.SCALE ?? 1)
const isKilled = process.env.KILL !== '0'
const bars = { seconds: 360, megabytes: 500 }
const counts = { organizations: 20_000, people: 100_000, deals: 30_000, notes: 200_000 }
type Objects = keyof typeof counts
const sizeOf = (object: Objects) => Math.round(counts[object] * scale)

const database = await benchDatabase()
const { connection, key } = database
process.env.FILES_FOLDER = mkdtempSync(join(tmpdir(), 'kith-bench-files-'))
const start = () => serve(join(import.meta.dirname, 'serve-kith.ts'), JSON.stringify(connection), 'worker')
let server = await start()

async function call<T>(path: string, body?: unknown): Promise<T> {
  const headers = { 'x-api-key': key, ...(body !== undefined && { 'content-type': 'application/json' }) }
  const url = `http://localhost:${server.port}/api/v1${path}`
  const given = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
  const answer = await fetch(url, { ...given, headers })
  if (!answer.ok) throw new Error(await answer.text())
  return (await answer.json()) as T
}

const first = (i: number) => `First${i % 5000}`
const files: Record<Objects, { header: string; row: (i: number) => string }> = {
  organizations: {
    header: 'ID,Name,Address,City,Created',
    row: (i) => `o${i},Company ${i},Main Street ${i},Berlin,2024-0${1 + (i % 9)}-11 10:00:00`,
  },
  people: {
    header: 'ID,First name,Last name,E-mail,Phone,Organization,Organization ID,Job title,Created',
    row: (i) => {
      const of = (i * 7919) % sizeOf('organizations')
      return `p${i},${first(i)},Last${i},p${i}@example.com,+49 30 ${1_000_000 + i},Company ${of},o${of},Engineer,2024-0${1 + (i % 9)}-12 10:00:00`
    },
  },
  deals: {
    header: 'ID,Title,Organization,Organization ID,Contact person,Person ID,Value,Currency,Status,Created',
    row: (i) => {
      const of = (i * 31) % sizeOf('organizations')
      const with_ = (i * 13) % sizeOf('people')
      return `d${i},Deal ${i},Company ${of},o${of},${first(with_)} Last${with_},p${with_},${100 + (i % 9000)},EUR,${['Open', 'Won', 'Lost'][i % 3]},2024-0${1 + (i % 9)}-13 10:00:00`
    },
  },
  notes: {
    header: 'ID,Content,Deal,Created',
    row: (i) =>
      `n${i},"Call ${i}: they want ""more"" of it",Deal ${i % sizeOf('deals')},2024-0${1 + (i % 9)}-14 10:00:00`,
  },
}

type Job = {
  state: string
  done: number
  total: number
  failed: number
  message: string | null
  change_set_id: string
  result: object
  problems: object[]
}
const ids: Record<string, string> = {}
for (const object of Object.keys(counts) as Objects[]) {
  await call(`/objects/${object}/fields`, { key: 'old_id', label: 'Old ID', type: 'text', is_unique: true })
  const { header, row } = files[object]
  const csv = `${header}\n${Array.from({ length: sizeOf(object) }, (_, i) => row(i)).join('\n')}\n`
  const url = `http://localhost:${server.port}/api/v1/files?purpose=import&name=${object}.csv`
  const answer = await fetch(url, { method: 'POST', headers: { 'x-api-key': key }, body: csv })
  ids[object] = ((await answer.json()) as { id: string }).id
}
const total = (Object.keys(counts) as Objects[]).reduce((sum, object) => sum + sizeOf(object), 0)
const asked = Object.keys(counts).map((object) => ({
  object,
  file_id: ids[object],
  mode: 'upsert',
  match_by: 'old_id',
}))
const plan = await timed('plan', () =>
  call<{ files: { object: string }[] }>('/moves/plan', { file_ids: Object.values(ids) }),
)
console.log(plan.files.map(({ object }) => object).join(' → '))
const check = await jobOf('check', await call('/moves', { files: asked, dry_run: true }))
const move = await jobOf('move', await call('/moves', { check_id: check.id }))
const undo = await jobOf('undo', await call('/changes/undo', { change_set_ids: [move.job.change_set_id] }))
let killed: Awaited<ReturnType<typeof jobOf>> | undefined
if (isKilled) killed = await jobOf('move, killed', await call('/moves', { files: asked }), true)

const met = (isMet: boolean) => (isMet ? 'met' : 'MISSED')
console.log(
  `\nmove ${move.seconds.toFixed(0)} s (bar ${bars.seconds}: ${met(move.seconds <= bars.seconds)}), undo ${undo.seconds.toFixed(0)} s`,
)
console.log(
  `memory ${Math.max(check.megabytes, move.megabytes).toFixed(0)} MB (bar ${bars.megabytes}: ${met(check.megabytes <= bars.megabytes)})`,
)
if (killed) {
  const left = (await call<{ count: number }>('/records/notes/count', { is_exact: true })).count
  console.log(
    `killed: ${killed.job.done} of ${total} rows done, ${left} of ${sizeOf('notes')} notes: ${met(killed.job.done === total && left === sizeOf('notes'))}`,
  )
}
await server.stop()
await database.stop()
rmSync(process.env.FILES_FOLDER, { recursive: true })

async function timed<T>(name: string, work: () => Promise<T>) {
  const began = performance.now()
  const made = await work()
  console.log(`${name.padEnd(14)} ${((performance.now() - began) / 1000).toFixed(1).padStart(6)} s`)
  return made
}

async function jobOf(name: string, { job_id: id }: { job_id: string }, isToBeKilled = false) {
  const began = performance.now()
  let megabytes = 0
  let job: Job
  let isLeft = isToBeKilled
  for (;;) {
    await sleep(200)
    megabytes = Math.max(megabytes, (await server.rss()) / 1024 / 1024)
    job = await call<Job>(`/jobs/${id}`)
    if (isLeft && job.done > total / 2) {
      isLeft = false
      await server.kill()
      server = await start()
    }
    if (job.state !== 'waiting' && job.state !== 'running') break
  }
  const seconds = (performance.now() - began) / 1000
  if (job.state !== 'done' || job.failed)
    throw new Error(`${name}: ${job.state} ${job.message} ${JSON.stringify(job.problems.slice(0, 3))}`)
  console.log(
    `${name.padEnd(14)} ${seconds.toFixed(1).padStart(6)} s  ${(total / seconds).toFixed(0).padStart(6)} rows/s  ${megabytes.toFixed(0)} MB  ${job.done} rows`,
  )
  return { id, seconds, megabytes, job }
}
