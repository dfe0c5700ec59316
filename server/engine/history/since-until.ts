import { startOf } from '../../../contract/shared/point-in-time.ts'
import { actorOf, type Context } from '../../kernel/context.ts'
import { situationOf } from '../read/conditions.ts'
import { schemaOf } from '../schema/schema.ts'

type Times = { since?: string | undefined; until?: string | undefined }

/** Relative times and days become points in time, in the caller's time zone. */
export async function withTimes<T extends Times>(context: Context, asked: T): Promise<T> {
  if (!asked.since && !asked.until) return asked
  const here = await situationOf(context, await schemaOf(context.db, actorOf(context)), [])
  const { since, until } = asked
  return { ...asked, ...(since && { since: startOf(since, here) }), ...(until && { until: startOf(until, here) }) }
}
