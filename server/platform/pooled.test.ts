import { afterAll, expect, test } from 'vitest'
import { testDatabase } from '../../test/database.ts'
import { createDb, createPool, transaction } from './db.ts'

const { connection } = await testDatabase()
// What a pooler would pass on reaches the database itself here.
const pool = createPool(connection, { max: 1, statementSeconds: 0.2, isPooled: true })
afterAll(() => pool.end())

test('a connection of a pooler keeps the time limit of its pool and sends no settings and no names', async () => {
  for (let i = 0; i < 5; i++) expect((await pool.query('select $1::int as n', [i])).rows).toEqual([{ n: i }])
  await pool.query({ name: 'mine', text: 'select $1::int', values: [1] })
  expect((await pool.query('select count(*)::int as named from pg_prepared_statements')).rows).toEqual([{ named: 0 }])
  expect((await pool.query('show statement_timeout')).rows).toEqual([{ statement_timeout: '0' }])
  for (let i = 0; i < 3; i++) {
    await expect(pool.query('select pg_sleep(60)')).rejects.toMatchObject({ code: '57014' })
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  }
})

test('so does a statement in a transaction, which is rolled back', async () => {
  const slow = transaction(createDb(pool), async (tx) => {
    await tx.selectFrom('companies').select('id').execute()
    await tx.selectNoFrom((eb) => eb.fn('pg_sleep', [eb.lit(60)]).as('slept')).execute()
  })
  await expect(slow).rejects.toMatchObject({ code: '57014' })
})
