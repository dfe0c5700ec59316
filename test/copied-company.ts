// Companies for tests, copied from one that was created as the product does it: one statement instead of forty.
import { randomUUIDv7 } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../server/platform/db.ts'

export type FirstAdmin = { company_name: string; name: string; email: string; password_hash: string }
type Ids = { company_id: string; user_id: string }
/** `rows`: a JSON array of the rows of each table, as text. */
export type Model = { ids: Ids; tables: { name: string; columns: string[]; rows: string }[] }

/** What the rows of the model have where a copy has its own values. */
export const modelValues: FirstAdmin = {
  company_name: 'company-of-the-model',
  name: 'name-in-the-model',
  email: 'email-in-the-model',
  password_hash: 'hash-in-the-model',
}
export const modelTime = new Date('2001-02-03T04:05:06.007Z')
const timeInRows = '2001-02-03T04:05:06.007+00:00'

/** Reads the rows of a company that was just created with the values of the model. */
export async function readModel(tx: Db, ids: Ids): Promise<Model> {
  await sql`set local time zone 'UTC'`.execute(tx)
  const { rows: tables } = await sql<{ name: string; company: string; columns: string[] }>`
    select table_name as name, case table_name when 'companies' then 'id' else 'company_id' end as company,
      array_agg(column_name::text order by ordinal_position) filter (where is_generated = 'NEVER') as columns
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema = current_schema() and table_type = 'BASE TABLE'
    group by table_name
    having bool_or(column_name = 'company_id') or table_name = 'companies'`.execute(tx)
  const filled: Model['tables'] = []
  for (const { name, company, columns } of tables) {
    const { rows } = await sql<{ rows: string }>`
      select jsonb_agg(to_jsonb(t))::text as rows from ${sql.table(name)} t where ${sql.ref(company)} = ${ids.company_id}
    `.execute(tx)
    if (rows[0]?.rows) filled.push({ name, columns, rows: rows[0].rows })
  }
  return { ids, tables: filled }
}

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

/** Another company with the same rows, under its own IDs, in the same order. */
export async function copyModel(db: Db, { ids, tables }: Model, values: FirstAdmin, now: Date): Promise<Ids> {
  const old = [...new Set(tables.flatMap(({ rows }) => rows.match(uuid) ?? []))].sort()
  const fresh = old.map(() => randomUUIDv7()).sort()
  const replaced = new Map([
    ...old.map((id, i) => [id, fresh[i]!] as const),
    ...Object.entries(modelValues).map(([name, text]) => [text, inJson(values[name as keyof FirstAdmin])] as const),
    [timeInRows, now.toISOString()] as const,
  ])
  const any = new RegExp([uuid.source, ...Object.values(modelValues), RegExp.escape(timeInRows)].join('|'), 'g')
  const inserts = tables.map(({ name, columns, rows }, i): RawBuilder<unknown> => {
    const list = sql.join(columns.map((column) => sql.ref(column)))
    const own = rows.replace(any, (found) => replaced.get(found) ?? found)
    return sql`${sql.ref(`t${i}`)} as (insert into ${sql.table(name)} (${list})
      select ${list} from jsonb_populate_recordset(null::${sql.table(name)}, ${own}::jsonb))`
  })
  await sql`with ${sql.join(inserts)} select 1`.execute(db)
  return { company_id: replaced.get(ids.company_id)!, user_id: replaced.get(ids.user_id)! }
}

const inJson = (text: string) => JSON.stringify(text).slice(1, -1)
