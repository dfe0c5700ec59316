// Records that were merged into others: their IDs lead to the record that was kept.
import { type RawBuilder, sql } from 'kysely'
import { Params, run } from '../../kernel/statement.ts'
import type { Db } from '../../platform/db.ts'
import { rowById } from './find-titles.ts'

/** A record that was kept may be merged in turn. */
const mostSteps = 100

/** For each of these IDs whose record was merged, the record to read instead. The caller may not be allowed to. */
export async function keptInstead(db: Db, company_id: string, ids: string[]): Promise<Map<string, string>> {
  if (!ids.length) return new Map()
  const params = new Params()
  const company = params.add(company_id, 'uuid')
  const mergeOf = (id: string) => `select m.kept_id from record_merges m
    join change_sets s on s.company_id = ${company} and s.id = m.change_set_id and s.undone_by is null
    where m.company_id = ${company} and m.merged_id = ${id} and m.ended_by is null
    order by m.merged_at desc, m.change_set_id desc limit 1`
  const rows = await run<{ merged_id: string; kept_id: string }>(
    db,
    `with recursive path as (
        select w.id as merged_id, m.kept_id, 1 as step
          from unnest(${params.add(ids, 'uuid[]')}) w(id) cross join lateral (${mergeOf('w.id')}) m
        union all select p.merged_id, m.kept_id, p.step + 1
          from path p cross join lateral (${mergeOf('p.kept_id')}) m where p.step < ${mostSteps})
      select distinct on (p.merged_id) p.merged_id, p.kept_id
        from path p cross join lateral (${rowById(company, 'p.kept_id')}) r
        where r.deleted_at is null order by p.merged_id, p.step`,
    params,
  )
  return new Map(rows.map(({ merged_id, kept_id }) => [merged_id, kept_id]))
}

/**
 * As SQL, the IDs under which something is stored about this record: its own, and those of the records that were merged
 * into it.
 */
export const idsWithMerged = (company_id: string, id: string): RawBuilder<string[]> => sql<string[]>`array(
  with recursive found as (
    select ${id}::uuid as id, 0 as step
    union all select m.merged_id, f.step + 1 from found f
      join record_merges m on m.company_id = ${company_id} and m.kept_id = f.id and m.ended_by is null
      join change_sets s on s.company_id = ${company_id} and s.id = m.change_set_id and s.undone_by is null
      where f.step < ${mostSteps})
  select distinct id from found)`
