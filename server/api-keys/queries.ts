import { randomInt, randomUUIDv7 } from 'node:crypto'
import type { Actor } from '../kernel/context.ts'
import type { Db, Pool } from '../kernel/db.ts'
import { sha256 } from '../kernel/secrets.ts'
import { actorColumns, actorTables } from '../members/queries.ts'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const keyLength = 64
const wellFormed = /^[A-Za-z0-9]{64}$/

/** About 381 bits. randomInt rejects what would favour some characters. */
export const newKeyValue = () => Array.from({ length: keyLength }, () => alphabet[randomInt(alphabet.length)]).join('')

/** The key, its owner, role and company in one look, at every call: nothing stands between a deletion and its effect. */
const byKey = {
  name: 'actor_by_key',
  text: `select k.id as api_key_id, ${actorColumns} from api_keys k ${actorTables} where k.key_hash = $1 and k.deleted_at is null`,
}

export async function findActorByKey(pool: Pool, value: string): Promise<Actor | null> {
  if (!wellFormed.test(value)) return null
  const { rows } = await pool.query<Actor>({ ...byKey, values: [sha256(value)] })
  return rows[0] ?? null
}

/** Returns the value, which exists nowhere else from then on. */
export async function insertKey(db: Db, owner: { company_id: string; user_id: string }, name: string) {
  const value = newKeyValue()
  const id = randomUUIDv7()
  const { company_id, user_id } = owner
  await db
    .insertInto('api_keys')
    .values({ id, company_id, user_id, name, key_hash: sha256(value), prefix: value.slice(0, 4) })
    .execute()
  return { id, value }
}
