// Looks at start whether the pooler and the replica belong to the database, and whether it has enough connections.
import { sql } from 'kysely'
import type pg from 'pg'
import { type Config, StartError } from './config.ts'
import { connected, whereAmI } from './database-roles.ts'
import type { Db } from './db.ts'
import { type Database, unreachable } from './open-database.ts'
import { connectionsFor } from './pools.ts'

/** What pools otherwise set on each connection. The limit is that of the slowest pool; the others keep theirs themselves. */
const roleSettings = { TimeZone: 'UTC', hash_mem_multiplier: '100', statement_timeout: '1min' } as const

/** Others use the pooler too, so one look may see nothing. */
const rounds = 10
const patience = { connectionTimeoutMillis: 5000, query_timeout: 5000 }

/** Settings of the role reach every connection that the pooler opens from then on. */
export async function preparePooler(database: Database) {
  const { connection, pooled } = database
  if (!pooled) return
  await connected(connection, async (client) => {
    const { rows } = await client.query<{ name: string; database: string; set: string[] }>(
      `select current_user::text as name, datname::text as database, coalesce(setconfig, '{}') as set
        from pg_database d left join pg_db_role_setting s on s.setdatabase = d.oid and s.setrole = current_user::regrole
        where datname = current_database()`,
    )
    const { name, database, set } = rows[0]!
    const [role, on] = [client.escapeIdentifier(name), client.escapeIdentifier(database)]
    for (const [setting, value] of Object.entries(roleSettings))
      if (!set.includes(`${setting}=${value}`))
        await client.query(`alter role ${role} in database ${on} set ${setting} to '${value}'`)
  })
  await verifyPooler({ connection, pooled })
}

export async function verifyPooler({ connection, pooled }: Required<Pick<Database, 'connection' | 'pooled'>>) {
  const direct = await connected(connection, whereAmI)
  const { there, set } = await connected({ ...pooled, ...patience }, async (client) => ({
    there: await whereAmI(client),
    set: (
      await client.query<{ name: string; value: string }>(
        'select name, current_setting(name) as value from unnest($1::text[]) name',
        [Object.keys(roleSettings)],
      )
    ).rows,
  })).catch((error) => {
    throw unreachable(String(pooled.connectionString), error, 'DATABASE_POOL_URL')
  })
  const same = { started: 'database server', database: 'database', name: 'role' } as const
  for (const [what, name] of Object.entries(same) as [keyof typeof same, string][])
    if (there[what] !== direct[what])
      throw new StartError(`DATABASE_POOL_URL must lead to the same ${name} as DATABASE_URL. Correct one of them.`)
  if (set.some(({ name, value }) => roleSettings[name as keyof typeof roleSettings] !== value))
    throw new StartError(
      'The pooler still has connections from before Kith set up its role.\nRun RECONNECT in its admin console (database pgbouncer), then start Kith again.',
    )
}

/** Whether this address is a transaction pooler: two clients that stay connected get the same connection of the server. */
export async function isTransactionPooler(connection: pg.ClientConfig) {
  const pidOf = (client: pg.Client) =>
    client.query<{ pid: number }>('select pg_backend_pid() as pid').then(({ rows }) => rows[0]!.pid)
  return connected({ ...connection, ...patience }, (first) =>
    connected({ ...connection, ...patience }, async (second) => {
      const [ofFirst, ofSecond] = [new Set<number>(), new Set<number>()]
      for (let round = 0; round < rounds; round++) {
        ofFirst.add(await pidOf(first))
        await second.query('begin')
        ofSecond.add(await pidOf(second))
        ofFirst.add(await pidOf(first))
        await second.query('rollback')
      }
      return ofFirst.size > 1 || ofSecond.size > 1 || !ofFirst.isDisjointFrom(ofSecond)
    }),
  )
}

/** A replica that is away is used when it comes back. */
export async function checkReplica(
  { connection, reading }: Pick<Database, 'connection' | 'reading'>,
  say: (text: string) => void,
) {
  if (!reading) return
  const system = (client: pg.Client) =>
    client
      .query<{ id: string; is_replica: boolean }>(
        'select system_identifier::text as id, pg_is_in_recovery() as is_replica from pg_control_system()',
      )
      .then(({ rows }) => rows[0]!)
  const replica = await connected({ ...reading, ...patience }, system).catch(() => undefined)
  if (!replica)
    return say('The replica in DATABASE_READ_URL does not respond. Until it does, Kith reads from DATABASE_URL')
  const { id } = await connected(connection, system)
  if (!replica.is_replica || replica.id !== id)
    throw new StartError(
      'DATABASE_READ_URL must lead to a streaming replica of the database in DATABASE_URL. Correct it.',
    )
}

export async function warnOfConnections({ processes, databasePoolUrl }: Config, db: Db, say: (text: string) => void) {
  if (processes === 1 || databasePoolUrl) return
  const { rows } = await sql<{ most: number }>`
    select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as most`.execute(
    db,
  )
  const needed = connectionsFor(processes)
  if (rows[0]!.most < needed)
    say(
      `${processes} server processes may need ${needed} database connections, but the database allows ${rows[0]!.most}. Raise max_connections or set DATABASE_POOL_URL`,
    )
}
