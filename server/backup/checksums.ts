// Compares a copy with its original: the number of rows per table, and a checksum over their text.
import { listOf, sourceOf, type Table } from './catalog.ts'
import type { Session } from './session.ts'

export type Check = { name: string; rows: number; checksum: string }

/** Does not depend on the order of rows. Computed by PostgreSQL, so that no rows are transferred. */
export async function checkTable({ client, schema }: Session, table: Table): Promise<Check> {
  const { name, columns } = table
  const text = `convert_to(row(${listOf(columns)})::text, 'UTF8')`
  const number = `('x' || left(encode(sha256(${text}), 'hex'), 16))::bit(64)::bigint`
  const { rows } = await client.query<{ rows: string; checksum: string }>(
    `select count(*) as rows, coalesce(sum(${number}), 0)::text as checksum from ${sourceOf(schema, table)}`,
  )
  return { name, rows: Number(rows[0]!.rows), checksum: rows[0]!.checksum }
}
