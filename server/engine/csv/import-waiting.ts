// Rows of an import that name a record of their own object which a later row may create: they wait until all other rows
// are imported. They are in the database, so that neither their number nor a crash matters.
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Job } from '../../jobs/job.ts'
import { forEachCompany } from '../../kernel/companies.ts'
import { inBatches } from '../../kernel/prune.ts'
import { insertingJson, Params, run } from '../../kernel/statement.ts'
import type { Db } from '../../platform/db.ts'
import type { Row } from './rows.ts'

/** `record_id`: of a row that was imported without its links. */
export type WaitingRow = Row & { position: number; record_id: string | null }
type JobRef = Pick<Job, 'company_id' | 'id'>

const hashed = (key: string) => createHash('sha256').update(key).digest('base64url').slice(0, 22)

export async function putAside(
  db: Db,
  { company_id, id: job_id }: JobRef,
  rows: { row: Row; position: number; keys: string[] }[],
) {
  if (!rows.length) return
  const insert = async (table: string, values: object[]) => {
    const params = new Params()
    if (values.length) await run(db, insertingJson(table, values)(params), params)
  }
  await insert(
    'import_rows',
    rows.map(({ row: { line, cells }, position }) => ({ company_id, job_id, position, line, cells })),
  )
  await insert(
    'import_row_keys',
    rows.flatMap(({ position, keys }) =>
      [...new Set(keys)].map((key) => ({ company_id, job_id, position, key: hashed(key) })),
    ),
  )
}

/** The first of the waiting rows that has each of these keys. */
export async function waitingWith(db: Db, { company_id, id }: JobRef, keys: string[]): Promise<Map<string, number>> {
  const byHash = new Map(keys.map((key) => [hashed(key), key]))
  if (!byHash.size) return new Map()
  const { rows } = await sql<{ key: string; position: number }>`
    select key, min(position) as position from import_row_keys
    where company_id = ${company_id} and job_id = ${id} and key = any(${[...byHash.keys()]}::text[]) group by key`.execute(
    db,
  )
  return new Map(rows.map(({ key, position }) => [byHash.get(key)!, position]))
}

type Next = { after: number | null; isBackwards: boolean; isImported: boolean; limit: number }

export async function nextWaiting(db: Db, { company_id, id }: JobRef, { after, isBackwards, isImported, limit }: Next) {
  const [sign, way] = isBackwards ? [sql`<`, sql`desc`] : [sql`>`, sql`asc`]
  const { rows } = await sql<WaitingRow>`
    select position, line, cells, record_id from import_rows where company_id = ${company_id} and job_id = ${id}
      and (record_id is not null) = ${isImported} and (${after}::int is null or position ${sign} ${after}::int)
    order by position ${way} limit ${limit}`.execute(db)
  return rows
}

export async function hasWaiting(db: Db, { company_id, id }: JobRef) {
  const { rows } = await sql`
    select from import_rows where company_id = ${company_id} and job_id = ${id} limit 1`.execute(db)
  return rows.length > 0
}

export const removeWaiting = (db: Db, { company_id, id }: JobRef, positions: number[]) =>
  sql`delete from import_rows where company_id = ${company_id} and job_id = ${id}
    and position = any(${positions}::int[])`.execute(db)

export const removeAllWaiting = (db: Db, { company_id, id }: JobRef) =>
  sql`delete from import_rows where company_id = ${company_id} and job_id = ${id}`.execute(db)

/** They get their links when the others are imported, too. */
export const noteImported = (db: Db, { company_id, id }: JobRef, rows: { position: number; record_id: string }[]) =>
  sql`update import_rows r set record_id = w.record_id
    from unnest(${rows.map(({ position }) => position)}::int[], ${rows.map(({ record_id }) => record_id)}::uuid[]) w(position, record_id)
    where r.company_id = ${company_id} and r.job_id = ${id} and r.position = w.position`.execute(db)

/** Of imports that were cancelled or failed. */
export const pruneImportRows = (db: Db) =>
  forEachCompany(db, ({ id }) =>
    inBatches((limit) =>
      sql`delete from import_rows where company_id = ${id} and (job_id, position) in (
        select r.job_id, r.position from import_rows r
        join jobs j on j.company_id = ${id} and j.id = r.job_id and j.state not in ('waiting', 'running')
        where r.company_id = ${id} limit ${limit})`.execute(db),
    ),
  )
