// Migrates the database with plain SQL files, forward only, in one transaction.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { StartError } from './config.ts'
import { sha256 } from './secrets.ts'

const oldest = 15
export const migrationLock = 5_484_202
export const migrationsFolder = join(import.meta.dirname, '..', '..', 'db', 'migrations')

export type Migration = { name: string; text: string; checksum: string }

export async function migrate(connection: pg.ClientConfig, folder = migrationsFolder) {
  const client = new pg.Client(connection)
  client.on('error', () => {}) // The running query reports the error.
  await client.connect()
  try {
    await refuseOldServer(client)
    await client.query('begin')
    // On a Citus cluster: DDL on one table must not keep the next from another. PostgreSQL alone ignores the name.
    await client.query("set local citus.multi_shard_modify_mode to 'sequential'")
    const pending = await findPending(client, readMigrations(folder))
    for (const migration of pending) await apply(client, migration)
    await client.query('commit')
    return pending.map((migration) => migration.name)
  } finally {
    await client.end() // Closing the connection rolls an open transaction back.
  }
}

export async function refuseOldServer(client: pg.Client) {
  const { rows } = await client.query<{ server_version_num: string }>('show server_version_num')
  const major = Math.floor(Number(rows[0]!.server_version_num) / 10_000)
  if (major < oldest)
    throw new StartError(`Kith needs PostgreSQL ${oldest} or later, but DATABASE_URL points to version ${major}.`)
}

export function readMigrations(folder: string): Migration[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.sql'))
  return names.sort().map((name) => {
    const text = readFileSync(join(folder, name), 'utf8')
    return { name, text, checksum: sha256(text).toString('hex') }
  })
}

export async function findPending(client: pg.Client, migrations: Migration[]) {
  await client.query("set local lock_timeout = '5min'")
  // If two processes start at the same time, the second waits here and then finds nothing left to do.
  await client.query('select pg_advisory_xact_lock($1)', [migrationLock])
  await client.query(
    'create table if not exists migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now())',
  )
  const { rows } = await client.query<{ name: string; checksum: string }>('select name, checksum from migrations')
  const applied = new Map(rows.map((row) => [row.name, row.checksum]))
  for (const name of applied.keys()) {
    if (migrations.some((migration) => migration.name === name)) continue
    throw new StartError(
      `The database was migrated by a newer version of Kith (${name}). Update this installation and start it again.`,
    )
  }
  for (const { name, checksum } of migrations) {
    if (!applied.has(name) || applied.get(name) === checksum) continue
    throw new StartError(
      `The migration ${name} was edited after being applied. Restore the original file and put changes into a new migration.`,
    )
  }
  return migrations.filter((migration) => !applied.has(migration.name))
}

export async function apply(client: pg.Client, { name, text, checksum }: Migration) {
  try {
    await client.query(text)
    await client.query('insert into migrations (name, checksum) values ($1, $2)', [name, checksum])
  } catch (error) {
    throw new StartError(`The migration ${name} failed. Nothing was changed: ${(error as Error).message}`, {
      cause: error,
    })
  }
}
