import { sql } from 'kysely'
import { actorOf, type Context } from './context.ts'

/**
 * Waits for other calls of the company that add such a thing. Call it before counting or looking for a double, so that
 * concurrent calls cannot pass a limit together.
 */
export const lockToAdd = (context: Context, things: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`${actorOf(context).company_id} ${things}`}, 3))`.execute(
    context.db,
  )
