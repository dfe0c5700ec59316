// Migrates the database with plain SQL files, forward only. Each is a transaction, so that the version before can go on
// working while this happens: it waits for a lock only briefly and tries again. Indexes on tables that may be large are
// built beside the writes to them, in files of their own that begin with "-- concurrently".
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { StartError } from './config.ts'
import { isLockTimeout } from './db.ts'
import { sha256 } from './secrets.ts'

const oldest = 15
export const migrationLock = 5_484_202
/** Five minutes in all. */
const waits = { lockMs: 2000, pauseMs: 500, attempts: 120, othersMs: 5 * 60_000 }
export const migrationsFolder = join(import.meta.dirname, '..', '..', 'db', 'migrations')

export type Migration = { name: string; text: string; checksum: string }

export async function migrate(connection: pg.ClientConfig, folder = migrationsFolder) {
  const client = new pg.Client(connection)
  client.on('error', () => {}) // The running query reports the error.
  await client.connect()
  try {
    await refuseOldServer(client)
    await lockMigrations(client)
    // On a Citus cluster: DDL on one table must not keep the next from another. PostgreSQL alone ignores the name.
    await client.query("set citus.multi_shard_modify_mode to 'sequential'")
    const all = readMigrations(folder)
    const pending = await compareWith(client, all)
    if (pending.length === all.length) await applyTogether(client, all)
    else for (const migration of pending) await applyAlone(client, migration)
    return pending.map((migration) => migration.name)
  } finally {
    await client.end() // Closing the connection rolls an open transaction back, and releases the lock.
  }
}

/**
 * If two processes start at the same time, the second waits here and then finds nothing left to do. Not in one statement:
 * an index that is built concurrently would wait for its end.
 */
export async function lockMigrations(client: pg.Client) {
  for (const end = Date.now() + waits.othersMs; ; await sleep(100)) {
    const { rows } = await client.query<{ free: boolean }>('select pg_try_advisory_lock($1) as free', [migrationLock])
    if (rows[0]!.free) return
    if (Date.now() > end)
      throw new StartError('Another process is migrating or backing up the database. Start Kith again when it is done.')
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

/** In a transaction, until whose end no one else migrates. */
export async function findPending(client: pg.Client, migrations: Migration[]) {
  await client.query("set local lock_timeout = '5min'")
  await client.query('select pg_advisory_xact_lock($1)', [migrationLock])
  return compareWith(client, migrations)
}

async function compareWith(client: pg.Client, migrations: Migration[]) {
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

/** Indexes cannot be built concurrently in a transaction. */
export const inTransaction = ({ text }: Migration) => text.replace(/^(create index) concurrently/gim, '$1')

/** In the caller's transaction. */
export const apply = (client: pg.Client, migration: Migration) =>
  explained(migration.name, async () => {
    const { name, checksum } = migration
    await client.query(inTransaction(migration))
    await note(client, name, checksum)
  })

const note = (client: pg.Client, name: string, checksum: string) =>
  client.query('insert into migrations (name, checksum) values ($1, $2)', [name, checksum])

/** No one uses a new database yet, and one transaction is faster. */
async function applyTogether(client: pg.Client, all: Migration[]) {
  await client.query('begin')
  for (const migration of all) await apply(client, migration)
  await client.query('commit')
}

async function applyAlone(client: pg.Client, migration: Migration) {
  if (migration.text.startsWith('-- concurrently')) return buildIndexes(client, migration)
  for (let attempt = 1; ; attempt++)
    try {
      await client.query(`begin; set local lock_timeout = ${waits.lockMs}`)
      await apply(client, migration)
      await client.query('commit')
      return
    } catch (error) {
      await client.query('rollback')
      // Others queue behind a lock that is waited for, so they get a turn.
      if (!isLockTimeout((error as Error).cause) || attempt === waits.attempts) throw error
      await sleep(waits.pauseMs)
    }
}

/** One that was interrupted left an index that is not valid. */
async function buildIndexes(client: pg.Client, { name, text, checksum }: Migration) {
  await explained(name, async () => {
    for (const [statement, index] of text.matchAll(/^create index concurrently if not exists (\w+)[^;]*;/gim)) {
      const { rows } = await client.query<{ is_valid: boolean }>(
        'select indisvalid as is_valid from pg_index where indexrelid = to_regclass($1)',
        [index],
      )
      if (rows[0]?.is_valid === false) await client.query(`drop index concurrently ${index}`)
      await client.query(statement)
    }
    await note(client, name, checksum)
  })
}

async function explained(name: string, work: () => Promise<unknown>) {
  try {
    await work()
  } catch (error) {
    const what = `The migration ${name} failed and changed nothing`
    throw new StartError(`${what}: ${(error as Error).message}`, { cause: error })
  }
}
