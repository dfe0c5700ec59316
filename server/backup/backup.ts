// Streams a consistent copy of the database and its files into one file.
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import * as fs from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { FileStore } from '../files/store.ts'
import { fileLock } from '../files/sweep.ts'
import { StartError } from '../platform/config.ts'
import { migrationLock } from '../platform/migrate.ts'
import type { Progress } from '../platform/terminal.ts'
import { version } from '../platform/version.ts'
import { listOf, nameIn, type Sized, sequencesIn, sourceOf, tablesIn } from './catalog.ts'
import { type Check, checkTable } from './checksums.ts'
import {
  bytesFrame,
  fileFrame,
  type Header,
  headerFrame,
  packing,
  rowsFrame,
  tableFrame,
  trailerFrame,
} from './format.ts'
import { openSession, type Session } from './session.ts'

export type BackupOrder = {
  connection: pg.ClientConfig
  /** Has the bytes of the rows in `files`. */
  store: FileStore
  file: string
  extras?: Record<string, string>
  /** Chooses within the snapshot what is copied. Without it, everything is. */
  select?: (session: Session, tables: Sized[]) => Promise<Selected>
  passphrase?: string | undefined
  signal?: AbortSignal
  progress?: Progress
}

type Selected = { tables: Sized[]; company?: NonNullable<Header['company']> }

const backupLock = 5_484_203

/** Writes to a temporary file and renames it when complete, so that an interrupted backup never looks like one. */
export async function backUp({ connection, store, file, extras = {}, passphrase, ...more }: BackupOrder) {
  const { signal, progress = () => {}, select = async (_, tables) => ({ tables }) } = more
  if (existsSync(file)) throw new StartError(`${file} already exists. Move it or choose another file name.`)
  const session = await openSession(connection, 'kith backup', signal)
  try {
    await refuseSecondBackup(session)
    await fs.mkdir(dirname(file), { recursive: true, mode: 0o700 })
    return await writeAside(file, async (partial) => {
      const selected = await select(session, await startSnapshot(session))
      const checks: Check[] = []
      const copied: Copied = { count: 0, bytes: 0, lost: [] }
      const frames = read(session, { ...selected, store, extras, checks, copied, progress })
      const output = (await fs.open(partial, 'wx', 0o600)).createWriteStream()
      await pipeline(frames, ...packing(passphrase), output, { signal })
      return { tables: checks.length, rows: checks.reduce((sum, { rows }) => sum + rows, 0), files: copied }
    })
  } finally {
    await session.close()
  }
}

// Two concurrent backups could write the same file.
async function refuseSecondBackup({ client }: Session) {
  const { rows } = await client.query<{ free: boolean }>('select pg_try_advisory_lock($1) as free', [backupLock])
  if (!rows[0]!.free)
    throw new StartError(
      'Another backup or export of this database is running. Wait until it has finished and try again.',
    )
}

async function writeAside<T>(file: string, write: (partial: string) => Promise<T>) {
  const partial = `${file}.partial`
  try {
    await fs.rm(partial, { force: true })
    const result = await write(partial)
    await syncToDisk(partial)
    await fs.rename(partial, file)
    await syncToDisk(dirname(file))
    return { ...result, bytes: (await fs.stat(file)).size }
  } catch (error) {
    await fs.rm(partial, { force: true })
    throw error
  }
}

async function syncToDisk(path: string) {
  const handle = await fs.open(path)
  await handle.sync()
  await handle.close()
}

/** Starts a transaction that reads one snapshot, and locks out migrations until it ends. */
async function startSnapshot(session: Session) {
  const { client, schema } = session
  // Until this session ends, no bytes of deleted files are removed, because this snapshot may still contain the file.
  await client.query('select pg_advisory_lock_shared($1)', [fileLock])
  // Waits for a running migration to finish. Later ones wait for our locks on the tables.
  await client.query('select pg_advisory_lock_shared($1)', [migrationLock])
  await client.query('begin isolation level repeatable read, read only')
  const tables = await tablesIn(session)
  if (!tables.some(({ name }) => name === 'migrations'))
    throw new StartError('There is nothing to back up: Kith has never run on this database.')
  await client.query(`lock table ${tables.map(({ name }) => nameIn(schema, name)).join(', ')} in access share mode`)
  await client.query('select pg_advisory_unlock_shared($1)', [migrationLock])
  return tables
}

/** `lost`: files that are missing from the store or have changed. */
type Copied = { count: number; bytes: number; lost: string[] }
type Reading = Selected & {
  store: FileStore
  extras: Record<string, string>
  checks: Check[]
  copied: Copied
  progress: Progress
}

async function* read(session: Session, reading: Reading) {
  const { tables, company, extras, checks, copied: files, progress } = reading
  const { client, schema } = session
  const { rows: migrations } = await client.query<{ name: string; checksum: string }>(
    `select name, checksum from ${nameIn(schema, 'migrations')} order by name`,
  )
  const listed = tables.map(({ name, columns }) => ({ name, columns }))
  const created_at = new Date().toISOString()
  yield* headerFrame({ kith: version, created_at, migrations, tables: listed, extras, ...(company && { company }) })

  const copied = meter(tables, (share) => progress('Backing up', share))
  for (const table of tables) {
    yield* tableFrame(table.name)
    let bytes = 0
    const copy = `copy (select ${listOf(table.columns)} from ${sourceOf(schema, table)}) to stdout`
    for await (const rows of client.query(copyTo(copy)) as AsyncIterable<Buffer>) {
      yield* rowsFrame(rows)
      bytes += rows.length
      copied(table, bytes)
    }
    copied(table)
  }

  const filesTable = tables.find(({ name }) => name === 'files')
  if (filesTable) yield* readFiles(session, sourceOf(schema, filesTable), reading)

  const checked = meter(tables, (share) => progress('Computing checksums', share))
  for (const table of tables) {
    checks.push(await checkTable(session, table))
    checked(table)
  }
  const { count, bytes } = files
  yield* trailerFrame({ tables: checks, sequences: await sequencesIn(session), files: { count, bytes } })
}

/** A missing file does not stop the backup; the caller reports it. */
async function* readFiles({ client }: Session, source: string, { store, copied, progress }: Reading) {
  const { rows: known } = await client.query<{ key: string; sha256: Buffer; total: number }>(
    `select company_id || '/' || id as key, sha256, (sum(size) over ())::float8 as total
     from ${source} order by company_id, id`,
  )
  for (const { key, sha256, total } of known) {
    const content = await store.read(key).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
    })
    if (!content) {
      copied.lost.push(key)
      continue
    }
    yield* fileFrame(key)
    const hash = createHash('sha256')
    for await (const piece of content) {
      hash.update(piece)
      yield* bytesFrame(piece)
      copied.bytes += piece.length
      progress('Copying files', copied.bytes / (total || 1))
    }
    copied.count++
    if (!hash.digest().equals(sha256)) copied.lost.push(key)
  }
}

/** Progress by the size of the tables on disk, which is known in advance and accurate enough. */
function meter(tables: Sized[], report: (share: number) => void) {
  const total = tables.reduce((sum, { bytes }) => sum + bytes, 0) || 1
  let before = 0
  return ({ bytes }: Sized, done?: number) => {
    report((before + Math.min(bytes, done ?? bytes)) / total)
    if (done === undefined) before += bytes
  }
}
