// What became of leads that were sent on, by destination or by source: for the report of lead sending, and for widgets.
import { sql } from 'kysely'
import type { leadDeliveries } from '../../contract/lead-deliveries.ts'
import type { Output } from '../../contract/operation.ts'
import type { Db } from '../platform/db.ts'

export type SentLeads = Omit<Output<typeof leadDeliveries.getLeadSendingReport>, 'currency'>
type Row = SentLeads['rows'][number] & { is_total: boolean; key: string | null }
type SentLeadsQuery = { company_id: string; by: 'destination' | 'source'; since: string; until: string }

export async function sentLeads(db: Db, { company_id, by, since, until }: SentLeadsQuery): Promise<SentLeads> {
  const key = by === 'destination' ? sql`d.destination_id::text` : sql`d.source`
  const chosen = sql`
    select ${key} as key, d.state, d.reason, d.price, d.answer_ms, d.returned_at, d.decided_at, d.lead_created_at
    from lead_deliveries d where d.company_id = ${company_id} and d.created_at >= ${since}::timestamptz and d.created_at < ${until}::timestamptz`
  const { rows } = await sql<Row>`
    with d as (${chosen})
    select key, grouping(key) = 1 as is_total, count(*)::int as sent,
      count(*) filter (where state = 'accepted')::int as accepted, count(*) filter (where state = 'rejected')::int as rejected,
      count(*) filter (where state = 'duplicate')::int as duplicate, count(*) filter (where state = 'failed')::int as failed,
      count(*) filter (where state = 'unknown')::int as unknown, count(returned_at)::int as returned,
      coalesce(sum(price) filter (where state = 'accepted' and returned_at is null), 0)::float8 as revenue,
      percentile_disc(0.5) within group (order by answer_ms)::int as median_answer_ms,
      (percentile_cont(0.5) within group (order by extract(epoch from decided_at - lead_created_at) * 1000)
        filter (where state = 'accepted'))::int as median_delivery_ms
    from d group by grouping sets ((key), ()) order by sent desc, key`.execute(db)
  const reasons = await sql<{ key: string; reason: string; count: number }>`
    with d as (${chosen})
    select key, reason, count(*)::int as count from d where state in ('rejected', 'duplicate', 'failed') and reason is not null
    group by key, reason order by count desc limit 500`.execute(db)
  const names = await sql<{ id: string; name: string }>`
    select id, name from lead_destinations where company_id = ${company_id}`.execute(db)
  const nameOf = new Map(names.rows.map(({ id, name }) => [id, name]))
  const reasonsOf = (of: string | null) => {
    const counts = new Map<string, number>()
    for (const { key, reason, count } of reasons.rows)
      if (of === null || key === of) counts.set(reason, (counts.get(reason) ?? 0) + count)
    return [...counts]
      .map(([reason, count]) => ({ reason, count }))
      .toSorted((a, b) => b.count - a.count)
      .slice(0, 10)
  }
  const figuresOf = ({ key: of, is_total, destination_id: _, name: __, ...figures }: Row) => ({
    ...figures,
    reasons: reasonsOf(is_total ? null : of),
  })
  const isByDestination = by === 'destination'
  return {
    rows: rows
      .filter(({ is_total }) => !is_total)
      .map((row) => ({
        ...figuresOf(row),
        destination_id: isByDestination ? row.key : null,
        name: isByDestination ? (nameOf.get(row.key!) ?? 'A deleted destination') : row.key || 'No source',
      })),
    total: figuresOf(rows.find(({ is_total }) => is_total)!),
  }
}
