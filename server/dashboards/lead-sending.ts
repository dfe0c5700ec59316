// What became of leads that were sent on, as a widget.

import { addDays, midnightOf } from '../../contract/filter/days.ts'
import { startOfDay } from '../../contract/filter/zones.ts'
import type { Widget } from '../../contract/shared/widget.ts'
import { AppError } from '../kernel/app-error.ts'
import { may } from '../kernel/context.ts'
import { type Computed, type Frame, figure } from './figures.ts'
import { daysOf } from './ranges.ts'
import { type SentLeads, sentLeads } from './sent-leads.ts'

export const mayManageSending = ({ actor }: Pick<Frame, 'actor'>) => may(actor, 'lead_sending.manage')

export function refuseLeadSending(frame: Frame) {
  if (!mayManageSending(frame))
    throw new AppError('forbidden', 'This widget requires the permission to manage lead sending.')
}

/** Without a range of its own or of the dashboard. */
const usualRange = 'last_30_days'

export async function leadSendingWidget(
  frame: Frame,
  { by, range: own }: Extract<Widget, { type: 'lead_sending' }>,
): Promise<Computed> {
  refuseLeadSending(frame)
  const { schema, context, actor } = frame
  const days = daysOf(own ?? frame.range ?? usualRange, schema, context.now)
  const at = (midnight: number) => new Date(startOfDay(midnight, schema.time_zone)).toISOString()
  const { rows, total } = await sentLeads(context.db, {
    company_id: actor.company_id,
    by: by === 'reason' ? 'destination' : by,
    since: at(midnightOf(days.first)),
    until: at(addDays(midnightOf(days.last), 1)),
  })
  const figureOf = (key: string, label: string, values: Record<string, number | null>) =>
    figure({ key, keys: [key], labels: [label], values })
  const figures =
    by === 'reason'
      ? total.reasons.map(({ reason, count }) => figureOf(reason, reason, { count }))
      : rows.map((row) => figureOf(row.destination_id ?? row.name, row.name, valuesOf(row)))
  return {
    figures,
    total: figure({ key: 'total', values: valuesOf(total) }),
    currency: schema.currency,
    range: { field: 'created_at', ...days },
  }
}

const valuesOf = ({ sent, ...row }: SentLeads['total']) => ({
  count: sent,
  accepted: row.accepted,
  rejected: row.rejected,
  duplicate: row.duplicate,
  failed: row.failed,
  unknown: row.unknown,
  returned: row.returned,
  revenue: row.revenue,
  median_answer_ms: row.median_answer_ms,
  median_delivery_ms: row.median_delivery_ms,
})
