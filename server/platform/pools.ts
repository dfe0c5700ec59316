// The connections of a process, at most 20, in pools that cannot starve each other.
import type pg from 'pg'
import { createPool, type Pool } from './db.ts'

export type Pools = {
  /** Who is calling, and health: never waits behind anyone's work. */
  auth: Pool
  work: Pool
  /** Reads that may take long, such as exact counts and exports. */
  heavy: Pool
  /** Jobs, and what is written behind an answer. */
  background: Pool
  end(): Promise<void>
}

/** Beside them: the listener for live updates, the lock on an embedded database, the owner of the tables. */
export const sizes = { auth: 3, work: 9, heavy: 2, background: 3 } as const
/** How long one statement may take. */
export const statementSeconds = { auth: 5, work: 5, heavy: 20, background: 60 } as const

export function createPools(connection: pg.ClientConfig): Pools {
  const made = (name: keyof typeof sizes) =>
    createPool(connection, { max: sizes[name], statementSeconds: statementSeconds[name] })
  const pools = { auth: made('auth'), work: made('work'), heavy: made('heavy'), background: made('background') }
  return { ...pools, end: async () => void (await Promise.all(Object.values(pools).map((pool) => pool.end()))) }
}
