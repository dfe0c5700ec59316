import { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { sha256 } from './secrets.ts'
import type { DB } from './tables.ts'

export type Db = Kysely<DB>
export type Pool = pg.Pool

const statementNames = new Map<string, string>()

/** Kysely sends plain text; a name lets PostgreSQL keep the plan (three times the key look-ups in our measurement). */
class NamingClient extends pg.Client {
  // biome-ignore lint/suspicious/noExplicitAny: pg's query has a dozen overloads, and this passes all of them on.
  override query(...args: any[]): any {
    const [text, values] = args
    if (typeof text !== 'string' || !Array.isArray(values) || values.length === 0)
      return super.query(...(args as [string]))
    return super.query({ name: nameOf(text), text, values }, args[2])
  }
}

function nameOf(text: string) {
  const known = statementNames.get(text)
  if (known || statementNames.size >= 500) return known
  const name = sha256(text).toString('base64url')
  statementNames.set(text, name)
  return name
}

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

export function createPool(connection: pg.ClientConfig, max = 16): Pool {
  const pool = new pg.Pool({
    ...connection,
    ...(connection.host?.startsWith('/') && { stream: frugalSocket }),
    max,
    Client: NamingClient,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 60_000,
    options: '-c statement_timeout=30000 -c idle_in_transaction_session_timeout=60000 -c timezone=UTC',
    application_name: 'kith',
  })
  pool.on('error', () => {}) // A lost idle connection is replaced at the next query, which reports what is wrong.
  // A connection lost in use fails its query as well; unheard, the second report would end the process.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

export const createDb = (pool: Pool): Db => new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })

const retryable = new Set(['40001', '40P01'])
const tries = 4

/** One transaction, tried again when PostgreSQL had to choose between two that met. */
export async function transaction<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().execute(work)
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

export const isLockTimeout = (error: unknown) => codeOf(error) === '55P03'
export const isUniqueViolation = (error: unknown, constraint?: string) =>
  codeOf(error) === '23505' && (!constraint || (error as { constraint?: string }).constraint === constraint)

export const ping = (db: Db) => sql`select 1`.execute(db)
