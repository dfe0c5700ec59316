// Background tasks, which no one sees (jobs/ has those that people see), started by events or on a schedule and retried until they succeed.
import { CompiledQuery } from 'kysely'
import { type JobResult, PgBoss } from 'pg-boss'
import type { EventName } from '../../contract/shared/events.ts'
import type { Db, Pool } from '../platform/db.ts'
import { describe, type Log } from '../platform/log.ts'
import { createDispatcher, type LiveMessagesOf, type QueuesOf, type Subscriptions } from './outbox.ts'
import { polling } from './polling.ts'

export type TaskContext = { db: Db; now: Date; log: Log; signal: AbortSignal }
export type BackgroundTask = {
  run(context: TaskContext, payload: never): Promise<unknown>
  /** A schedule of five fields, in UTC. */
  cron?: string
  /** Runs once whenever a worker starts. */
  atStart?: true
  /** How many of these may run at the same time in this process. */
  concurrency?: number
  retries?: number
  /** Done once even if it runs twice at the same time, so it starts again soon after its process seems to have died. */
  mayOverlap?: true
}
export type BackgroundTasks = Record<string, BackgroundTask>
type Options = {
  stopMs?: number
  liveMessagesOf?: LiveMessagesOf
  queuesOf?: QueuesOf
  /** Told of events that other parts of this process wait for. */
  heard?: (event: EventName) => void
}
export type Worker = { wake(): void; stop(): Promise<void> }

/** Workers are woken when there is something to do. If that fails, they look by themselves. */
const pollSeconds = 60
/** A process that says nothing for so long has died, and its tasks start again. */
const silenceSeconds = 300
const silenceSecondsIfHarmless = 30

export async function startWorker(
  { pool, db, log, clock }: { pool: Pool; db: Db; log: Log; clock: () => Date },
  tasks: BackgroundTasks,
  subscriptions: Subscriptions,
  { stopMs = 20_000, liveMessagesOf = () => [], queuesOf = {}, heard = () => {} }: Options = {},
): Promise<Worker> {
  const { rows } = await pool.query("select to_regnamespace('pgboss') is null as missing")
  // Even `create schema if not exists` needs a privilege that the app's role does not have.
  const createSchema = rows[0].missing as boolean
  const boss = new PgBoss({ createSchema, db: { executeSql: (text, values) => pool.query(text, values) } })
  boss.on('error', (error) => log.warn({ err: error }, 'the job queue reported an error'))
  await boss.start()
  const workers = new Map<string, string>()
  const notify = (name: string) => boss.notifyWorker(workers.get(name)!)
  for (const [name, task] of Object.entries(tasks)) {
    const policy = {
      retryLimit: task.retries ?? 10,
      retryDelay: 5,
      retryBackoff: true,
      retryDelayMax: 3600,
      // Longer than any takes, because an expired one would be started again while it is still running.
      expireInSeconds: 4 * 60 * 60,
      heartbeatSeconds: task.mayOverlap ? silenceSecondsIfHarmless : silenceSeconds,
    }
    await boss.createQueue(name, policy)
    await boss.updateQueue(name, policy)
    if (task.cron) await boss.schedule(name, task.cron)
    if (task.atStart) await boss.send(name, {}, { singletonKey: 'start' })
    workers.set(name, await boss.work(name, optionsOf(task), (batch) => runBatch(name, task, batch)))
  }

  /** One look for all queues, for what other processes, schedules and retries have left. */
  async function look() {
    const { rows } = await pool.query<{ name: string }>(
      `select q.name from unnest($1::text[]) q(name) where exists (select from pgboss.job j
        where j.name = q.name and j.state < 'active' and not j.blocked and j.start_after <= now())`,
      [[...workers.keys()]],
    )
    for (const { name } of rows) notify(name)
  }
  const poll = polling({ look, log, failure: 'jobs could not be looked up' })

  const dispatcher = createDispatcher(
    db,
    subscriptions,
    async (tx, name, events) => {
      const executeSql = (text: string, values: unknown[] = []) =>
        tx.executeQuery(CompiledQuery.raw(text, values)) as never
      await boss.insert(
        name,
        events.map((event) => ({ data: event })),
        { db: { executeSql } },
      )
    },
    { liveMessagesOf, queuesOf, heard, added: notify },
    log,
  )

  async function runBatch(
    name: string,
    task: BackgroundTask,
    batch: { id: string; data: unknown; signal: AbortSignal }[],
  ) {
    return Promise.all(
      batch.map(async ({ id, data, signal }): Promise<JobResult> => {
        try {
          await task.run({ db, now: clock(), log, signal }, data as never)
          return { id, status: 'completed' }
        } catch (error) {
          log.warn({ err: error, job: name, job_id: id }, 'a job failed and will be retried')
          return { id, status: 'failed', output: withoutStack(error as Error) }
        }
      }),
    )
  }

  return {
    wake: dispatcher.wake,
    async stop() {
      await Promise.all([dispatcher.stop(), poll.stop()])
      await boss.stop({ graceful: true, timeout: stopMs })
    },
  }
}

const withoutStack = (error: Error) => ({ ...describe(error), stack: undefined })

const optionsOf = ({ concurrency = 10 }: BackgroundTask) =>
  ({
    batchSize: concurrency,
    burstWhenBatchFull: true,
    perJobResults: true,
    pollingIntervalSeconds: pollSeconds,
  }) as const
