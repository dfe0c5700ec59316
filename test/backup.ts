// What the tests of backup and restore share.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll } from 'vitest'
import { openForRestore, restore } from '../server/backup/restore.ts'
import { diskStore, type FileStore } from '../server/files/store.ts'
import { testDatabase } from './database.ts'
import type { Started } from './process.ts'

type Options = { folder?: string; passphrase?: string; store?: FileStore }

/** A temporary folder with a file store, removed after the tests of the file. */
export function backupHome() {
  const home = mkdtempSync(join(tmpdir(), 'kith-backup-'))
  afterAll(() => rmSync(home, { recursive: true, force: true }))
  let made = 0
  const newFile = () => join(home, `${++made}.kith`)
  const store = diskStore(join(home, 'files'))
  const restoreInto = async (connection: pg.ClientConfig, file: string, options: Options = {}) =>
    restore({
      store: options.store ?? store,
      connection,
      folder: options.folder,
      backup: await openForRestore(file, options),
    })
  return { home, newFile, store, restoreInto }
}

export const emptyDatabase = async () => (await testDatabase({ from: 'template0' })).connection

/** Without the pool: a running Kith is recognized by the pool's connections. */
export async function ask<T extends pg.QueryResultRow>(connection: pg.ClientConfig, text: string) {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    return (await client.query<T>(text)).rows
  } finally {
    await client.end()
  }
}

export const tablesOf = async (connection: pg.ClientConfig) => {
  const rows = await ask<{ name: string }>(
    connection,
    "select tablename as name from pg_tables where schemaname = 'public' order by 1",
  )
  return rows.map(({ name }) => name)
}

/** Every row of every table as text. */
export async function contentOf(connection: pg.ClientConfig) {
  const content: Record<string, string[]> = {}
  for (const name of await tablesOf(connection)) {
    const rows = await ask<{ row: string }>(connection, `select t::text as row from "${name}" t order by 1`)
    content[name] = rows.map(({ row }) => row)
  }
  return content
}

/** Every table, column, constraint and index, as PostgreSQL describes it. */
export const shapeOf = (connection: pg.ClientConfig) =>
  ask(
    connection,
    `select attrelid::regclass::text || '.' || attname || ' ' || format_type(atttypid, atttypmod) as it
     from pg_attribute join pg_class c on c.oid = attrelid where relnamespace = 'public'::regnamespace and attnum > 0
     union all select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) from pg_constraint
       where connamespace = 'public'::regnamespace
     union all select indexdef from pg_indexes where schemaname = 'public'
     union all select tgrelid::regclass || ' ' || tgname || ' ' || tgenabled::text from pg_trigger where not tgisinternal
     order by 1`,
  )

/** The same backup as version 0.1 wrote it. */
export function inFirstFormat(file: string) {
  const packed = readFileSync(file).subarray('KITH BACKUP 2\n'.length, -81)
  const begin = Buffer.concat([Buffer.from('KITH BACKUP 1\n'), packed])
  const digest = createHash('sha256').update(begin).digest('hex')
  return Buffer.concat([begin, Buffer.from(`KITH BACKUP END ${digest}\n`)])
}

const holding = join(import.meta.dirname, 'hold-copy.ts')

export function run(
  program: 'backup' | 'restore' | 'company',
  env: Record<string, string>,
  ...args: string[]
): Started {
  const options = env.HOLD_COPY ? ['--import', holding] : []
  const child = spawn(process.execPath, [...options, `server/commands/${program}.ts`, ...args], {
    env: { PATH: process.env.PATH!, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text))
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  return { child, ended, output: () => output }
}
