// The database connections of a process, at most 20, in separate pools so that none can starve the others.
import type pg from 'pg'
import { createPool, type Pool } from './db.ts'

export type Pools = {
  /** For authentication and health checks, which must never wait for other work. */
  auth: Pool
  work: Pool
  /** Reads that may take long, such as exact counts and exports. */
  heavy: Pool
  /** For jobs, and for writes after a response. */
  background: Pool
  end(): Promise<void>
}

/** In addition: the listener for live updates, the lock on an embedded database, the owner of the tables. */
export const sizes = { auth: 3, work: 9, heavy: 2, background: 3 } as const
/** How long one statement may take. */
export const statementSeconds = { auth: 5, work: 5, heavy: 20, background: 60 } as const

export function createPools(connection: pg.ClientConfig): Pools {
  const create = (name: keyof typeof sizes) =>
    createPool(connection, { max: sizes[name], statementSeconds: statementSeconds[name] })
  const pools = { auth: create('auth'), work: create('work'), heavy: create('heavy'), background: create('background') }
  return { ...pools, end: async () => void (await Promise.all(Object.values(pools).map((pool) => pool.end()))) }
}
