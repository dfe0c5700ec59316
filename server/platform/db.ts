import { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Kysely, PostgresDialect, type PostgresPool, sql } from 'kysely'
import pg from 'pg'
import { PreparingClient } from './prepared.ts'
import type { DB } from './tables.ts'

export type Db = Kysely<DB>
export type Pool = pg.Pool

/**
 * Reads into one buffer and hands out copies of the right size. Node's own way, 64 kB for every read, cut down
 * afterwards, leaves holes that cost a fifth of the process's memory. For the socket of our own PostgreSQL, without TLS.
 */
function frugalSocket() {
  const own = Buffer.allocUnsafeSlow(65536)
  const socket: Socket = new Socket({
    onread: {
      buffer: own,
      callback: (bytes: number) => {
        socket.emit('data', Buffer.from(own.subarray(0, bytes)))
        return true
      },
    },
  } as object)
  return socket
}

type PoolLimits = { max?: number; statementSeconds?: number }

/** Hash tables of relation filters hold the ids of a whole company; PostgreSQL's own limit would make them loops. */
const hashMemory = '-c hash_mem_multiplier=100'

export function createPool(connection: pg.ClientConfig, { max = 4, statementSeconds = 30 }: PoolLimits = {}): Pool {
  const pool = new pg.Pool({
    ...connection,
    ...(connection.host?.startsWith('/') && { stream: frugalSocket }),
    max,
    Client: PreparingClient,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 60_000,
    options: `-c statement_timeout=${statementSeconds * 1000} -c idle_in_transaction_session_timeout=60000 -c timezone=UTC ${hashMemory}`,
    application_name: 'kith',
  })
  pool.on('error', () => {}) // A lost idle connection is replaced at the next query, which reports what is wrong.
  // A connection lost in use fails its query as well; unheard, the second report would end the process.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

export const createDb = (pool: PostgresPool): Db => new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })

const retryable = new Set(['40001', '40P01'])
const tries = 4

/** One transaction, tried again when PostgreSQL had to choose between two that met. */
export const transaction = <T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> =>
  retrying(() => db.transaction().execute(work))

/** The same for one statement, which is a transaction of its own. */
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

/** The database is gone, starting or full: nothing the caller did, and worth another try. */
export function isUnavailable(error: unknown) {
  const code = codeOf(error)
  if (['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', '57P01', '57P02', '57P03', '53100', '53300'].includes(code))
    return true
  if (code.startsWith('08')) return true
  return (
    error instanceof Error && /^(Connection terminated|timeout exceeded when trying to connect)/.test(error.message)
  )
}

/** The statement ran into the limit of its pool, or was cancelled because its client left. */
export const isTimeout = (error: unknown) => codeOf(error) === '57014'
/** The company's objects or fields changed between the check of a write and the write itself. */
export const isOutdatedSchema = (error: unknown) => codeOf(error) === 'KI001'
export const isLockTimeout = (error: unknown) => codeOf(error) === '55P03'
export const isUniqueViolation = (error: unknown, constraint?: string) =>
  codeOf(error) === '23505' && (!constraint || (error as { constraint?: string }).constraint === constraint)

export const ping = (db: Db) => sql`select 1`.execute(db)
