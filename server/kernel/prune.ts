// Removing what is no longer needed, in batches: no statement takes long, holds many rows or leaves a large hole behind.
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../platform/db.ts'
import { firstIdAt } from './first-id.ts'

const batchSize = 1000

type Changed = { numAffectedRows?: bigint | undefined }

/** Repeats a statement that changes at most `limit` rows until there are no more. */
export async function inBatches(change: (limit: number) => Promise<Changed>) {
  while (((await change(batchSize)).numAffectedRows ?? 0n) >= batchSize);
}

/** Rows `t` from before this time. IDs begin with their time, so the primary key finds them. */
export const deleteOlder = (
  db: Db,
  table: string,
  company_id: string,
  before: Date,
  condition: RawBuilder<unknown> = sql`true`,
) =>
  inBatches((limit) =>
    sql`delete from ${sql.table(table)} where company_id = ${company_id} and id in (
      select t.id from ${sql.table(table)} t where t.company_id = ${company_id} and t.id < ${firstIdAt(before)}
        and ${condition} order by t.id limit ${limit})`.execute(db),
  )
