// What a monitoring system asks for, in the format of Prometheus (docs/metrics.md). Only a process with METRICS_PORT loads
// this. No value names a company, a user or a record.
import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Db, Pool } from '../platform/db.ts'
import type { Log } from '../platform/log.ts'
import { version } from '../platform/version.ts'
import { type Backlog, readBacklog } from './backlog.ts'

export type Metrics = ReturnType<typeof createMetrics>
export type Answered = { door: string; operation: string | null; status: number; seconds: number; waits: boolean }
type Watched = { db: Db; log: Log; pools: Record<string, Pick<Pool, 'totalCount' | 'idleCount' | 'waitingCount'>> }

type Value = { labels?: Record<string, string>; value: number }

/** In seconds. Most calls take a few milliseconds, and statements at most 5 seconds. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Of this process. With several, the first one asks all of them (serve.ts). */
export function createMetrics() {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  AggregatorRegistry.setRegistries([registry])
  // It answers when the first process asks.
  new AggregatorRegistry()

  const requests = new Counter({
    name: 'kith_requests_total',
    help: 'Requests that were answered',
    labelNames: ['door', 'operation', 'status'],
    registers,
  })
  const durations = new Histogram({
    name: 'kith_request_duration_seconds',
    help: 'How long answering took, without requests that wait for something to happen',
    labelNames: ['door', 'operation'],
    buckets,
    registers,
  })
  const lost = new Counter({
    name: 'kith_leases_lost_total',
    help: 'Work that another process took over, because this one seemed to have died',
    labelNames: ['queue'],
    registers,
  })
  // All processes see the same version and the same database.
  new Gauge({
    name: 'kith_info',
    help: 'The version that is running',
    labelNames: ['version'],
    aggregator: 'max',
    registers,
  }).set({ version }, 1)

  return {
    registry,

    answered({ door, operation, status, seconds, waits }: Answered) {
      // A batch of an agent is one request with the names of all its operations.
      const name = operation?.includes(', ') ? 'several' : (operation ?? 'none')
      requests.inc({ door, operation: name, status })
      if (!waits) durations.observe({ door, operation: name }, seconds)
    },

    lostLease: (queue: string) => lost.inc({ queue }),

    /** Connections are read when someone asks, and so is what waits in the database. */
    watch({ db, log, pools }: Watched) {
      new Gauge({
        name: 'kith_connections',
        help: 'Database connections that are busy or idle, and callers that wait for one',
        labelNames: ['pool', 'state'],
        registers,
        collect() {
          for (const [pool, { totalCount, idleCount, waitingCount }] of Object.entries(pools)) {
            this.set({ pool, state: 'busy' }, totalCount - idleCount)
            this.set({ pool, state: 'idle' }, idleCount)
            this.set({ pool, state: 'waiting' }, waitingCount)
          }
        },
      })
      /** All gauges of one request share it. */
      let reading: Promise<Backlog | undefined> | undefined
      const read = () => {
        reading ??= readBacklog(db)
          .catch((err) => {
            log.warn({ err }, 'metrics could not be read from the database')
            return undefined
          })
          .finally(() => {
            reading = undefined
          })
        return reading
      }

      function gauge(name: string, help: string, values: (found: Backlog) => Value[], labelNames: string[] = []) {
        new Gauge({
          name,
          help,
          labelNames,
          // All processes see the same.
          aggregator: 'max',
          registers,
          async collect() {
            const found = await read()
            this.reset()
            for (const { labels = {}, value } of found ? values(found) : []) this.set(labels, value)
          },
        })
      }

      const task = (name: keyof Backlog['tasks'][number]) => (found: Backlog) =>
        found.tasks.map((one) => ({ labels: { task: one.task }, value: Number(one[name]) }))
      const due = (name: 'companies' | 'seconds') => (found: Backlog) =>
        found.due.map((one) => ({ labels: { queue: one.queue }, value: one[name] }))
      const mailboxes = ({ mailboxes: all }: Backlog) =>
        all.map(({ state, count }) => ({ labels: { state }, value: count }))
      const lag = (found: Backlog) => [{ value: Math.max(0, ...found.mailboxes.map(({ seconds }) => seconds)) }]
      gauge('kith_events_waiting', 'Events that no worker has taken yet', ({ events }) => [{ value: events.waiting }])
      gauge('kith_events_oldest_seconds', 'Age of the oldest of them', ({ events }) => [{ value: events.seconds }])
      gauge('kith_tasks_waiting', 'Background tasks that are due', task('waiting'), ['task'])
      gauge('kith_tasks_oldest_seconds', 'How long the oldest of them has been due', task('seconds'), ['task'])
      gauge('kith_tasks_failed', 'Background tasks that failed after all retries', task('failed'), ['task'])
      gauge('kith_due_companies', 'Companies with work that is due in a queue', due('companies'), ['queue'])
      gauge('kith_due_oldest_seconds', 'How long the oldest of it has been due', due('seconds'), ['queue'])
      gauge('kith_mailboxes', 'Mailboxes by state', mailboxes, ['state'])
      gauge('kith_mailbox_lag_seconds', 'How long the worst mailbox has failed, or no process has followed it', lag)
    },
  }
}
