// People who do not want to be contacted.
import { sql } from 'kysely'
import type { Db } from '../../platform/db.ts'
import { builtInInUse, type Schema } from '../schema/schema.ts'
import { keysOf } from './by-unique.ts'

/** Those of the addresses that belong to such a person. It does not depend on rights. */
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
