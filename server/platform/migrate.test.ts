import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tableTypes } from '../../scripts/table-types.ts'
import { testDatabase } from '../../test/database.ts'
import type { Pool } from './db.ts'
import { migrate } from './migrate.ts'

const folderWith = (files: Record<string, string>) => {
  const folder = mkdtempSync(join(tmpdir(), 'kith-migrations-'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}
const tablesOf = async ({ pool }: Awaited<ReturnType<typeof testDatabase>>) => {
  const { rows } = await pool.query(`select tablename from pg_tables where schemaname = 'public' order by 1`)
  return rows.map((row) => row.tablename)
}
const untilWaiting = (pool: Pool) =>
  expect
    .poll(async () => {
      const waiting = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
      return (await pool.query(waiting)).rowCount
    })
    .toBe(1)
const one = { '0001_a.sql': 'create table a (id int)' }

test('migrations run in order, once, even if several processes start together', async () => {
  const database = await testDatabase({ from: 'template0' })
  const folder = folderWith({ '0002_b.sql': 'alter table a add b int', ...one })
  const applied = await Promise.all(Array.from({ length: 4 }, () => migrate(database.connection, folder)))
  expect(applied.flat().sort()).toEqual(['0001_a.sql', '0002_b.sql'])
  expect(await migrate(database.connection, folder)).toEqual([])
})

test('a migration that fails stops the start, is named, and changes nothing', async () => {
  const database = await testDatabase({ from: 'template0' })
  const folder = folderWith({ ...one, '0002_bad.sql': 'create table b (id int); insert into nowhere values (1)' })
  await expect(migrate(database.connection, folder)).rejects.toThrow(
    /0002_bad\.sql failed and changed nothing.*nowhere/,
  )
  expect(await tablesOf(database)).toEqual(['migrations'])
  // Those before it stay if others may already use the database.
  await migrate(database.connection, folderWith(one))
  const third = { '0003_bad.sql': 'create table c (id int); insert into nowhere values (1)' }
  const more = folderWith({ ...one, '0002_b.sql': 'create table b (id int)', ...third })
  await expect(migrate(database.connection, more)).rejects.toThrow('0003_bad.sql failed')
  expect(await tablesOf(database)).toEqual(['a', 'b', 'migrations'])
})

test('a migration that waits for a table keeps no one else from it for long', async () => {
  const { connection, pool } = await testDatabase({ from: 'template0' })
  await migrate(connection, folderWith(one))
  const reader = await pool.connect()
  await reader.query('begin; select from a')
  const migrating = migrate(connection, folderWith({ ...one, '0002_b.sql': 'alter table a add b int' }))
  await untilWaiting(pool)
  await pool.query('select from a')
  await reader.query('commit')
  reader.release()
  expect(await migrating).toEqual(['0002_b.sql'])
})

test('an index is built beside writes, and one that was interrupted is built again', async () => {
  const { connection, pool } = await testDatabase({ from: 'template0' })
  const index = '-- concurrently\ncreate index concurrently if not exists a_by_id on a (id);\n'
  await migrate(connection, folderWith(one))
  await pool.query('insert into a values (1), (1)')
  await expect(pool.query('create unique index concurrently a_by_id on a (id)')).rejects.toThrow('could not create')
  const isValid =
    "select indisvalid as is_valid, indisunique as is_unique from pg_index where indexrelid = 'a_by_id'::regclass"
  expect((await pool.query(isValid)).rows).toEqual([{ is_valid: false, is_unique: true }])
  expect(await migrate(connection, folderWith({ ...one, '0002_index.sql': index }))).toEqual(['0002_index.sql'])
  expect((await pool.query(isValid)).rows).toEqual([{ is_valid: true, is_unique: false }])
})

test('an edited migration and a newer database are refused with advice', async () => {
  const database = await testDatabase({ from: 'template0' })
  await migrate(database.connection, folderWith(one))
  await expect(migrate(database.connection, folderWith({ '0001_a.sql': 'create table a2 (id int)' }))).rejects.toThrow(
    /was edited/,
  )
  await expect(migrate(database.connection, folderWith({}))).rejects.toThrow(/newer version of Kith \(0001_a.sql\)/)
})

test('the committed table types are those of the migrations (npm run generate)', async () => {
  const { connection } = await testDatabase()
  expect(readFileSync('server/platform/tables.ts', 'utf8')).toBe(await tableTypes(connection))
})
