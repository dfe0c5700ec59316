// Checks that the worker processes events, and that jobs succeed.
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
    const advice = worker ? 'Restart Kith and see its log.' : 'WORKER=0 is set, so also start npm run worker.'
    const found = `A test event was not processed within ${takenWithinMs / 1000} seconds; ${waiting} are waiting`
    return failed(check, found, advice)
  }
  if (minutes >= oldMinutes.event) {
    const advice = 'See the log of the worker. If it is busy, start a second one (npm run worker).'
    return warning(check, `${waiting} events are waiting, the oldest for ${minutes} minutes`, advice)
  }
  return ok(check, `A test event was processed within ${Math.max(ms, 100)} ms`)
}

/** Adds an event that belongs to no company and starts no job, and waits until the worker takes it. */
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
  const { rows: tables } = await sql<{ exists: boolean }>`
    select to_regclass('pgboss.job') is not null as exists`.execute(db)
  if (!tables[0]!.exists) return ok(check, 'None yet')
  const { rows } = await sql<Queue>`
    select name, count(*) filter (where state = 'failed')::int as failed,
      count(*) filter (where state in ('created', 'retry') and start_after < now() - make_interval(mins => ${oldMinutes.job}))::int as late
    from pgboss.job group by name order by name`.execute(db)
  const stuck = rows.filter((queue) => queue.failed > 0)
  const late = rows.filter((queue) => queue.late > 0)
  if (stuck.length) {
    const words = stuck.map((queue) => `${queue.name} ${queue.failed}`).join(', ')
    const advice = 'These jobs failed after all retries. Look for "a job failed" in the log to see why.'
    return warning(check, `Failed: ${words}`, advice)
  }
  if (isRunning && late.length) {
    const words = late.map((queue) => `${queue.name} ${queue.late}`).join(', ')
    return warning(
      check,
      `Overdue by more than ${oldMinutes.job} minutes: ${words}`,
      'Start a second worker (npm run worker).',
    )
  }
  return ok(check, 'None failed')
}
