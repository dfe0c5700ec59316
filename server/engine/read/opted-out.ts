// Who does not want to be contacted: people with the mark, and addresses that unsubscribed.
import { sql } from 'kysely'
import type { Db } from '../../platform/db.ts'
import { builtInInUse, type Schema } from '../schema/schema.ts'
import { keysOf } from './by-unique.ts'

/** Those of the addresses that unsubscribed, whether someone has them or not. */
export async function unsubscribedAmong(db: Db, company_id: string, addresses: string[]) {
  if (!addresses.length) return []
  const { rows } = await sql<{ address: string }>`select address from opt_outs
    where company_id = ${company_id} and address = any(${addresses.map((address) => address.toLowerCase())})`.execute(
    db,
  )
  const found = new Set(rows.map(({ address }) => address))
  return addresses.filter((address) => found.has(address.toLowerCase()))
}

/** Those of the addresses that belong to a person with the mark. It does not depend on rights. */
export async function optedOutAmong(db: Db, company_id: string, schema: Schema, emails: string[]) {
  const people = schema.builtIn.get('people')
  const [field, optedOut] = ['emails', 'do_not_contact'].map((key) => people && builtInInUse(people, key))
  if (!field || !optedOut || !emails.length) return []
  const byKey = new Map(emails.flatMap((email) => keysOf({ schema }, field, [email]).map((key) => [key, email])))
  const { rows } = await sql<{ key: string }>`select u.key from unique_values u
    join records r on r.company_id = ${company_id} and r.id = u.record_id and r.deleted_at is null
    where u.company_id = ${company_id} and u.field_id = ${field.id} and u.key = any(${[...byKey.keys()]})
      and r.values ->> ${optedOut.key} = 'true'`.execute(db)
  return rows.map(({ key }) => byKey.get(key)!)
}
