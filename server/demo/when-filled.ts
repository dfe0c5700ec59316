import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../platform/db.ts'

const stepMs = 100
/** Longer than filling takes. If it takes even longer, the page is shown and filled later. */
const mostMs = 15_000

/** Until a new company is filled, so that its first page is not empty. */
export async function whenFilled(db: Db, company_id: string) {
  for (const end = Date.now() + mostMs; Date.now() < end; await sleep(stepMs)) {
    const { rows } = await sql`select name from installation where name = ${`demo ${company_id}`}`.execute(db)
    if (rows.length) return
  }
}
