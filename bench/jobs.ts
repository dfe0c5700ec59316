// Jobs over many records: their pace and memory, undisturbed and while server, worker and database are killed at random.
// JOB_RECORDS, 100,000 unless told.
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { joinEmbeddedPostgres } from '../server/platform/embedded-postgres.ts'
import { install } from '../test/installation.ts'
import type { Started } from '../test/process.ts'
import { seedPeople } from './records-people.ts'

const count = Number(process.env.JOB_RECORDS ?? 100_000)
const kith = await install()
let running: Started[] = [kith.server, await kith.startWorker()]
const admin = await kith.given.company()
const member = await kith.given.user(admin, { name: 'Max Member' })
const [api, memberApi] = [kith.withKey(await kith.given.key(admin)), kith.withKey(await kith.given.key(member))]
const { company_id } = admin
const filter = 'first_name is not empty'

type State = { state: string; done: number; changed: number; failed: number; message: string | null }

try {
  const began = performance.now()
  await api.createField({ object: 'people', key: 'visits', label: 'Visits', type: 'number' })
  await seedPeople((await joinEmbeddedPostgres(kith.dataDir)).superuser, count)
  console.log(`${count.toLocaleString('en')} people made in ${seconds(began)}; a server and a worker run jobs`)
  let version = 1

  const first = await bulk('undisturbed', { score: 101 })
  await verify(first, ++version, 101)
  await verify(await undo('undisturbed', first), ++version)

  const second = await bulk('killed', { score: 102 }, 6)
  await verify(second, ++version, 102)
  await verify(await undo('killed', second, 4), ++version)

  await cancelled()
  await withoutRights()
} finally {
  await kith.remove()
}

async function bulk(title: string, values: { score: number }, kills = 0) {
  const { job_id, change_set_id } = await api.bulkUpdateRecords({ object: 'people', filter, values })
  await follow(`bulk update, ${title}`, job_id!, kills)
  return change_set_id!
}

async function undo(title: string, change_set_id: string, kills = 0) {
  const { job_id } = await api.undoChanges({ change_set_ids: [change_set_id] })
  await follow(`undo, ${title}`, job_id!, kills)
  return (await api.getJob({ id: job_id! })).change_set_id
}

async function follow(title: string, id: string, kills: number) {
  const began = performance.now()
  const peaks = peaksOf()
  const cpuBefore = cpuSeconds()
  const points = Array.from({ length: kills }, () => Math.random() * count).sort((a, b) => a - b)
  let away = 0
  for (const point of points) {
    await kith.eventually(async () => peaks.look() && (await job(id)).done >= point, 600)
    const killed = performance.now()
    await killSome()
    away += performance.now() - killed
  }
  const { changed, failed } = await kith.eventually(async () => {
    const now = await job(id)
    return peaks.look() && now.state === 'done' && now
  }, 600)
  if (changed !== count || failed) throw new Error(`${title}: changed ${changed}, failed ${failed}`)
  const took = performance.now() - began
  const pace = `${Math.round(count / (took / 1000)).toLocaleString('en')} records/s`
  const [own, postgres] = cpuSeconds().map((now, i) => (now - cpuBefore[i]!).toFixed(1))
  const killed = kills
    ? `   killed ${kills} times, ${(away / 1000).toFixed(1)} s of it starting again`
    : `   CPU ${own} s, PostgreSQL ${postgres} s`
  console.log(`${title.padEnd(26)} ${(took / 1000).toFixed(1).padStart(6)} s ${pace.padStart(18)}   ${peaks}${killed}`)
}

/** The database, the processes, or all of them. The server starts the database again by itself. */
async function killSome() {
  const what = Math.floor(Math.random() * 3)
  await sleep(Math.random() * 300)
  await Promise.all([what !== 1 && kith.killPostgres(), ...(what ? running.map(kith.kill) : [])])
  if (what) running = [await kith.startServer(), await kith.startWorker()]
}

/** Every record was changed exactly once, and so says the history. */
async function verify(change_set_id: string, version: number, score?: number) {
  const { rows } = await sql<{ changes: number; records: number; versions: number; scores: number }>`
    select count(*)::int as changes, count(distinct record_id)::int as records,
      (select count(*)::int from records where company_id = ${company_id} and version = ${version}) as versions,
      (select count(*)::int from records where company_id = ${company_id} and (values ->> 'score')::int > 100) as scores
    from changes where company_id = ${company_id} and change_set_id = ${change_set_id}`.execute(kith.db)
  const { scores, ...counts } = rows[0]!
  const isExact = Object.values(counts).every((each) => each === count) && scores === (score ? count : 0)
  if (!isExact) throw new Error(`not exactly once: ${JSON.stringify(rows[0])}`)
}

async function cancelled() {
  const { job_id, change_set_id } = await api.bulkUpdateRecords({ object: 'people', filter, values: { score: 103 } })
  await kith.eventually(async () => (await job(job_id!)).done >= count / 3, 600)
  const began = performance.now()
  await api.cancelJob({ id: job_id! })
  const { done } = await over(job_id!, 'cancelled')
  const stopped = seconds(began)
  if ((await withScore(103)) !== done) throw new Error('cancelled: not what the job says')
  const undone = await api.undoChanges({ change_set_ids: [change_set_id!] })
  if (undone.job_id) await over(undone.job_id, 'done')
  const { state } = await api.getJob({ id: job_id! })
  if ((await withScore(103)) || state !== 'undone') throw new Error(`cancelled, then undone: ${state}`)
  console.log(`cancelled after ${done} records, within ${stopped}; then undone`)
}

async function withoutRights() {
  const { job_id } = await memberApi.bulkUpdateRecords({ object: 'people', filter, values: { score: 104 } })
  await kith.eventually(async () => (await job(job_id!)).done >= count / 3, 600)
  await api.deactivateUser({ id: member.user_id, reassign_to: admin.user_id })
  const { done, message } = await over(job_id!, 'failed')
  if ((await withScore(104)) !== done) throw new Error('without rights: not what the job says')
  console.log(`user deactivated: failed after ${done} records. ${message}`)
}

function over(id: string, state: string) {
  return kith.eventually(async () => {
    const now = await job(id)
    return now.state === state && now
  }, 600)
}

async function job(id: string) {
  const { rows } = await sql<State>`select state, done, changed, failed, message from jobs
    where company_id = ${company_id} and id = ${id}`.execute(kith.db)
  return rows[0]!
}

async function withScore(score: number) {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from records
    where company_id = ${company_id} and (values ->> 'score')::int = ${score}`.execute(kith.db)
  return rows[0]!.count
}

function seconds(began: number) {
  return `${((performance.now() - began) / 1000).toFixed(1)} s`
}

/** The most memory that the server and the worker had. */
function peaksOf() {
  const most = [0, 0]
  return {
    look() {
      for (const [i, { child }] of running.entries()) most[i] = Math.max(most[i]!, megabytesOf(child.pid!))
      return true
    },
    toString: () => `memory ${most.map((peak) => `${peak.toFixed(0)} MB`).join(' and ')}`,
  }
}

/** What our processes and PostgreSQL have used so far. Says more than the pace when the machine is busy with other work. */
function cpuSeconds() {
  const own = running.map(({ child }) => child.pid!)
  const postmaster = kith.postgres()
  const used = [0, 0]
  for (const name of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const fields = readStat(name)
    const place = own.includes(Number(name)) ? 0 : [name, fields[1]].includes(String(postmaster)) ? 1 : undefined
    if (place !== undefined) used[place]! += (Number(fields[11]) + Number(fields[12])) / 100
  }
  return used
}

/** The fields after the name of the program, which may hold spaces. */
function readStat(pid: string) {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
  } catch {
    return []
  }
}

function megabytesOf(pid: number) {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}
