// Users who get leads in turn.
import { sql } from 'kysely'
import type { Schema } from '../engine/schema/schema.ts'
import { presentAmong } from '../leads/forms/assign-lead.ts'
import type { Db } from '../platform/db.ts'
import type { DestinationRow, SettingsOf } from './destination.ts'

/** Skips who is away, unless everyone is. Undefined if none of them is active. */
export async function chosenMember(db: Db, schema: Schema, { company_id, id, settings }: DestinationRow, now: Date) {
  const { user_ids } = settings as SettingsOf<'members'>
  const present = await presentAmong({ db, company_id, time_zone: schema.time_zone, now }, user_ids)
  if (!present.length) return undefined
  const { rows } = await sql<{ turns: string }>`update lead_destinations set turns = turns + 1
    where company_id = ${company_id} and id = ${id} returning turns`.execute(db)
  return present[Number((BigInt(rows[0]?.turns ?? '1') - 1n) % BigInt(present.length))]
}
