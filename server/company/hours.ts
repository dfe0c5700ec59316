// The working hours of the company, as everything that opens and closes shares them.
import { sql } from 'kysely'
import type { Hours } from '../../contract/working-hours.ts'
import type { Db } from '../platform/db.ts'

export type Holidays = Hours['holidays']

export async function holidaysOf(db: Db, company_id: string): Promise<Holidays> {
  const { rows } = await sql<{ holidays: Holidays | null }>`
    select hours -> 'holidays' as holidays from inbox_hours
    where company_id = ${company_id} and scope_id = ${company_id}`.execute(db)
  return rows[0]?.holidays ?? []
}
