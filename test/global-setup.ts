// One PostgreSQL for the whole run, with a migrated template that test apps clone.
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { pino } from 'pino'
import type { TestProject } from 'vitest/node'
import { startWorker } from '../server/kernel/queue.ts'
import { embeddedRoles, grantToApp, passwordOf, prepareRoles } from '../server/platform/database-roles.ts'
import { createDb, createPool } from '../server/platform/db.ts'
import { startEmbeddedPostgres } from '../server/platform/embedded-postgres.ts'
import { migrate } from '../server/platform/migrate.ts'
import { installMissing } from './packages.ts'
import { copyFolder, prepared } from './prepared.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Of the superuser, who makes the databases. */
    server: pg.ClientConfig
    owner: pg.ClientConfig
    app: pg.ClientConfig
  }
}

const settings = [
  // Several test files, each with its pools and some with processes of their own, share it.
  'max_connections=400',
  'shared_buffers=256MB',
  // Tests that kill a database start their own, so this one does not need to wait for the disk.
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'wal_level=minimal',
  'max_wal_senders=0',
  'max_wal_size=8GB',
  // To compile a statement takes longer than to run it on so few rows.
  'jit=off',
]

/**
 * A data folder as Kith leaves it after its first start, with the tables of the job queue: to create them takes every
 * worker a second. Tests that only need any installation copy it.
 */
async function prepareDataFolder() {
  const { connection: app, owner, stop } = await startEmbeddedPostgres(prepared, () => {}, settings)
  await migrate(owner)
  await grantToApp(owner, app)
  const pool = createPool(app, { max: 2 })
  const log = pino({ level: 'silent' })
  const worker = await startWorker({ pool, db: createDb(pool), log, clock: () => new Date() }, {}, {})
  await worker.stop()
  await pool.end()
  await stop()
}

/** TEST_DATABASE_URL runs the suite on another PostgreSQL; its user must be a superuser. */
function foreignServer(url: string) {
  const { hostname, port, username, password } = new URL(url)
  const connection = { host: decodeURIComponent(hostname), port: Number(port || 5432), user: username, password }
  return { superuser: connection, stop: async () => {} }
}

/** A copy of the prepared one, with its roles and passwords. */
async function ownServer() {
  const folder = join(tmpdir(), 'server')
  copyFolder(prepared, folder)
  return startEmbeddedPostgres(folder, () => {}, settings)
}

async function createTemplate(connection: pg.ClientConfig, owner: pg.ClientConfig, app: pg.ClientConfig) {
  await onServer(connection, 'drop database if exists kith_template')
  await prepareRoles({ ...connection, password: String(connection.password) }, 'kith_template')
  await migrate(owner)
  await grantToApp(owner, app)
}

export default async function setup(project: TestProject) {
  const installing = installMissing()
  await prepareDataFolder()
  const url = process.env.TEST_DATABASE_URL
  const { superuser, stop } = url ? foreignServer(url) : await ownServer()
  const connection = { ...superuser, database: 'postgres' }
  const password = String(connection.password)
  const as = (user: string) => ({
    ...connection,
    user,
    password: passwordOf(user, password),
    database: 'kith_template',
  })
  const [owner, app] = [as(embeddedRoles.owner), as(embeddedRoles.app)]
  if (url) await createTemplate(connection, owner, app)
  else await onServer(connection, 'alter database kith rename to kith_template')
  project.provide('server', connection)
  project.provide('owner', owner)
  project.provide('app', app)
  await installing
  return stop
}

async function onServer(connection: pg.ClientConfig, statement: string) {
  const client = new pg.Client(connection)
  await client.connect()
  await client.query(statement)
  await client.end()
}
