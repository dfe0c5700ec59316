// How many bytes the files of a company take up. Counted as files come and go, because a quota is checked with each upload
// and each message with files.
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../platform/db.ts'

/** After inserting rows. Locks what is counted until the transaction ends. */
export async function countAdded(db: Db, company_id: string, sizes: number[]) {
  const bytes = sizes.reduce((all, size) => all + size, 0)
  if (!bytes) return
  await sql`insert into file_usage as u (company_id, bytes) values (${company_id}, ${bytes})
    on conflict (company_id) do update set bytes = u.bytes + excluded.bytes`.execute(db)
}

/** Deletes the rows of a company's files that match. `sweep.ts` removes their bytes later. */
export async function deleteFiles(db: Db, company_id: string, condition: RawBuilder<unknown>) {
  const { rows } = await sql<{ count: number }>`
    with gone as (delete from files where company_id = ${company_id} and ${condition} returning size),
    counted as (
      update file_usage set bytes = bytes - (select coalesce(sum(size), 0) from gone) where company_id = ${company_id}
    )
    select count(*)::int as count from gone`.execute(db)
  return { numAffectedRows: BigInt(rows[0]!.count) }
}
