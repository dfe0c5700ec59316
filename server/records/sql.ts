import { CompiledQuery } from 'kysely'
import type { Db } from '../kernel/db.ts'
import type { Params } from './params.ts'

/** Statements that are put together here, not by the query builder: there is nothing left for it to do. */
export async function run<Row>(db: Db, text: string, { values }: Params): Promise<Row[]> {
  const { rows } = await db.executeQuery(CompiledQuery.raw(text, values))
  return rows as Row[]
}
