import codegen from 'kysely-codegen'
import type pg from 'pg'
import { createDb, createPool } from '../server/platform/db.ts'

/** TypeScript types of the tables in a migrated database. */
export async function tableTypes(connection: pg.ClientConfig) {
  const db = createDb(createPool(connection))
  const text = await codegen.generate({
    db,
    dialect: new codegen.PostgresDialect(),
    includePattern: 'public.*',
    excludePattern: 'public.migrations',
    outFile: null,
    logger: new codegen.Logger('silent'),
  })
  await db.destroy()
  return text
}
