// The database connections of a process, at most 20, in separate pools so that none can starve the others.
import type { PoolClient } from 'pg'
import { createPool, type Pool } from './db.ts'
import type { Log } from './log.ts'
import type { Database } from './open-database.ts'
import { createReplica, type Replica } from './replica.ts'

export type Pools = {
  /** For authentication and health checks, which must never wait for other work. */
  auth: Pool
  work: Pool
  /** Reads that may take long, such as exact counts and exports. */
  heavy: Pool
  /** For jobs, and for writes after a response. */
  background: Pool
  /** For the reads of `heavy`, if there is one and it is not far behind. */
  replica: Replica | undefined
  end(): Promise<void>
}

/** In addition: the listener for live updates, the lock on an embedded database, the owner of the tables. */
export const sizes = { auth: 3, work: 9, heavy: 2, background: 3 } as const
export const connectionsFor = (processes: number) => 20 * processes
/** How long one statement may take. */
export const statementSeconds = { auth: 5, work: 5, heavy: 20, background: 60 } as const

export function createPools(database: Pick<Database, 'connection' | 'pooled' | 'reading'>, log?: Log): Pools {
  const { connection, pooled, reading } = database
  const create = (name: keyof typeof sizes, to = pooled ?? connection) =>
    createPool(to, { max: sizes[name], statementSeconds: statementSeconds[name], isPooled: to === pooled })
  const pools = { auth: create('auth'), work: create('work'), heavy: create('heavy'), background: create('background') }
  const replica = reading && createReplica(create('heavy', reading), pools.auth, log)
  return {
    ...pools,
    replica,
    async end() {
      await replica?.end()
      await Promise.all(Object.values(pools).map((pool) => pool.end()))
    },
  }
}

/** For long reads in the background: a connection of the replica if there is one, and the moment whose data it shows. */
export function heavyReads({ heavy, replica }: Pools, clock: () => Date) {
  const connect = async (): Promise<PoolClient> => (await replica?.connect()) ?? heavy.connect()
  return {
    pool: { connect, end: async () => {}, options: {} },
    asOf: () => (replica?.isCurrent() ? replica.asOf() : clock()),
  }
}
