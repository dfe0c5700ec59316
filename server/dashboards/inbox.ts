// How much is written and answered in the inbox, as a widget.

import { addDays, midnightOf } from '../../contract/filter/days.ts'
import { startOfDay } from '../../contract/filter/zones.ts'
import type { Widget } from '../../contract/shared/widget.ts'
import { audiencesOf } from '../engine/rights/audiences.ts'
import { Params, run } from '../kernel/statement.ts'
import { type Computed, type Frame, figure } from './figures.ts'
import { daysOf } from './ranges.ts'

/** Without a range of its own or of the dashboard. */
const usualRange = 'last_30_days'
const mostRows = 50

type Row = { key: string | null; name: string | null; open: number; count: number; sent: number; ms: number | null }

export async function inboxWidget(
  frame: Frame,
  { by, range: own }: Extract<Widget, { type: 'inbox' }>,
): Promise<Computed> {
  const { schema, context } = frame
  const days = daysOf(own ?? frame.range ?? usualRange, schema, context.now)
  const at = (midnight: number) => new Date(startOfDay(midnight, schema.time_zone)).toISOString()
  const span = { since: at(midnightOf(days.first)), until: at(addDays(midnightOf(days.last), 1)) }
  const rows = await rowsBy(frame, by, span)
  const [total] = await rowsBy(frame, 'nothing', span)
  return {
    figures: rows.map((row) =>
      figure({
        key: row.key ?? '',
        keys: [row.key ?? ''],
        labels: [row.name ?? (by === 'assignee' ? 'Unassigned' : 'Deleted channel')],
        values: valuesOf(row),
      }),
    ),
    total: figure({ key: 'total', values: valuesOf(total ?? none) }),
    range: { field: 'created_at', ...days },
  }
}

const none = { open: 0, count: 0, sent: 0, ms: null }

const valuesOf = ({ open, count, sent, ms }: Omit<Row, 'key' | 'name'>) => ({
  open,
  count,
  sent,
  median_response_ms: ms,
})

const keys = { channel: 'c.channel_id', assignee: 'c.assignee_id', nothing: 'null::uuid' }
const names = { channel: 'channels', assignee: 'users', nothing: null }

async function rowsBy(
  { context, actor: { company_id } }: Frame,
  by: keyof typeof keys,
  { since, until }: { since: string; until: string },
) {
  const { ids } = await audiencesOf(context)
  const params = new Params()
  const company = params.add(company_id, 'uuid')
  const audiences = params.add(ids, 'uuid[]')
  const within = (column: string) =>
    `${column} >= ${params.add(since, 'timestamptz')} and ${column} < ${params.add(until, 'timestamptz')}`
  const key = keys[by]
  const isThere = `c.company_id = ${company} and c.audience = any(${audiences}) and c.merged_into is null and c.state <> 'spam'`
  const table = names[by]
  return run<Row>(
    context.db,
    `with parts as (
      select ${key} as key, count(*) filter (where c.state = 'open') as open, 0 as count, 0 as sent,
        percentile_cont(0.5) within group (order by extract(epoch from c.first_response_at - c.created_at) * 1000)
          filter (where c.first_response_at is not null and ${within('c.created_at')}) as ms
      from conversations c where ${isThere} and (c.state = 'open' or ${within('c.created_at')}) group by 1
      union all
      select ${key} as key, 0, count(*) filter (where m.direction = 'in' and not m.is_automatic),
        count(*) filter (where m.direction = 'out' and m.state in ('sent', 'delivered', 'read')), null
      from messages m join conversations c on ${isThere} and c.id = m.conversation_id
      where m.company_id = ${company} and m.audience = any(${audiences}) and m.kind = 'message' and ${within('m.at')} group by 1)
    select p.key, ${table ? 't.name' : 'null'} as name, p.open, p.count, p.sent, p.ms
    from (select key, sum(open)::int as open, sum(count)::int as count, sum(sent)::int as sent, round(max(ms))::float8 as ms
      from parts group by key) p
    ${table ? `left join ${table} t on t.company_id = ${company} and t.id = p.key` : ''}
    order by p.count desc, p.open desc, name limit ${mostRows}`,
    params,
  )
}
