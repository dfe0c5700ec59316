import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, inject } from 'vitest'
import { createDb, createPool } from '../server/kernel/db.ts'

async function onServer(sql: string) {
  const client = new pg.Client(inject('server'))
  await client.connect()
  await client.query(sql)
  await client.end()
}

/** A database of this test file's own, gone when the file is done. */
export async function testDatabase({ from = 'kith_template' }: { from?: 'kith_template' | 'template0' } = {}) {
  const name = `kith_${randomBytes(6).toString('hex')}`
  await onServer(`create database ${name} template ${from}`)
  const connection = { ...inject('server'), database: name }
  const pool = createPool(connection)
  const db = createDb(pool)
  afterAll(async () => {
    await pool.end()
    await onServer(`drop database ${name} with (force)`)
  })
  return { connection, pool, db }
}
