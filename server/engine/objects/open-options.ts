// Adds an option that someone without the right to change fields needs, such as the source of a lead that becomes a deal.
import { sql } from 'kysely'
import { mostOpenOptions } from '../../../contract/built-in/objects.ts'
import type { FieldOption } from '../../../contract/objects.ts'
import type { Db } from '../../platform/db.ts'
import { holdSchema } from '../schema/schema.ts'
import { optionLike, withNewOptions } from './options.ts'

/** In a transaction of its own, because it changes the schema that other writes of the call are checked against. */
export async function addOption(tx: Db, company_id: string, field_id: string, label: string) {
  await holdSchema(tx, company_id)
  const row = await tx
    .selectFrom('fields')
    .select('options')
    .where('company_id', '=', company_id)
    .where('id', '=', field_id)
    .executeTakeFirst()
  const options = (row?.options ?? []) as unknown as FieldOption[]
  if (!row || optionLike(options, label) || options.length >= mostOpenOptions) return
  const added = JSON.stringify(withNewOptions(options, [label]))
  await sql`update fields set options = ${added}::jsonb where company_id = ${company_id} and id = ${field_id}`.execute(
    tx,
  )
  await sql`update companies set schema_version = schema_version + 1 where id = ${company_id}`.execute(tx)
}
