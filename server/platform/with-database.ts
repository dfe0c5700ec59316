// Gives commands access to the database, whether Kith is running or not.
import pg from 'pg'
import { type Config, StartError } from './config.ts'
import { createDb, createPool, type Db } from './db.ts'
import { type Migration, migrationsFolder, readMigrations, refuseOldServer } from './migrate.ts'
import { borrowDatabase, unreachable } from './open-database.ts'

/** Refuses a database that is not fully migrated, because only `npm start` migrates. */
export async function onDatabase<T>(config: Config, say: (text: string) => void, work: (db: Db) => Promise<T>) {
  const database = await borrowDatabase(config, say)
  try {
    await refuseUnmigrated(config, database.owner)
    const pool = createPool(database.connection, { max: 2 })
    try {
      return await work(createDb(pool))
    } finally {
      await pool.end()
    }
  } finally {
    await database.stop()
  }
}

export async function refuseUnmigrated({ databaseOwnerUrl }: Config, owner: pg.ClientConfig) {
  const client = new pg.Client({ ...owner, connectionTimeoutMillis: 10_000 })
  client.on('error', () => {}) // The running query reports the error.
  await client.connect().catch((error) => {
    const setting = databaseOwnerUrl && 'DATABASE_OWNER_URL'
    throw owner.connectionString ? unreachable(owner.connectionString, error, setting) : error
  })
  try {
    await refuseOldServer(client)
    const { pending, unknown, edited } = await compareMigrations(client)
    if (!pending.length && !unknown.length && !edited.length) return
    throw new StartError('The database does not match this version of Kith. Start Kith once (npm start) and try again.')
  } finally {
    await client.end()
  }
}

/** Unlike the start, takes no lock and changes nothing. */
export async function compareMigrations(client: pg.Client, known: Migration[] = readMigrations(migrationsFolder)) {
  const { rows: tables } = await client.query<{ exists: boolean }>(
    "select to_regclass('migrations') is not null as exists",
  )
  const { rows } = tables[0]!.exists
    ? await client.query<{ name: string; checksum: string }>('select name, checksum from migrations order by name')
    : { rows: [] }
  const applied = new Map(rows.map((row) => [row.name, row.checksum]))
  const names = new Set(known.map(({ name }) => name))
  return {
    applied: applied.size,
    pending: known.filter(({ name }) => !applied.has(name)).map(({ name }) => name),
    unknown: [...applied.keys()].filter((name) => !names.has(name)),
    edited: known
      .filter(({ name, checksum }) => applied.has(name) && applied.get(name) !== checksum)
      .map(({ name }) => name),
  }
}
