import { sql } from 'kysely'
import { AppError } from './app-error.ts'
import { actorOf, type Context } from './context.ts'

/**
 * Waits for other calls of the company that add such a thing. Call it before counting or looking for a double, so that
 * concurrent calls cannot pass a limit together.
 */
export const lockToAdd = (context: Context, things: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`${actorOf(context).company_id} ${things}`}, 3))`.execute(
    context.db,
  )

/** `count`: of those that are there already. `remedy`: null if none can be removed. */
export function refuseMore(count: number, most: number, things: string, remedy: string | null = 'Delete one') {
  if (count < most) return
  const advice = remedy === null ? '' : ` ${remedy} you no longer need.`
  throw new AppError('limit_reached', `You have reached the limit of ${most} ${things}.${advice}`)
}
