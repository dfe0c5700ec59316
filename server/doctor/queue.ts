// Whether events are taken from the outbox, and whether jobs get done.
import { randomUUIDv7 } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Config } from '../platform/config.ts'
import type { Db } from '../platform/db.ts'
import { type Finding, failed, ok, warning } from './finding.ts'

const takenWithinMs = 5000
const oldMinutes = { event: 1, job: 10 }
const noCompany = '00000000-0000-0000-0000-000000000000'

export async function checkWorker({ worker }: Config, db: Db): Promise<Finding> {
  const check = 'Worker'
  const { ms } = await timeEvent(db)
  const { waiting, minutes } = await findBacklog(db)
  if (ms === null) {
    const start = worker ? 'Restart Kith, and look into its log.' : 'WORKER=0 is set: start npm run worker beside it.'
    return failed(check, `An event was not taken within ${takenWithinMs / 1000} seconds; ${waiting} wait`, start)
  }
  if (minutes >= oldMinutes.event) {
    const advice = 'Look into the log of the worker; start a second one (npm run worker) if there is much to do.'
    return warning(check, `${waiting} events wait, the oldest for ${minutes} minutes`, advice)
  }
  return ok(check, `An event was taken within ${Math.max(ms, 100)} ms`)
}

/** An event of no company that no job listens to: it takes the way of all others, and starts nothing. */
async function timeEvent(db: Db) {
  const id = randomUUIDv7()
  const began = Date.now()
  const event = { id, company_id: noCompany, event: 'doctor.asked', payload: '{}', request_id: 'npm run doctor' }
  await db
    .insertInto('outbox')
    .values({ ...event, at: new Date() })
    .execute()
  const find = db.selectFrom('outbox').select('id').where('id', '=', id)
  try {
    for (; Date.now() - began < takenWithinMs; await sleep(100)) {
      if (!(await find.executeTakeFirst())) return { ms: Date.now() - began }
    }
    return { ms: null }
  } finally {
    await db.deleteFrom('outbox').where('id', '=', id).execute()
  }
}

async function findBacklog(db: Db) {
  const { rows } = await sql<{ waiting: number; minutes: number }>`
    select count(*)::int as waiting, coalesce(floor(extract(epoch from now() - min(at)) / 60), 0)::int as minutes
    from outbox`.execute(db)
  return rows[0]!
}

type Queue = { name: string; failed: number; late: number }

export async function checkQueue(db: Db, isRunning: boolean): Promise<Finding> {
  const check = 'Jobs'
  const { rows: found } = await sql<{ there: boolean }>`select to_regclass('pgboss.job') is not null as there`.execute(
    db,
  )
  if (!found[0]!.there) return ok(check, 'None yet')
  const { rows } = await sql<Queue>`
    select name, count(*) filter (where state = 'failed')::int as failed,
      count(*) filter (where state in ('created', 'retry') and start_after < now() - make_interval(mins => ${oldMinutes.job}))::int as late
    from pgboss.job group by name order by name`.execute(db)
  const stuck = rows.filter((queue) => queue.failed > 0)
  const late = rows.filter((queue) => queue.late > 0)
  if (stuck.length) {
    const words = stuck.map((queue) => `${queue.name} ${queue.failed}`).join(', ')
    const advice = 'They were tried again and again and given up. Look for "a job failed" in the log to see why.'
    return warning(check, `Given up: ${words}`, advice)
  }
  if (isRunning && late.length) {
    const words = late.map((queue) => `${queue.name} ${queue.late}`).join(', ')
    return warning(
      check,
      `Due for more than ${oldMinutes.job} minutes: ${words}`,
      'Start a second worker (npm run worker).',
    )
  }
  return ok(check, 'None failed')
}
