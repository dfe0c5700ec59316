import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, inject } from 'vitest'
import { createDb, createPool } from '../server/platform/db.ts'

async function onServer(sql: string) {
  const client = new pg.Client(inject('server'))
  await client.connect()
  await client.query(sql)
  await client.end()
}

/**
 * A database of this test file's own, gone when the file is done. Tests work with the app's role, as Kith does; an
 * empty database has only an owner.
 */
export async function testDatabase({ from = 'kith_template' }: { from?: 'kith_template' | 'template0' } = {}) {
  const database = `kith_${randomBytes(6).toString('hex')}`
  const owner = { ...inject('owner'), database }
  await onServer(`create database ${database} template ${from} owner ${owner.user}`)
  const connection = from === 'template0' ? owner : { ...inject('app'), database }
  const [pool, ownerPool] = [createPool(connection, { max: 16 }), createPool(owner, { max: 2 })]
  afterAll(async () => {
    await Promise.all([pool.end(), ownerPool.end()])
    await onServer(`drop database ${database} with (force)`)
  })
  return { connection, pool, db: createDb(pool), owner, ownerPool, ownerDb: createDb(ownerPool) }
}
