import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ask, folder, inChild, killed } from '../../test/embedded-postgres.ts'
import { waitForProcesses } from '../../test/patience.ts'
import { joinEmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts'

waitForProcesses()

test('a new cluster is UTF-8 with checksums and a password, whatever LANG says, and keeps its data', async () => {
  const lang = process.env.LANG
  delete process.env.LANG
  const dataDir = folder()
  const first = await startEmbeddedPostgres(dataDir)
  process.env.LANG = lang
  expect(await ask(first.connection, 'show server_encoding')).toBe('UTF8')
  expect(await ask(first.connection, 'show data_checksums')).toBe('on')
  expect(await ask(first.connection, 'show listen_addresses')).toBe('')
  await expect(ask({ ...first.connection, password: 'wrong' }, 'select 1')).rejects.toThrow(/password/)
  await ask(first.owner, `create table kept as select 'ä€😀' as text`)
  await first.stop()
  expect(existsSync(join(dataDir, 'postgres/cluster/postmaster.pid'))).toBe(false)
  const second = await startEmbeddedPostgres(dataDir)
  expect(await ask(second.owner, 'select text from kept')).toBe('ä€😀')
  await second.stop()
})

test('PostgreSQL does not log the values of statements that fail', async () => {
  const dataDir = folder()
  const database = await startEmbeddedPostgres(dataDir)
  await expect(ask(database.owner, "select 'canary@example.com'::uuid")).rejects.toThrow(/canary/)
  await ask(database.owner, 'create table one (id text primary key)')
  await ask(database.owner, "insert into one values ('canary@example.com')")
  await expect(ask(database.owner, "insert into one values ('canary@example.com')")).rejects.toThrow(/one_pkey/)
  await database.stop()
  const log = readFileSync(join(dataDir, 'logs', 'postgres.log'), 'utf8')
  expect(log).toContain('database system is ready')
  expect(log).not.toContain('canary')
})

test('a database left running by a killed Kith is taken over, with everything that was acknowledged', async () => {
  const dataDir = folder()
  const child = await inChild(dataDir)
  const guest = await joinEmbeddedPostgres(dataDir)
  await ask(guest.owner, 'create table kept as select 42 as answer')
  await killed(child)
  const again = await startEmbeddedPostgres(dataDir)
  expect(await ask(again.owner, 'select answer from kept')).toBe(42)
  await again.stop()
  expect(existsSync(join(dataDir, 'postgres/cluster/postmaster.pid'))).toBe(false)
})
