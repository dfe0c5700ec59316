// An unknown key and a deleted one must take the same time, so that no one can find out that a key once existed.

import { findActorByKey } from '../server/accounts/api-keys/find-actor.ts'
import { insertKey, newKeyValue } from '../server/accounts/api-keys/queries.ts'
import { createDb, createPool } from '../server/platform/db.ts'
import { givenFor } from '../test/given.ts'
import { median } from './harness.ts'
import { benchDatabase } from './serve.ts'

const rounds = 3000
const { connection, stop } = await benchDatabase()
const pool = createPool(connection)
const db = createDb(pool)
const owner = await givenFor(db, () => new Date()).company()
for (let i = 0; i < 500; i++) await insertKey(db, owner, `Key ${i}`)
const { id, value: deleted } = await insertKey(db, owner, 'Deleted')
await db.updateTable('api_keys').set({ deleted_at: new Date() }).where('id', '=', id).execute()

const took = async (key: string) => {
  const began = performance.now()
  await findActorByKey(pool, key)
  return (performance.now() - began) * 1000
}
for (let i = 0; i < 500; i++) await took(newKeyValue())
const times = { unknown: [] as number[], deleted: [] as number[] }
for (let i = 0; i < rounds; i++) {
  times.unknown.push(await took(newKeyValue()))
  times.deleted.push(await took(deleted))
}
const [unknown, gone] = [median(times.unknown), median(times.deleted)]
console.log(`unknown key  ${unknown.toFixed(0)} µs (median of ${rounds})`)
console.log(`deleted key  ${gone.toFixed(0)} µs; ratio ${(gone / unknown).toFixed(3)}`)
await pool.end()
await stop()
