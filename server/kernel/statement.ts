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
export const inserting =
  (table: string, rows: object[]): Statement =>
  (params) => {
    if (rows.length > 1) {
      // With column names, so that a column added by a later version gets its default.
      const names = [...new Set(rows.flatMap(Object.keys))].map((name) => `"${name}"`).join(', ')
      return `insert into ${table} (${names}) select ${names} from ${rowsOf(table, rows)(params)}`
    }
    const row = Object.entries(rows[0]!)
    const values = row.map(([, value]) => params.add(plain(value)))
    return `insert into ${table} (${row.map(([name]) => `"${name}"`).join(', ')}) values (${values.join(', ')})`
  }

const plain = (value: unknown) => (typeof value === 'object' && value !== null ? JSON.stringify(value) : value)

/** Rows as a table to select from. */
export const rowsOf =
  (table: string, rows: object[]): Statement =>
  (params) =>
    `jsonb_populate_recordset(null::${table}, ${params.add(JSON.stringify(rows), 'jsonb')})`
