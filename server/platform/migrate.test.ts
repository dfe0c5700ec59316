import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tableTypes } from '../../scripts/table-types.ts'
import { testDatabase } from '../../test/database.ts'
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
    /0002_bad\.sql failed\. Nothing was changed.*nowhere/,
  )
  expect(await tablesOf(database)).toEqual([])
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
