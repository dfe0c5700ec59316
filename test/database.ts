import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, inject } from 'vitest'
import { createDb, createPool } from '../server/platform/db.ts'
import { timed } from './timed.ts'

async function onServer(sql: string) {
  const client = new pg.Client(inject('server'))
  await client.connect()
  await client.query(sql)
  await client.end()
}

type Source = { from?: 'kith_template' | 'template0' }

/**
 * A database of this test file's own, gone when the file is done. Tests work with the app's role, as Kith does; an
 * empty database has only an owner.
 */
export async function testDatabase(source: Source = {}) {
  const { remove, ...database } = await createDatabase(source)
  afterAll(remove)
  return database
}

export async function createDatabase({ from = 'kith_template' }: Source = {}) {
  const database = `kith_${randomBytes(6).toString('hex')}`
  const owner = { ...inject('owner'), database }
  // Copied files need no log, so that the database is also dropped faster.
  const create = `create database ${database} template ${from} strategy file_copy owner ${owner.user}`
  await timed('database: create', () => onServer(create))
  const connection = from === 'template0' ? owner : { ...inject('app'), database }
  const [pool, ownerPool] = [createPool(connection, { max: 16 }), createPool(owner, { max: 2 })]
  async function remove() {
    await Promise.all([pool.end(), ownerPool.end()])
    await timed('database: drop', () => onServer(`drop database ${database} with (force)`))
  }
  return { connection, pool, db: createDb(pool), owner, ownerPool, ownerDb: createDb(ownerPool), remove }
}
