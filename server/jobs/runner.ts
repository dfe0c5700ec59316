// Runs jobs step by step. A step commits its changes and its progress in one transaction. If the process dies, its lease
// expires and another process continues after the last step, so nothing is lost or done twice. Companies take turns: each
// step goes to the company that has waited longest, however long the jobs of the others are.
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { JobKind } from '../../contract/jobs.ts'
import { findActorById } from '../accounts/users/queries.ts'
import { contextOf } from '../kernel/act-as.ts'
import { AppError } from '../kernel/app-error.ts'
import type { Caller } from '../kernel/context.ts'
import { type Leased, leasesOf } from '../kernel/leases.ts'
import { announce } from '../kernel/live-channel.ts'
import type { Work } from '../kernel/worker.ts'
import { type Db, isOutdatedSchema, isUnavailable, transaction } from '../platform/db.ts'
import type { Log } from '../platform/log.ts'
import { type Job, type JobHandlers, otherRunners, type Step } from './job.ts'
import { type Keeper, keeping } from './keep-open.ts'
import { operationOf } from './operation-of.ts'
import { addProblems, removeProblems } from './problems.ts'
import { writerFor } from './write-in-halves.ts'

// Only has to last between steps: a running step locks the job.
const leases = leasesOf('jobs', 4, sql`t.state = 'running'`)
const announceMs = 500
/** Steps that run at the same time. */
const atOnce = 2
/** Jobs that this process has begun, one of each company. Each may keep a file open and remember what it has read of it. */
const mostHeld = 10
const mostAttempts = 5
const restShare = 0.15
/** These hold a connection for heavy reads as long as they run, so a process runs one of them at a time. */
const alone: JobKind[] = ['export']

type Parts = { db: Db; log: Log; clock: () => Date; handlers: JobHandlers }

export function jobWork({ db, log, clock, handlers }: Parts): Work<Claimed> {
  const inTurn = takingTurns(atOnce)
  const held = new Map<string, Claimed>()
  const stepping = new Set<string>()

  async function find(company_id: string, _: number, now: Date) {
    const busy = alone.filter((kind) => held.values().some((job) => job.kind === kind))
    const job = await claim(db, company_id, busy, now)
    if (job) held.set(job.id, job)
    return job ? [job] : []
  }

  /** Step by step, until it is over or another process has taken over. */
  async function perform(job: Claimed, signal: AbortSignal) {
    const keeper = keeping()
    let size = firstSize
    let told = 0
    try {
      for (let isOver = false; !isOver; )
        isOver = await inTurn(async () => {
          if (signal.aborted) return true
          const began = performance.now()
          stepping.add(job.id)
          const state = await advance(job, size, keeper).finally(() => stepping.delete(job.id))
          const tookMs = performance.now() - began
          size = nextSize(size, tookMs)
          const isLast = state !== 'running'
          if (isLast || Date.now() - told > announceMs) {
            told = Date.now()
            await announce(db, [{ company_id: job.company_id, event: 'jobs', data: { id: job.id, kind: job.kind } }])
          }
          // Gives others a turn, on the processor too: a job that never rests slows down everyone.
          if (!isLast) await sleep(tookMs * restShare)
          return isLast
        })
      if (signal.aborted) await leases.release(db, job)
    } finally {
      held.delete(job.id)
      await keeper[Symbol.asyncDispose]().catch((error) => {
        if (!isUnavailable(error)) log.error({ err: error, job_id: job.id }, 'what a job kept open could not be closed')
      })
    }
  }

  const advance = (job: Claimed, size: number, keeper: Keeper) =>
    whileSchemaChanges(() => runStep(job, size, keeper)).catch((error) => {
      if (error instanceof AppError) return fail(job, error)
      throw error
    })

  /** The state after the step. */
  async function runStep(claimed: Claimed, size: number, keeper: Keeper) {
    const state = await transaction(db, async (tx) => {
      const kept = await keeper.forStep()
      const job = await hold(tx, claimed)
      if (job.cancelled_by) return finish(tx, job, 'cancelled', clock())
      if (job.attempts > mostAttempts) return finish(tx, job, 'failed', clock(), brokenMessage(job))
      const caller = await callerOf(tx, job)
      const now = clock()
      const notes = { id: job.change_set_id, span: { position: job.changes } }
      const { context, write } = contextOf(tx, caller, { task: operationOf(job), now, notes })
      const writer = writerFor(job, caller, now, tx)
      const step = await handlers[job.kind as keyof JobHandlers]({ context, job, size, kept, write: writer.write })
      await write()
      return save(tx, job, step, writer.changes(), now)
    })
    keeper.committed()
    return state
  }

  const fail = (claimed: Claimed, error: AppError) =>
    transaction(db, async (tx) => finish(tx, await hold(tx, claimed), 'failed', clock(), error.message))

  return {
    queue: 'jobs',
    atOnce: mostHeld,
    ofCompany: 1,
    find,
    perform,
    // A job that waits for another one is due: it begins when that one is over.
    nextDue: (company_id, now) => leases.nextDue(db, company_id, now, { where: isUnfinished }),
    // A job that waits for its turn stays with this process.
    renewing: { everyMs: 1000, renew: async (job) => stepping.has(job.id) || leases.renew(db, job) },
    // After an error of ours its lease ends soon, and the attempt counts.
    giveBack: async (job, error) => isUnavailable(error) && leases.release(db, job),
    failure: 'a job stopped',
    graceMs: 0,
  }
}

/** So many at the same time; the others in the order in which they came. */
function takingTurns(atOnce: number) {
  const waiting: (() => void)[] = []
  let free = atOnce
  return async <T>(work: () => Promise<T>) => {
    if (free > 0) free--
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free++
    }
  }
}

const firstSize = 100
const sizes = { least: 25, most: 800 }
/** Long enough that the overhead of a step hardly counts, short enough that no one waits long for a record. */
const stepMs = { least: 150, most: 400 }

function nextSize(size: number, tookMs: number) {
  if (tookMs < stepMs.least) return Math.min(size * 2, sizes.most)
  return tookMs > stepMs.most ? Math.max(Math.floor(size / 2), sizes.least) : size
}

/** Retries a step if objects or fields changed after its rows were checked. */
async function whileSchemaChanges<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!isOutdatedSchema(error) || attempt === mostAttempts) throw error
    }
  }
}

const brokenMessage = ({ request_id }: Job) =>
  `Something went wrong on our side. Changes made so far are kept. Give your Admin this request ID: ${request_id}`

type Claimed = Leased & Pick<Job, 'kind'>
type Held = Job & Leased

/** Others are run elsewhere. */
const isOurs = sql`t.kind <> all(${[...otherRunners]}::text[])`
const isUnfinished = sql`t.state in ('waiting', 'running') and ${isOurs}`

/**
 * The oldest job of a company that has no other running job. Processes claim one after the other: two that saw that a
 * company has no running job would each start one.
 */
const claim = (db: Db, company_id: string, busy: JobKind[], now: Date): Promise<Claimed | undefined> =>
  transaction(db, async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`claim a job ${company_id}`}, 0))`.execute(tx)
    const [job] = await leases.claim<Claimed>(tx, company_id, {
      where: sql`${isUnfinished} and t.kind <> all(${busy}::text[])
        and not exists (select from jobs o where o.company_id = ${company_id} and o.id <> t.id and o.state = 'running'
          and o.kind <> all(${[...otherRunners]}::text[]) and (t.state = 'waiting' or o.id < t.id))`,
      order: sql`t.created_at`,
      limit: 1,
      columns: sql`t.kind`,
      set: sql`state = 'running', started_at = coalesce(t.started_at, ${now}), attempts = t.attempts + 1`,
    })
    return job
  })

const hold = (tx: Db, job: Claimed) => leases.hold<Held>(tx, job, sql`t.*`)

/** Reads the user's rights again at each step. */
async function callerOf(tx: Db, job: Job): Promise<Caller> {
  const { company_id, created_by, api_key_id, kind, door, client, request_id } = job
  const actor = await findActorById(tx, company_id, created_by)
  if (!actor) throw new AppError('forbidden', 'The user who started this job can no longer sign in, so it was stopped.')
  const via = kind === 'import' || kind === 'move' ? 'import' : door
  return { door: via, client, request_id, ip: '', actor: { ...actor, api_key_id }, web: null }
}

async function save(tx: Db, job: Held, step: Step, changes: number, now: Date) {
  const { company_id, id } = job
  const { problems = [], isFromStart = false } = step
  const failed = problems.filter(({ is_note }) => !is_note).length
  if (isFromStart) await removeProblems(tx, job)
  if (problems.length) await addProblems(tx, job, problems)
  const state = step.isLast ? 'done' : 'running'
  const before = isFromStart ? { done: 0, failed: 0 } : job
  await sql`update jobs set cursor = ${JSON.stringify(step.cursor ?? null)}::jsonb, done = ${before.done + step.done},
      changed = changed + ${step.changed ?? 0}, failed = ${before.failed + failed}, changes = changes + ${changes},
      total = coalesce(${step.total ?? null}::int, total), result = coalesce(${step.result === undefined ? null : JSON.stringify(step.result)}::jsonb, result),
      attempts = 0, ${leases.taking(job.leased_by)}
    where company_id = ${company_id} and id = ${id}`.execute(tx)
  return step.isLast ? finish(tx, job, state as 'done', now) : ('running' as const)
}

async function finish(
  tx: Db,
  { company_id, id }: Job,
  state: 'done' | 'cancelled' | 'failed',
  now: Date,
  message?: string,
) {
  await sql`update jobs set state = ${state}, finished_at = ${now}, message = ${message ?? null},
      leased_by = null, leased_until = null, cursor = null
    where company_id = ${company_id} and id = ${id}`.execute(tx)
  return state
}
