// Keys and sessions are rows of their company. A small table leads from their hash to the company, so that every other
// statement is about one company.
import type { Db, Pool } from '../../platform/db.ts'
import { dayMs } from '../../platform/times.ts'

/** Where a hash leads never changes, so each database is asked once. Whether the key still works is read with every call. */
const knownBy = new WeakMap<Pool, Map<string, string>>()
const mostKnown = 20_000
/** An unknown hash is looked for among the keys of no company, so that it takes as long as a deleted one. */
const noCompany = '00000000-0000-0000-0000-000000000000'

const find = {
  name: 'companies_of_secrets',
  text: 'select hash, company_id from company_by_secret where hash = any($1)',
}

/** The companies of these hashes, by hash in hexadecimal. */
export async function companiesOfSecrets(pool: Pool, hashes: Buffer[]): Promise<Map<string, string>> {
  const known = knownBy.get(pool) ?? new Map<string, string>()
  knownBy.set(pool, known)
  const named = hashes.map((hash) => ({ hash, name: hash.toString('hex') }))
  const unknown = named.filter(({ name }) => !known.has(name)).map(({ hash }) => hash)
  if (unknown.length) {
    const { rows } = await pool.query<{ hash: Buffer; company_id: string }>({ ...find, values: [unknown] })
    for (const { hash, company_id } of rows) remember(known, hash.toString('hex'), company_id)
  }
  return new Map(named.map(({ name }) => [name, known.get(name) ?? noCompany]))
}

export async function companyOfSecret(pool: Pool, hash: Buffer): Promise<string> {
  return (await companiesOfSecrets(pool, [hash])).get(hash.toString('hex'))!
}

/** After a refusal: a deleted key costs the same two queries each time as one that never existed. */
export const forgetSecret = (pool: Pool, hash: Buffer) => knownBy.get(pool)?.delete(hash.toString('hex'))

/** The oldest are forgotten first. */
function remember(known: Map<string, string>, name: string, company_id: string) {
  if (known.size >= mostKnown) known.delete(known.keys().next().value!)
  known.set(name, company_id)
}

/** `expires_at`: after which no session with this hash can exist. Keys stay. */
export const noteSecret = (db: Db, hash: Buffer, company_id: string, expires_at: Date | null = null) =>
  db
    .insertInto('company_by_secret')
    .values({ hash, company_id, expires_at })
    .onConflict((conflict) => conflict.doNothing())
    .execute()

export const pruneSecrets = (db: Db, now: Date) =>
  db
    .deleteFrom('company_by_secret')
    .where('expires_at', '<', new Date(now.getTime() - dayMs))
    .execute()
