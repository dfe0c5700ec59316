// Brings a backup into an empty database, in one transaction: all of it and checked, or nothing.
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
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
  backup: OpenBackup
  folder?: string
  signal?: AbortSignal
  progress?: Progress
  /** For what lives beside the database; when it throws, the database is left as it was. */
  beforeCommit?: (extras: Record<string, string>) => void
}

type OpenOptions = { passphrase?: string | undefined; progress?: Progress; folder?: string | undefined }

/** Refuses, before any database is touched, a file that this Kith cannot restore. */
export async function openForRestore(
  file: string,
  { passphrase, progress, folder = migrationsFolder }: OpenOptions = {},
) {
  const backup = await openBackup(file, { passphrase, progress: (share) => progress?.('Restoring', share) })
  try {
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
    // A backup of an older Kith; should this fail, the next start does it.
    await migrate(connection, folder)
    return { ...restored, extras: backup.header.extras }
  } finally {
    backup.close()
  }
}

async function restoreWhole(order: RestoreOrder & { folder: string }) {
  const { connection, backup, folder, signal, progress = () => {}, beforeCommit } = order
  const session = await openSession(connection, 'kith restore', signal)
  const { client } = session
  try {
    await client.query('begin')
    await makeRoom(session, readMigrations(folder))
    for (const migration of await findPending(client, migrationsOf(backup, folder))) await apply(client, migration)
    const tables = await tablesIn(session)
    const putBack = await setAsideRules(session, tables)
    const leftOut = await fill(session, backup, tables)
    const trailer = await backup.trailer()
    await setSequences(session, trailer)
    const rows = await check(session, backup, tables, trailer, progress)
    await putBack((share) => progress('Building indexes', share))
    await client.query(`analyze ${tables.map(({ name }) => nameIn(session.schema, name)).join(', ')}`)
    session.finishWhatever()
    beforeCommit?.(backup.header.extras)
    await client.query('commit')
    return { tables: tables.length, rows, leftOut }
  } finally {
    await session.close() // An open transaction ends with its connection, and with it everything done so far.
  }
}

function migrationsOf({ file, header }: OpenBackup, folder: string): Migration[] {
  const known = readMigrations(folder)
  return header.migrations.map(({ name, checksum }) => {
    const found = known.find((migration) => migration.name === name)
    if (!found)
      throw new StartError(
        `${file} was made by a newer Kith (${header.kith}, ${name}). Update this installation, then restore again.`,
      )
    if (found.checksum !== checksum)
      throw new StartError(
        `${file} was made by a Kith (${header.kith}) whose migration ${name} differs from the one here. Restore it with the version that made it.`,
      )
    return found
  })
}

/**
 * Indexes and foreign keys are made over all rows at once, which is faster and needs no order of tables;
 * triggers have done their work on the original; rows that a migration wrote are in the backup.
 */
async function setAsideRules(session: Session, tables: Table[]) {
  const { client, schema } = session
  const names = tables.map(({ name }) => nameIn(schema, name))
  const rules = await rulesIn(session)
  await client.query('set constraints all immediate') // A migration's rows may still be waiting for their checks.
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

/** Answers with the tables that are not Kith's: somebody made them beside ours. */
async function fill({ client, schema }: Session, { file, header, tables }: OpenBackup, known: Table[]) {
  const leftOut: string[] = []
  for await (const { name, rows } of tables()) {
    const columns = columnsOf(file, header, name)
    if (!known.some((table) => table.name === name)) {
      leftOut.push(name)
      for await (const _ of rows);
      continue
    }
    const copy = client.query(copyFrom(`copy ${nameIn(schema, name)} (${listOf(columns)}) from stdin`))
    await pipeline(rows, copy).catch((error) => {
      // PostgreSQL's own words may hold a value of the row.
      if (!(error instanceof pg.DatabaseError) || !/^(22|23)/.test(error.code ?? '')) throw error
      throw damaged(file, error)
    })
  }
  return leftOut
}

function columnsOf(file: string, { tables }: Header, name: string) {
  const found = tables.find((table) => table.name === name)
  if (!found) throw damaged(file)
  return found.columns
}

async function setSequences({ client, schema }: Session, { sequences }: Trailer) {
  for (const { name, last_value, is_called } of sequences)
    await client.query('select setval(to_regclass($1), $2, $3)', [nameIn(schema, name), last_value, is_called])
}

async function check(session: Session, backup: OpenBackup, known: Table[], { tables }: Trailer, progress: Progress) {
  let sum = 0
  for (const [index, { columns, name }] of backup.header.tables.entries()) {
    progress('Checking', index / backup.header.tables.length)
    if (!known.some((table) => table.name === name)) continue
    const wanted = tables.find((table) => table.name === name)
    const found = await checkTable(session, { name, columns })
    if (found.rows !== wanted?.rows || found.checksum !== wanted.checksum)
      throw new StartError(
        `The table ${name} is not what was backed up (${found.rows} of ${wanted?.rows} rows), and nothing was changed. Use another backup.`,
      )
    sum += found.rows
  }
  return sum
}
