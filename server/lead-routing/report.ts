import type { leadDeliveries } from '../../contract/lead-deliveries.ts'
import type { Output, Parsed } from '../../contract/operation.ts'
import { startOf } from '../../contract/shared/point-in-time.ts'
import { sentLeads } from '../dashboards/sent-leads.ts'
import { schemaOf } from '../engine/schema/schema.ts'
import { actorOf, type Context } from '../kernel/context.ts'
import { dayMs } from '../platform/times.ts'

type Report = typeof leadDeliveries.getLeadSendingReport

export async function report(context: Context, asked: Parsed<Report>): Promise<Output<Report>> {
  const { company_id, time_zone } = actorOf(context)
  const schema = await schemaOf(context.db, actorOf(context))
  const here = { now: context.now, timeZone: time_zone ?? schema.time_zone, firstWeekday: schema.first_weekday }
  const later = (ms: number) => new Date(context.now.getTime() + ms).toISOString()
  const since = asked.since ? startOf(asked.since, here) : later(-30 * dayMs)
  const until = asked.until ? startOf(asked.until, here) : later(60_000)
  return { ...(await sentLeads(context.db, { company_id, by: asked.by, since, until })), currency: schema.currency }
}
