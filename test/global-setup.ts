// One PostgreSQL for the whole run, with a migrated template that every test file clones.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { embeddedRoles, grantToApp, passwordOf, prepareRoles } from '../server/platform/database-roles.ts'
import { startEmbeddedPostgres } from '../server/platform/embedded-postgres.ts'
import { migrate } from '../server/platform/migrate.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Of the superuser, who makes the databases. */
    server: pg.ClientConfig
    owner: pg.ClientConfig
    app: pg.ClientConfig
  }
}

/** TEST_DATABASE_URL runs the suite on another PostgreSQL; its user must be a superuser. */
async function openServer() {
  const url = process.env.TEST_DATABASE_URL
  if (url) {
    const { hostname, port, username, password } = new URL(url)
    const connection = { host: decodeURIComponent(hostname), port: Number(port || 5432), user: username, password }
    return { connection: { ...connection, database: 'postgres' }, stop: async () => {} }
  }
  const folder = mkdtempSync(join(tmpdir(), 'postgres-'))
  await allowManyClients(folder)
  const { superuser, stop } = await startEmbeddedPostgres(folder)
  return { connection: { ...superuser, database: 'postgres' }, stop }
}

/** What tests write to the temporary folder is gone after the run. Its name is short, because paths of sockets are. */
function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'kt-'))
  chmodSync(folder, 0o755)
  process.env.TMPDIR = folder
  return () => rmSync(folder, { recursive: true, force: true })
}

/** Several test files, each with its pools and some with processes of their own, share it. Takes effect with its next start. */
async function allowManyClients(folder: string) {
  const { superuser, stop } = await startEmbeddedPostgres(folder)
  const client = new pg.Client({ ...superuser, database: 'postgres' })
  await client.connect()
  await client.query('alter system set max_connections = 400')
  await client.end()
  await stop()
}

/** Tests that kill a database start their own, so this one does not need to wait for the disk. */
async function forgetOnCrash(client: pg.Client) {
  for (const setting of ['fsync', 'synchronous_commit', 'full_page_writes'])
    await client.query(`alter system set ${setting} = off`)
  await client.query('select pg_reload_conf()')
}

export default async function setup(project: TestProject) {
  const removeFolder = temporaryFolder()
  const { connection, stop } = await openServer()
  const client = new pg.Client(connection)
  await client.connect()
  if (!process.env.TEST_DATABASE_URL) await forgetOnCrash(client)
  await client.query('drop database if exists kith_template')
  await client.end()
  const password = String(connection.password)
  const as = (user: string) => ({
    ...connection,
    user,
    password: passwordOf(user, password),
    database: 'kith_template',
  })
  const [owner, app] = [as(embeddedRoles.owner), as(embeddedRoles.app)]
  await prepareRoles({ ...connection, password }, 'kith_template')
  await migrate(owner)
  await grantToApp(owner, app)
  project.provide('server', connection)
  project.provide('owner', owner)
  project.provide('app', app)
  return async () => {
    await stop()
    removeFolder()
  }
}
