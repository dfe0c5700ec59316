// Statements put together as text, where the query builder would take longer than the database.
import { CompiledQuery } from 'kysely'
import type { Db } from '../platform/db.ts'

/** Collects the values of a statement. Its text never holds one. */
export class Params {
  readonly values: unknown[] = []
  add(value: unknown, cast?: string) {
    this.values.push(value)
    return cast ? `$${this.values.length}::${cast}` : `$${this.values.length}`
  }
}

export type Statement = (params: Params) => string

export async function run<Row>(db: Db, text: string, { values }: Params): Promise<Row[]> {
  const { rows } = await db.executeQuery(CompiledQuery.raw(text, values))
  return rows as Row[]
}

/** One row as plain values, which PostgreSQL takes in fastest; several as one document, so that the text stays the same. */
export const inserting =
  (table: string, rows: object[]): Statement =>
  (params) => {
    if (rows.length > 1) {
      // Named, so that a column that a later version adds gets its default.
      const names = [...new Set(rows.flatMap(Object.keys))].map((name) => `"${name}"`).join(', ')
      return `insert into ${table} (${names}) select ${names} from ${rowsOf(table, rows)(params)}`
    }
    const row = Object.entries(rows[0]!)
    const values = row.map(([, value]) => params.add(plain(value)))
    return `insert into ${table} (${row.map(([name]) => `"${name}"`).join(', ')}) values (${values.join(', ')})`
  }

const plain = (value: unknown) => (typeof value === 'object' && value !== null ? JSON.stringify(value) : value)

/** Rows of a table, to select from. */
export const rowsOf =
  (table: string, rows: object[]): Statement =>
  (params) =>
    `jsonb_populate_recordset(null::${table}, ${params.add(JSON.stringify(rows), 'jsonb')})`
