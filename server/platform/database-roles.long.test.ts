// Databases that were made before there were two roles.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { PgBoss } from 'pg-boss'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { ask } from '../../test/backup.ts'
import { testDatabase } from '../../test/database.ts'
import { oldMigrations } from '../../test/old-migrations.ts'
import { waitForProcesses } from '../../test/patience.ts'
import { databaseUrlOf, freePort, launch, until } from '../../test/process.ts'
import { embeddedRoles, grantToApp, passwordOf } from './database-roles.ts'
import { createPool } from './db.ts'
import { type EmbeddedPostgres, joinEmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts'
import { migrate } from './migrate.ts'

waitForProcesses()

const home = mkdtempSync(join(tmpdir(), 'kith-roles-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))
const newFolder = () => join(mkdtempSync(join(home, 'data-')), 'data')

/** Who owns what of ours, as `role: schema`. */
const owners = async (connection: pg.ClientConfig) => {
  const rows = await ask(
    connection,
    `select distinct pg_get_userbyid(owner) || ': ' || namespace::regnamespace as it from (
       select 'pg_class'::regclass as catalog, oid, relowner as owner, relnamespace as namespace from pg_class
       union all select 'pg_proc'::regclass, oid, proowner, pronamespace from pg_proc
       union all select 'pg_type'::regclass, oid, typowner, typnamespace from pg_type
       union all select 'pg_namespace'::regclass, oid, nspowner, oid from pg_namespace
     ) made where namespace::regnamespace::text in ('public', 'pgboss')
       and not exists (select from pg_depend where classid = catalog and objid = made.oid and deptype = 'e')
     order by 1`,
  )
  return rows.map(({ it }) => it as string)
}

describe('a data folder of version 0.1, where the superuser owned everything,', () => {
  /** As version 0.1 left it: no roles, a database of the superuser, its tables, and a queue with a job in it. */
  async function oldFolder(dataDir: string) {
    const { superuser, stop } = await startEmbeddedPostgres(dataDir)
    const server = { ...superuser, database: 'postgres' }
    await ask(server, 'drop database kith')
    for (const role of ['kith_app', 'kith_owner']) await ask(server, `drop role ${role}`)
    await ask(server, 'create database kith')
    await migrate(superuser, oldMigrations())
    const pool = createPool(superuser)
    const boss = new PgBoss({ db: { executeSql: (text, values) => pool.query(text, values) } })
    await boss.start()
    await boss.createQueue('old_queue')
    await boss.send('old_queue', { kept: true })
    await boss.stop()
    await pool.end()
    await ask(superuser, "insert into companies (id, name) values (gen_random_uuid(), 'Kept')")
    await ask(superuser, "create type mood as enum ('calm'); create domain word as text; create view looks as select 1")
    await ask(superuser, 'create table beside (id serial, own mood)')
    return { superuser, stop }
  }

  const isWhole = async ({ connection, owner }: EmbeddedPostgres) => {
    expect(await owners(owner)).toEqual([
      'kith_app: pgboss',
      'kith_owner: pgboss',
      'kith_owner: public',
      'pg_database_owner: public',
    ])
    expect(await ask(connection, 'select name from companies')).toEqual([{ name: 'Kept' }])
    expect(await ask(connection, "select data from pgboss.job where name = 'old_queue'")).toEqual([
      { data: { kept: true } },
    ])
  }

  test('is handed over at the next start, with all that is in it', async () => {
    const dataDir = newFolder()
    await (await oldFolder(dataDir)).stop()
    const before = launch('commands/doctor', { DATA_DIR: dataDir }, ['--json'])
    await before.ended
    expect(before.output()).toMatch(/pending: .*_audit_chain/)
    const port = await freePort()
    const env = { PORT: String(port), DATA_DIR: dataDir }
    const kith = await until(launch('main', env), 'Kith is ready')
    await isWhole(await joinEmbeddedPostgres(dataDir))
    kith.child.kill('SIGTERM')
    expect(await kith.ended).toBe(0)
    const log = readFileSync(join(dataDir, 'logs', 'kith.1.log'), 'utf8')
    expect(log).not.toMatch(/"level":(40|50)/)
  })

  test('is handed over in the end when the first start was cut short', async () => {
    const dataDir = newFolder()
    const { superuser, stop } = await oldFolder(dataDir)
    const { password } = superuser as { password: string }
    for (const role of Object.values(embeddedRoles))
      await ask(superuser, `create role ${role} login password '${passwordOf(role, password)}'`)
    await ask(superuser, 'alter database kith owner to kith_owner')
    await ask(superuser, 'alter table companies owner to kith_owner')
    await stop()
    const again = await startEmbeddedPostgres(dataDir)
    await migrate(again.owner)
    await grantToApp(again.owner, again.connection)
    await isWhole(again)
    await again.stop()
  })
})

test('a single role keeps working, and becomes two when an owner is configured', async () => {
  const { connection: one } = await testDatabase({ from: 'template0' })
  const env = { PORT: String(await freePort()), DATA_DIR: newFolder(), DATABASE_URL: databaseUrlOf(one) }
  const admin = { ADMIN_EMAIL: 'ada@example.com', ADMIN_PASSWORD: 'correct horse' }
  const start = async (more: Record<string, string>) => {
    const kith = await until(launch('main', { ...env, ...more }), 'Kith is ready')
    kith.child.kill('SIGTERM')
    expect(await kith.ended).toBe(0)
  }
  await start(admin)
  const app = { ...inject('app'), database: one.database }
  const both = { DATABASE_URL: databaseUrlOf(app), DATABASE_OWNER_URL: databaseUrlOf(one) }
  const refused = launch('main', { ...env, ...both })
  expect(await refused.ended).toBe(1)
  expect(refused.output()).toContain('grant "kith_app" to "kith_owner"')

  await ask({ ...inject('server'), database: one.database }, 'grant kith_app to kith_owner')
  try {
    await start(both)
  } finally {
    await ask({ ...inject('server'), database: one.database }, 'revoke kith_app from kith_owner')
  }
  await start(both)
  await expect(ask(app, 'delete from audit_events')).rejects.toMatchObject({ code: '42501' })
  expect((await ask(app, 'select count(*)::int from audit_events'))[0]!.count).toBeGreaterThan(0)

  const elsewhere = launch('main', {
    ...env,
    ...both,
    DATABASE_OWNER_URL: databaseUrlOf({ ...one, database: 'postgres' }),
  })
  expect(await elsewhere.ended).toBe(1)
})
