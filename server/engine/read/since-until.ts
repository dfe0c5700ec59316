// Relative times and days become points in time, in the caller's time zone.
import { startOf } from '../../../contract/shared/point-in-time.ts'
import { actorOf, type Context } from '../../kernel/context.ts'
import { schemaOf } from '../schema/schema.ts'
import { situationOf } from './conditions.ts'

type Times = { since?: string | undefined; until?: string | undefined }

export async function withTimes<T extends Times>(context: Context, asked: T): Promise<T> {
  const { since, until } = asked
  return {
    ...asked,
    ...(since && { since: await timeOf(context, since) }),
    ...(until && { until: await timeOf(context, until) }),
  }
}

export async function timeOf(context: Context, text: string) {
  return startOf(text, await situationOf(context, await schemaOf(context.db, actorOf(context)), []))
}
