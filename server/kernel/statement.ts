// Builds SQL as text, where the query builder would take longer than the database.
import { CompiledQuery } from 'kysely'
import type { Db } from '../platform/db.ts'

/** Collects the values of a statement, which never appear in its text. */
export class Params {
  readonly values: unknown[] = []
  add(value: unknown, cast?: string) {
    this.values.push(value)
    return cast ? `$${this.values.length}::${cast}` : `$${this.values.length}`
  }
}

/** Escapes text for a LIKE pattern. */
export const escapeLike = (text: string) => text.replace(/[\\%_]/g, '\\$&')

export type Statement = (params: Params) => string

export async function run<Row>(db: Db, text: string, { values }: Params): Promise<Row[]> {
  const { rows } = await db.executeQuery(CompiledQuery.raw(text, values))
  return rows as Row[]
}

/** One row as plain values, which is fastest. Several as one JSON value, so that the text does not depend on their number. */
export const inserting = (table: string, rows: object[]): Statement =>
  rows.length > 1 ? insertingJson(table, rows) : insertingOne(table, rows[0]!)

const insertingOne =
  (table: string, row: object): Statement =>
  (params) => {
    const values = Object.values(row).map((value) => params.add(plain(value)))
    const names = Object.keys(row).map((name) => `"${name}"`)
    return `insert into ${table} (${names.join(', ')}) values (${values.join(', ')})`
  }

/** With column names, so that a column added by a later version gets its default. */
export const insertingJson =
  (table: string, rows: object[]): Statement =>
  (params) => {
    const company = companyOf(rows)
    const names = [...new Set(rows.flatMap(Object.keys))].filter((name) => !company || name !== 'company_id')
    const columns = names.map((name) => `"${name}"`).join(', ')
    const [into, from] = company ? ['company_id, ', `${params.add(company, 'uuid')}, `] : ['', '']
    return `insert into ${table} (${into}${columns}) select ${from}${columns} from ${rowsOf(table, rows)(params)}`
  }

/** The company that all rows belong to, if they belong to one. */
function companyOf(rows: { company_id?: string }[]) {
  const [first, ...others] = new Set(rows.map(({ company_id }) => company_id))
  return others.length ? undefined : first
}

const plain = (value: unknown) => (typeof value === 'object' && value !== null ? JSON.stringify(value) : value)

/** Rows as a table to select from. */
export const rowsOf =
  (table: string, rows: object[]): Statement =>
  (params) =>
    `jsonb_populate_recordset(null::${table}, ${params.add(JSON.stringify(rows), 'jsonb')})`

/**
 * The rows of one company as `x`, and the condition that joins them with `table t` by its key, for updates and deletes.
 * The key is also given as lists. With the join alone PostgreSQL may read the whole company where it has no statistics;
 * with them it always reads just these rows by the primary key.
 */
export function joining<Row extends { company_id: string }>(
  table: string,
  rows: Row[],
  key: Partial<Record<keyof Row & string, 'uuid' | 'text' | 'bigint'>>,
  params: Params,
) {
  const company = params.add(rows[0]!.company_id, 'uuid')
  const conditions = Object.entries(key).map(([name, type]) => {
    const values = [...new Set(rows.map((row) => row[name as keyof Row]))]
    return `t.${name} = any(${params.add(values, `${type}[]`)}) and t.${name} = x.${name}`
  })
  return {
    from: `${rowsOf(table, rows)(params)} x`,
    where: `t.company_id = ${company} and ${conditions.join(' and ')}`,
  }
}
