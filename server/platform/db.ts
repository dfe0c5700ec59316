import { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Kysely, PostgresDialect, type PostgresPool, sql } from 'kysely'
import pg from 'pg'
import { PooledClient } from './pooled.ts'
import { PreparingClient } from './prepared.ts'
import type { DB } from './tables.ts'

export type Db = Kysely<DB>
export type Pool = pg.Pool

/**
 * Reads into one buffer and emits copies of the right size. By default Node allocates 64 kB per read, and the resulting
 * fragmentation costs a fifth of the process's memory. Only for the socket of the embedded PostgreSQL, without TLS.
 */
function frugalSocket() {
  const buffer = Buffer.allocUnsafeSlow(65536)
  const socket: Socket = new Socket({
    onread: {
      buffer,
      callback: (bytes: number) => {
        socket.emit('data', Buffer.from(buffer.subarray(0, bytes)))
        return true
      },
    },
  } as object)
  return socket
}

type PoolLimits = {
  max?: number
  statementSeconds?: number
  /** Its connections are those of a transaction pooler. */
  isPooled?: boolean
}

/** Relation filters hash the ids of a whole company. With the default limit PostgreSQL would use nested loops instead. */
const hashMemory = '-c hash_mem_multiplier=100'

export function createPool(
  connection: pg.ClientConfig,
  { max = 4, statementSeconds = 30, isPooled = false }: PoolLimits = {},
): Pool {
  const own = {
    Client: PreparingClient,
    options: `-c statement_timeout=${statementSeconds * 1000} -c idle_in_transaction_session_timeout=60000 -c timezone=UTC ${hashMemory}`,
  }
  const pool = new pg.Pool({
    ...connection,
    ...(connection.host?.startsWith('/') && { stream: frugalSocket }),
    ...(isPooled ? { Client: PooledClient, statementSeconds } : own),
    max,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 60_000,
    application_name: 'kith',
  })
  pool.on('error', () => {}) // A lost idle connection is replaced by the next query, which reports any error.
  // A connection lost in use also fails its query. Without a listener, its error event would end the process.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

export const createDb = (pool: PostgresPool): Db => new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })

const retryable = new Set(['40001', '40P01'])
const tries = 4

/** A transaction, retried after a serialization failure or a deadlock. */
export const transaction = <T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> =>
  retrying(() => db.transaction().execute(work))

/** The same for a single statement. */
export async function retrying<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt === tries || !retryable.has(codeOf(error))) throw error
      await sleep(Math.random() * 20 * attempt)
    }
  }
}

const codeOf = (error: unknown) => String((error as { code?: unknown } | null)?.code ?? '')

/** The database is down, starting or full. The caller can retry. */
export function isUnavailable(error: unknown) {
  const code = codeOf(error)
  if (['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', '57P01', '57P02', '57P03', '53100', '53300'].includes(code))
    return true
  if (code.startsWith('08')) return true
  return (
    error instanceof Error && /^(Connection terminated|timeout exceeded when trying to connect)/.test(error.message)
  )
}

/** The statement hit the time limit of its pool, or was canceled because its client disconnected. */
export const isTimeout = (error: unknown) => codeOf(error) === '57014'
/** The company's objects or fields changed between the check of a write and the write itself. */
export const isOutdatedSchema = (error: unknown) => codeOf(error) === 'KI001'
export const isLockTimeout = (error: unknown) => codeOf(error) === '55P03'
export function isUniqueViolation(error: unknown, constraint?: string) {
  const violated = violatedConstraint(error)
  return violated !== undefined && (!constraint || violated === constraint)
}

/** A Citus worker names it only in the message, with the number of its shard, and sometimes with another code. */
const onShard = /duplicate key value violates unique constraint "(\w+?)(?:_\d{6,})?"/

function violatedConstraint(error: unknown): string | undefined {
  const { constraint, message = '' } = error as { constraint?: string; message?: string }
  if (!['23505', 'XX000'].includes(codeOf(error))) return
  return onShard.exec(message)?.[1] ?? (codeOf(error) === '23505' ? (constraint ?? '') : undefined)
}

export const ping = (db: Db) => sql`select 1`.execute(db)
