// What a copy must have in common with its original: per table the number of rows and a sum over their texts.
import { listOf, nameIn, type Table } from './catalog.ts'
import type { Session } from './session.ts'

export type Check = { name: string; rows: number; checksum: string }

/** Independent of the order of rows; made by PostgreSQL, so that no row passes through here. */
export async function checkTable({ client, schema }: Session, { name, columns }: Table): Promise<Check> {
  const text = `convert_to(row(${listOf(columns)})::text, 'UTF8')`
  const number = `('x' || left(encode(sha256(${text}), 'hex'), 16))::bit(64)::bigint`
  const { rows } = await client.query<{ rows: string; checksum: string }>(
    `select count(*) as rows, coalesce(sum(${number}), 0)::text as checksum from ${nameIn(schema, name)}`,
  )
  return { name, rows: Number(rows[0]!.rows), checksum: rows[0]!.checksum }
}
