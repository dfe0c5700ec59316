// The database of a Kith that runs or not, for programs beside the server.
import pg from 'pg'
import { type Config, StartError } from './config.ts'
import { borrowDatabase, unreachable } from './database.ts'
import { createDb, createPool, type Db } from './db.ts'
import { type Migration, migrationsFolder, readMigrations, refuseOldServer } from './migrate.ts'

/** Lends the database, left as it was found. It must be as this code expects it: bringing it there is for the start. */
export async function onDatabase<T>(config: Config, say: (text: string) => void, work: (db: Db) => Promise<T>) {
  const database = await borrowDatabase(config, say)
  try {
    await refuseOtherShape(config, database.owner)
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

async function refuseOtherShape({ databaseOwnerUrl }: Config, owner: pg.ClientConfig) {
  const client = new pg.Client({ ...owner, connectionTimeoutMillis: 10_000 })
  client.on('error', () => {}) // The query that was lost tells.
  await client.connect().catch((error) => {
    const setting = databaseOwnerUrl && 'DATABASE_OWNER_URL'
    throw owner.connectionString ? unreachable(owner.connectionString, error, setting) : error
  })
  try {
    await refuseOldServer(client)
    const { pending, unknown, edited } = await compareMigrations(client)
    if (!pending.length && !unknown.length && !edited.length) return
    throw new StartError('The database and this Kith do not fit together. Start Kith once (npm start), then try again.')
  } finally {
    await client.end()
  }
}

/** Looks without a lock and changes nothing, unlike the start. */
export async function compareMigrations(client: pg.Client, known: Migration[] = readMigrations(migrationsFolder)) {
  const { rows: found } = await client.query<{ there: boolean }>(
    "select to_regclass('migrations') is not null as there",
  )
  const { rows } = found[0]!.there
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
