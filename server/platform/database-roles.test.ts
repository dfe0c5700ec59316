import { describe, expect, inject, test } from 'vitest'
import { ask } from '../../test/backup.ts'
import { testDatabase } from '../../test/database.ts'
import { grantToApp } from './database-roles.ts'

const isSuperuser = 'select rolsuper from pg_roles where rolname = current_user'

describe('the role that Kith works with', async () => {
  const { connection, owner, db } = await testDatabase()
  await db.insertInto('companies').values({ id: '01900000-0000-7000-8000-000000000000', name: 'Acme' }).execute()
  const event = `insert into audit_events (company_id, id, at, action, door, request_id, data)
    values ('01900000-0000-7000-8000-000000000000', gen_random_uuid(), now(), 'session.started', 'web', 'r', '{}')`

  test('is not a superuser, and neither is the owner', async () => {
    expect(await ask(connection, isSuperuser)).toEqual([{ rolsuper: false }])
    expect(await ask(owner, isSuperuser)).toEqual([{ rolsuper: false }])
  })

  test('adds to the audit log and reads it', async () => {
    await ask(connection, event)
    expect(await ask(connection, 'select action from audit_events')).toEqual([{ action: 'session.started' }])
  })

  test.each([
    "update audit_events set action = 'x'",
    'delete from audit_events',
    'truncate audit_events',
    'alter table audit_events disable trigger all',
    'drop table audit_events',
    "update audit_chains set sealed_hash = ''",
    'insert into audit_chains (company_id) select id from companies',
    'delete from audit_chains',
    "update migrations set checksum = ''",
    "grant update on audit_events to current_user; update audit_events set action = 'x'",
    'set role kith_owner',
    "copy companies to program 'cat'",
    "select pg_read_file('/etc/passwd')",
    'create table mine (id int)',
  ])('is refused: %s', async (text) => {
    await expect(ask(connection, text)).rejects.toMatchObject({ code: '42501' })
  })

  test('gets access to tables of later migrations, only at startup', async () => {
    await ask({ ...inject('server'), database: owner.database }, 'create table beside (id serial)')
    await ask(owner, 'create table later (id bigint generated always as identity, name text)')
    await expect(ask(connection, 'select from later')).rejects.toMatchObject({ code: '42501' })
    await Promise.all([grantToApp(owner, connection), grantToApp(owner, connection)])
    await ask(connection, "insert into later (name) values ('x')")
    await expect(ask(connection, 'delete from audit_events')).rejects.toMatchObject({ code: '42501' })
  })
})
