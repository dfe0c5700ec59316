// DATABASE_READ_URL: a streaming replica for heavy reads, used while it is at most some seconds behind.
import type { PoolClient } from 'pg'
import { isUnavailable, type Pool } from './db.ts'
import type { Log } from './log.ts'

export type Replica = ReturnType<typeof createReplica>

const usual = {
  lookMs: 2000,
  /** One that is further behind is not used. */
  mostBehindMs: 10_000,
  /** After a failure it is not used for so long. */
  awayMs: 30_000,
}
const mostRemembered = 30

/** A failure that the primary would not have had: it is gone, or its data had to change under a long read. */
export const isReplicaFailure = (error: unknown) =>
  isUnavailable(error) || ['40001', '25006'].includes(String((error as { code?: unknown } | null)?.code))

export function createReplica(pool: Pool, primary: Pool, log: Log | undefined, given: Partial<typeof usual> = {}) {
  const { lookMs, mostBehindMs, awayMs } = { ...usual, ...given }
  /** How far the primary had written, and when. Oldest first. */
  let written: { at: number; place: bigint }[] = []
  /** Everything that was committed before this is on the replica. */
  let reachedAt = 0
  let awayUntil = 0
  let wasCurrent: boolean | undefined
  let looking: Promise<void> | undefined

  async function look() {
    const at = Date.now()
    try {
      const [source, copy] = await Promise.all([
        primary.query<{ place: string }>('select pg_current_wal_lsn()::text as place'),
        pool.query<{ place: string | null }>(
          'select case when pg_is_in_recovery() then pg_last_wal_replay_lsn() end::text as place',
        ),
      ])
      written = [...written, { at, place: placeOf(source.rows[0]!.place) }].slice(-mostRemembered)
      const replayed = placeOf(copy.rows[0]!.place ?? '0/0')
      const reached = written.findLast(({ place }) => place <= replayed)
      if (reached) reachedAt = reached.at
    } catch {
      // It then counts as behind.
    }
    report()
  }

  const isCurrent = () => Date.now() - reachedAt <= mostBehindMs && Date.now() >= awayUntil

  function report() {
    if (wasCurrent === isCurrent()) return
    if (wasCurrent !== undefined || !isCurrent())
      log?.[isCurrent() ? 'info' : 'warn'](isCurrent() ? 'heavy reads use the replica' : 'heavy reads use the primary')
    wasCurrent = isCurrent()
  }

  function failed() {
    awayUntil = Date.now() + awayMs
    report()
  }

  const wake = () => {
    looking ??= look().finally(() => {
      looking = undefined
    })
    return looking
  }
  const timer = setInterval(wake, lookMs).unref()
  void wake()

  return {
    isCurrent,
    /** The moment whose data it has. */
    asOf: () => new Date(reachedAt),
    look: wake,
    /** A connection, unless the replica is behind or gone. */
    async connect(): Promise<PoolClient | undefined> {
      if (!isCurrent()) return undefined
      try {
        return watched(await pool.connect(), failed)
      } catch {
        // The primary does what the replica cannot.
        failed()
        return undefined
      }
    },
    async end() {
      clearInterval(timer)
      await looking
      await pool.end()
    },
  }
}

/** Tells of a failure of the replica, until the connection is released. */
function watched(client: PoolClient, failed: () => void): PoolClient {
  const { query, release } = client
  const watching = (...args: unknown[]) => {
    const running: unknown = query.apply(client, args as never)
    if (running instanceof Promise) running.catch((error) => isReplicaFailure(error) && failed())
    return running
  }
  return Object.assign(client, {
    query: watching,
    release(error?: Error | boolean) {
      Object.assign(client, { query, release })
      release.call(client, error)
    },
  })
}

/** A place in PostgreSQL's log, such as 16/B374D848. */
function placeOf(text: string) {
  const [high, low] = text.split('/').map((part) => BigInt(`0x${part}`)) as [bigint, bigint]
  return (high << 32n) | low
}
