import type { EventEmitter } from 'node:events'
import type pg from 'pg'
import { expect, test } from 'vitest'
import { testDatabase } from '../../test/database.ts'
import { createPool } from './db.ts'

test('a connection lost in the middle of a transaction fails that transaction, not the process', async () => {
  const { connection } = await testDatabase()
  const pool = createPool(connection)
  const lost: pg.PoolClient & EventEmitter = await pool.connect()
  await lost.query('begin')
  const { rows } = await lost.query<{ pid: number }>('select pg_backend_pid() as pid')
  const gone = new Promise((resolve) => lost.once('end', resolve))
  await pool.query('select pg_terminate_backend($1)', [rows[0]!.pid])
  await gone
  await expect(lost.query('select 1')).rejects.toThrow()
  lost.release(true)
  expect((await pool.query('select 1 as fine')).rows).toEqual([{ fine: 1 }])
  await pool.end()
})
