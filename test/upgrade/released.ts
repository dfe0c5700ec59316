// Databases as released versions left them, and their upgrade by the product as a user starts it.
import { randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { afterAll, inject, vi } from 'vitest'
import { secretKey } from '../../scripts/release/story.ts'
import { prepareRoles } from '../../server/platform/database-roles.ts'
import { migrationsFolder } from '../../server/platform/migrate.ts'
import { testDatabase } from '../database.ts'
import { databaseUrlOf, launch, until } from '../process.ts'

export type Access = {
  email: string
  password: string
  session: string
  key: string
  member_key: string
  agent_key: string
  two_factor: { email: string; secret: string }
  invitation: string
  neighbor: { email: string; key: string }
}
export type Old = Awaited<ReturnType<typeof loadRelease>>

const folder = join(import.meta.dirname, '..', 'released')
const byVersion = (a: string, b: string) => a.localeCompare(b, 'en', { numeric: true })
export const releases = readdirSync(folder)
  .filter((name) => /^\d/.test(name))
  .sort(byVersion)
/** When the recorded companies were last at work. */
export const lastDay = new Date('2026-05-12T08:00:00Z')

export const readReleased = (version: string, file: string) => readFileSync(join(folder, version, file), 'utf8')

type Rows = { name: string; columns: string; rows: string }

export function rowsOf(version: string): Rows[] {
  const tables = readReleased(version, 'rows.sql').matchAll(/^COPY (\w+) \((.*)\) FROM stdin;\n([\s\S]*?)^\\\.$/gm)
  return tables.map(([, name, columns, rows]) => ({ name: name!, columns: columns!, rows: rows! })).toArray()
}

export const migrationsOf = (version: string) =>
  rowsOf(version)
    .find(({ name }) => name === 'migrations')!
    .rows.trim()
    .split('\n')
    .map((line) => line.split('\t'))
    .map(([name, checksum]) => ({ name: name!, checksum: checksum! }))

/** Whether the company used this table, which may have come with a later version. */
export const hasRows = (version: string, table: string) => rowsOf(version).some(({ name }) => name === table)
/** Whether a migration that changes rows is still to come for this version. */
export const isBefore = (version: string, migration: string) =>
  !migrationsOf(version).some(({ name }) => name === migration)

/** The schema is made by the migrations of that version, whose checksums are part of its rows. */
export async function loadRelease(version: string) {
  const database = await testDatabase({ from: 'template0' })
  const superuser = { ...inject('server'), database: database.owner.database! }
  const client = new pg.Client(superuser)
  await client.connect()
  // Until 0.2.0 the superuser owned everything.
  if (byVersion(version, '0.2.0') >= 0) await client.query(`set role ${database.owner.user}`)
  await client.query(
    'create table migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now())',
  )
  for (const { name } of migrationsOf(version))
    await client.query(`begin; ${readFileSync(join(migrationsFolder, name), 'utf8')}; commit`)
  // Tables come in the order of their names, so references are not checked on the way.
  await client.query('reset role; set session_replication_role = replica')
  for (const { name, columns, rows } of rowsOf(version)) {
    await client.query(`delete from ${name}`)
    await pipeline(Readable.from([rows]), client.query(copyFrom(`copy ${name} (${columns}) from stdin`)))
  }
  await client.end()
  // What our own PostgreSQL does at every start.
  await prepareRoles({ ...superuser, password: String(superuser.password) }, superuser.database)
  const app = { ...inject('app'), database: superuser.database }
  const access = JSON.parse(readReleased(version, 'access.json')) as Access
  const start = (more?: Record<string, string>) => launch('main', settingsFor(database.owner, app, more))
  const migrating = () => launch('../test/upgrade/migrating', settingsFor(database.owner, app))
  const settings = (more?: Record<string, string>) => settingsFor(database.owner, app, more)
  return { ...database, app, superuser, access, settings, start, migrating }
}

let home: string | undefined

/** At the time of the recording, so that retention leaves everything in place. */
function settingsFor(owner: pg.ClientConfig, app: pg.ClientConfig, more: Record<string, string> = {}) {
  if (!home) {
    home = mkdtempSync(join(tmpdir(), 'kith-upgrade-'))
    afterAll(() => rmSync(home!, { recursive: true, force: true }))
  }
  return {
    DATABASE_URL: databaseUrlOf(app),
    DATABASE_OWNER_URL: databaseUrlOf(owner),
    DATA_DIR: home,
    SECRET_KEY: secretKey,
    PORT: '0',
    LOG: 'off',
    NODE_OPTIONS: `--import ${join(import.meta.dirname, '..', '..', 'scripts', 'release', 'steady.ts')}`,
    STEADY_SEED: randomUUID(),
    STEADY_TIME: lastDay.toISOString(),
    ...more,
  }
}

/** One start, with all that follows from it behind the scenes, and an orderly stop. */
export async function upgrade(old: Old) {
  const since = await databaseTime(old)
  const started = await until(old.start(), 'Kith is ready')
  await finishJobs(old, since)
  started.child.kill('SIGTERM')
  await started.ended
}

export const databaseTime = async ({ ownerPool }: Old) =>
  (await ownerPool.query<{ now: Date }>('select now()')).rows[0]!.now

/** Waits until no event is left and records that were stored in an older way are stored in the new one. */
export const finishJobs = ({ superuser }: Old, since: Date) =>
  vi.waitFor(
    async () => {
      const { rows } = await ask(
        superuser,
        `select (select count(*) from outbox)::int as events,
          (select count(*) from pgboss.job where name = 'reindex_outdated' and state = 'completed' and created_on > $1)::int as runs`,
        [since],
      )
      if (rows[0].events || !rows[0].runs) throw new Error(`There is work left: ${JSON.stringify(rows[0])}`)
    },
    { timeout: 120_000, interval: 150 },
  )

export async function ask(connection: pg.ClientConfig, text: string, values: unknown[] = []) {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    return await client.query(text, values)
  } finally {
    await client.end()
  }
}
