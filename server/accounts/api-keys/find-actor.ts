// An API key becomes the user it acts as.
import type { Actor } from '../../kernel/context.ts'
import { gather } from '../../kernel/gather.ts'
import type { Pool } from '../../platform/db.ts'
import { sha256 } from '../../platform/secrets.ts'
import { actorColumns, actorTables } from '../users/queries.ts'

const wellFormed = /^[A-Za-z0-9]{64}$/

const actorWhere = (condition: string) =>
  `select k.key_hash, k.id as api_key_id, ${actorColumns} from api_keys k ${actorTables} where ${condition} and k.deleted_at is null`
const byKey = { name: 'actor_by_key', text: actorWhere('k.key_hash = $1') }
// The subselect hides the list's length from the planner, so that PostgreSQL keeps one generic plan.
const byKeys = { name: 'actors_by_keys', text: actorWhere('k.key_hash = any((select $1::bytea[])::bytea[])') }

type KeyActor = Actor & { key_hash: Buffer }

/** The key with its owner, role and company. Read at every call, so that deleting a key takes effect immediately. */
export async function findActorByKey(pool: Pool, value: string): Promise<Actor | null> {
  if (!wellFormed.test(value)) return null
  const { rows } = await pool.query<KeyActor>({ ...byKey, values: [sha256(value)] })
  return rows[0] ?? null
}

/** The same for concurrent calls: those that arrive while a query is running share the next one. */
export function actorsByKey(pool: Pool): (value: string) => Promise<Actor | null> {
  const find = gather(async (values: string[]) => {
    const [first, ...others] = [...new Set(values)]
    if (!others.length) {
      const actor = await findActorByKey(pool, first!)
      return values.map(() => actor)
    }
    const hashes = new Map([first!, ...others].map((value) => [value, sha256(value)]))
    const { rows } = await pool.query<KeyActor>({ ...byKeys, values: [[...hashes.values()]] })
    const actors = new Map(rows.map((row) => [row.key_hash.toString('hex'), row]))
    return values.map((value) => actors.get(hashes.get(value)!.toString('hex')) ?? null)
  })
  return async (value) => (wellFormed.test(value) ? find(value) : null)
}
