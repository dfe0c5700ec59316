// Restores a backup into an empty installation and verifies it, all or nothing, in one transaction.
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { FileStore } from '../files/store.ts'
import { StartError } from '../platform/config.ts'
import { apply, findPending, type Migration, migrate, migrationsFolder, readMigrations } from '../platform/migrate.ts'
import type { Progress } from '../platform/terminal.ts'
import { listOf, nameIn, rulesIn, type Table, tablesIn } from './catalog.ts'
import { checkTable } from './checksums.ts'
import { damaged } from './damage.ts'
import type { Header, Trailer } from './format.ts'
import { makeRoom } from './make-room.ts'
import { type OpenBackup, openBackup } from './open-backup.ts'
import { openSession, type Session } from './session.ts'

export type RestoreOrder = {
  connection: pg.ClientConfig
  /** Receives the bytes of the rows in `files`. */
  store: FileStore
  backup: OpenBackup
  folder?: string
  signal?: AbortSignal
  progress?: Progress
  /** Restores what is stored outside the database. If it throws, the database is not changed. */
  beforeCommit?: (extras: Record<string, string>) => void
}

type OpenOptions = { passphrase?: string | undefined; progress?: Progress; folder?: string | undefined }

/** Refuses a file that this version cannot restore, before the database is touched. */
export async function openForRestore(
  file: string,
  { passphrase, progress, folder = migrationsFolder }: OpenOptions = {},
) {
  const backup = await openBackup(file, { passphrase, progress: (share) => progress?.('Restoring', share) })
  try {
    if (backup.header.company)
      throw new StartError(
        `${file} contains only the company ${backup.header.company.name}. Import it with: npm run company -- import FILE`,
      )
    migrationsOf(backup, folder)
    return backup
  } catch (error) {
    backup.close()
    throw error
  }
}

export async function restore(order: RestoreOrder) {
  const { connection, backup, folder = migrationsFolder } = order
  try {
    const restored = await restoreWhole({ ...order, folder })
    // Needed for a backup of an older version. If this fails, the next start migrates.
    await migrate(connection, folder)
    return { ...restored, extras: backup.header.extras }
  } finally {
    backup.close()
  }
}

async function restoreWhole(order: RestoreOrder & { folder: string }) {
  const { connection, store, backup, folder, signal, progress = () => {}, beforeCommit } = order
  const session = await openSession(connection, 'kith restore', signal)
  const { client } = session
  const brought: string[] = []
  try {
    await client.query('begin')
    await makeRoom(session, readMigrations(folder))
    for (const migration of await findPending(client, migrationsOf(backup, folder))) await apply(client, migration)
    const tables = await tablesIn(session)
    const putBack = await setAsideRules(session, tables)
    const leftOut = await fill(session, backup, tables)
    const files = await bringFiles(session, backup, store, brought, signal)
    const trailer = await backup.trailer()
    if (files.count !== trailer.files.count || files.bytes !== trailer.files.bytes) throw damaged(backup.file)
    await setSequences(session, trailer)
    const names = new Set(tables.map(({ name }) => name))
    const known = backup.header.tables.filter(({ name }) => names.has(name))
    const rows = await checkTables(session, known, trailer, progress)
    await putBack((share) => progress('Building indexes', share))
    await client.query(`analyze ${tables.map(({ name }) => nameIn(session.schema, name)).join(', ')}`)
    session.ignoreAbort()
    beforeCommit?.(backup.header.extras)
    await client.query('commit')
    return { tables: tables.length, rows, files, leftOut }
  } catch (error) {
    for (const key of brought) await store.remove(key)
    throw error
  } finally {
    await session.close() // Closing the connection rolls an open transaction back.
  }
}

function migrationsOf({ file, header }: OpenBackup, folder: string): Migration[] {
  const known = readMigrations(folder)
  return header.migrations.map(({ name, checksum }) => {
    const migration = known.find((migration) => migration.name === name)
    if (!migration)
      throw new StartError(
        `${file} was created by a newer version of Kith (${header.kith}, ${name}). Update this installation and try again.`,
      )
    if (migration.checksum !== checksum)
      throw new StartError(
        `${file} was created by Kith ${header.kith}, whose migration ${name} differs from the one in this installation. Restore it with the version that created it.`,
      )
    return migration
  })
}

/**
 * Indexes and foreign keys are created after all rows are copied, which is faster and works in any order of tables.
 * Triggers already ran on the original rows. Rows that a migration wrote are also in the backup, so they are deleted.
 */
async function setAsideRules(session: Session, tables: Table[]) {
  const { client, schema } = session
  const names = tables.map(({ name }) => nameIn(schema, name))
  const rules = await rulesIn(session)
  await client.query('set constraints all immediate') // Rows of a migration may have deferred checks.
  for (const { drop } of rules) await client.query(drop)
  for (const name of names) await client.query(`alter table ${name} disable trigger user`)
  await client.query(`truncate ${names.join(', ')}`)
  return async (progress: (share: number) => void) => {
    for (const name of names) await client.query(`alter table ${name} enable trigger user`)
    for (const [index, { add }] of rules.entries()) {
      progress(index / rules.length)
      await client.query(add)
    }
  }
}

/** Returns the tables in the backup that do not belong to Kith, which are skipped. */
async function fill(session: Session, { file, header, tables }: OpenBackup, known: Table[]) {
  const leftOut: string[] = []
  for await (const { name, rows } of tables()) {
    const columns = columnsOf(file, header, name)
    if (!known.some((table) => table.name === name)) {
      leftOut.push(name)
      for await (const _ of rows);
      continue
    }
    await copyRows(session, file, { name, columns }, rows)
  }
  return leftOut
}

/** Returns how many there were. */
export async function copyRows(
  { client, schema }: Session,
  file: string,
  { name, columns }: Table,
  rows: AsyncIterable<Buffer>,
) {
  const copy = client.query(copyFrom(`copy ${nameIn(schema, name)} (${listOf(columns)}) from stdin`))
  await pipeline(rows, copy).catch((error) => {
    // The message of PostgreSQL may contain a value of the row, so it is not shown.
    if (!(error instanceof pg.DatabaseError) || !/^(22|23)/.test(error.code ?? '')) throw error
    throw damaged(file, error)
  })
  return copy.rowCount
}

/** Before the commit, so that a crash leaves only bytes without rows, which are removed later. */
export async function bringFiles(
  { client, schema }: Session,
  { file, files }: Pick<OpenBackup, 'file' | 'files'>,
  store: FileStore,
  brought: string[],
  signal?: AbortSignal,
) {
  const sum = { count: 0, bytes: 0 }
  for await (const { key, bytes } of files()) {
    signal?.throwIfAborted()
    const [company_id, id] = key.split('/')
    const row = `select from ${nameIn(schema, 'files')} where company_id = $1 and id = $2`
    if (!(await client.query(row, [company_id, id])).rowCount) throw damaged(file)
    // A file that already exists may belong to another installation and is never removed.
    if ((await store.sizeOf(key)) === null) brought.push(key)
    sum.count++
    sum.bytes += (await store.put(key, bytes)).size
  }
  return sum
}

function columnsOf(file: string, { tables }: Header, name: string) {
  const table = tables.find((table) => table.name === name)
  if (!table) throw damaged(file)
  return table.columns
}

async function setSequences({ client, schema }: Session, { sequences }: Trailer) {
  for (const { name, last_value, is_called } of sequences)
    await client.query('select setval(to_regclass($1), $2, $3)', [nameIn(schema, name), last_value, is_called])
}

/** Returns the number of rows. */
export async function checkTables(session: Session, copied: Table[], { tables }: Trailer, progress: Progress) {
  let sum = 0
  for (const [index, table] of copied.entries()) {
    progress('Checking', index / copied.length)
    const expected = tables.find(({ name }) => name === table.name)
    const actual = await checkTable(session, table)
    if (actual.rows !== expected?.rows || actual.checksum !== expected.checksum)
      throw new StartError(
        `The restored table ${table.name} differs from the backup (${actual.rows} of ${expected?.rows} rows). Nothing was changed. Use another backup.`,
      )
    sum += actual.rows
  }
  return sum
}
