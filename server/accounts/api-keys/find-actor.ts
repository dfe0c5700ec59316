// An API key becomes the user it acts as.
import type { Actor } from '../../kernel/context.ts'
import { gather } from '../../kernel/gather.ts'
import type { Pool } from '../../platform/db.ts'
import { sha256 } from '../../platform/secrets.ts'
import { companiesOfSecrets, companyOfSecret, forgetSecret } from '../credentials/company-of-secret.ts'
import { actorColumns, actorTables } from '../users/queries.ts'

const wellFormed = /^[A-Za-z0-9]{64}$/

const actorWhere = (condition: string) =>
  `select k.key_hash, k.id as api_key_id, ${actorColumns} from api_keys k ${actorTables}
    where k.company_id = $1 and ${condition} and k.deleted_at is null`
const byKey = { name: 'actor_by_key', text: actorWhere('k.key_hash = $2') }
// The subselect hides the list's length from the planner, so that PostgreSQL keeps one generic plan.
const byKeys = { name: 'actors_by_keys', text: actorWhere('k.key_hash = any((select $2::bytea[])::bytea[])') }

type KeyActor = Actor & { key_hash: Buffer }

/** The key with its owner, role and company. Read at every call, so that deleting a key takes effect immediately. */
export async function findActorByKey(pool: Pool, value: string): Promise<Actor | null> {
  if (!wellFormed.test(value)) return null
  const hash = sha256(value)
  return (await actorsOf(pool, await companyOfSecret(pool, hash), [hash])).get(hash.toString('hex')) ?? null
}

/** The same for concurrent calls: those that arrive while a query is running share the next one. */
export function actorsByKey(pool: Pool): (value: string) => Promise<Actor | null> {
  const find = gather(async (values: string[]) => {
    const hashes = new Map(values.map((value) => [value, sha256(value)]))
    const companies = await companiesOfSecrets(pool, [...hashes.values()])
    const byCompany = Map.groupBy(hashes.values(), (hash) => companies.get(hash.toString('hex'))!)
    const found = await Promise.all([...byCompany].map(([company_id, hashes]) => actorsOf(pool, company_id, hashes)))
    const actors = new Map(found.flatMap((some) => [...some]))
    return values.map((value) => actors.get(hashes.get(value)!.toString('hex')) ?? null)
  })
  return async (value) => (wellFormed.test(value) ? find(value) : null)
}

/** By hash in hexadecimal. */
async function actorsOf(pool: Pool, company_id: string, hashes: Buffer[]): Promise<Map<string, Actor>> {
  const { rows } =
    hashes.length === 1
      ? await pool.query<KeyActor>({ ...byKey, values: [company_id, hashes[0]] })
      : await pool.query<KeyActor>({ ...byKeys, values: [company_id, hashes] })
  const actors = new Map(rows.map((row) => [row.key_hash.toString('hex'), row]))
  for (const hash of hashes) if (!actors.has(hash.toString('hex'))) forgetSecret(pool, hash)
  return actors
}
