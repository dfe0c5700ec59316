// How many bytes the files of a company take up. Counted as files come and go, because a quota is checked with each upload
// and each message with files.
import { type RawBuilder, sql } from 'kysely'
import { forEachCompany } from '../kernel/companies.ts'
import { type Db, transaction } from '../platform/db.ts'

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

/** What a process of an earlier version did not count, or a person deleted with SQL. */
export const recountFiles = (db: Db) =>
  forEachCompany(db, ({ id }) =>
    transaction(db, async (tx) => {
      // Those who add or delete files wait here, and count after us.
      await sql`select from file_usage where company_id = ${id} for update`.execute(tx)
      await sql`insert into file_usage as u (company_id, bytes)
        select ${id}::uuid, coalesce(sum(size), 0) from files where company_id = ${id}
        on conflict (company_id) do update set bytes = excluded.bytes where u.bytes <> excluded.bytes`.execute(tx)
    }),
  )
