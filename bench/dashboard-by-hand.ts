// The figures of the default dashboard as someone would write them by hand, on tables made for just these questions.
import type pg from 'pg'

export const typedTables = [
  `create table deals_typed as select r.company_id, r.id, r.owner_id, r.created_at, r.last_activity_at,
     r.values ->> 'status' as status, r.values ->> 'stage' as stage, (r.values ->> 'expected_close')::date as expected_close,
     (r.values ->> 'closed_at')::timestamptz as closed_at, (r.values ->> 'probability')::numeric as probability,
     (r.values -> 'amount' ->> 'amount')::numeric * case r.values -> 'amount' ->> 'currency' when 'USD' then 0.9 else 1 end as amount,
     r.title from records r join objects o on o.company_id = r.company_id and o.id = r.object_id where o.key = 'deals'`,
  'alter table deals_typed add primary key (company_id, id)',
  'create index on deals_typed (company_id, owner_id, status)',
  'create index on deals_typed (company_id, status, closed_at)',
  `create table tasks_typed as select r.company_id, r.id, (r.values ->> 'assignee')::uuid as assignee, r.title,
     r.values ->> 'status' as status, (r.values ->> 'due_at')::timestamptz as due_at,
     (r.values ->> 'completed_at')::timestamptz as completed_at, (r.values -> 'about' ->> 0)::uuid as about
   from records r join objects o on o.company_id = r.company_id and o.id = r.object_id where o.key = 'tasks'`,
  'create index on tasks_typed (company_id, assignee, status, due_at)',
  'create index on tasks_typed (company_id, about)',
  `create table activities_typed as select r.company_id, r.id, r.created_by, (r.values ->> 'at')::timestamptz as at
   from records r join objects o on o.company_id = r.company_id and o.id = r.object_id where o.key = 'activities'`,
  'create index on activities_typed (company_id, at)',
]

type Owner = { company_id: string; user_id: string }
type Figure = { key: string; values: Record<string, number> }
type Row = { key: string; count: number; sum?: number; weighted?: number }

const sum = 'coalesce(sum(amount), 0)::float8 as sum'
const weighted = 'coalesce(sum(amount * probability / 100), 0)::float8 as weighted'
const month = `date_trunc('month', now() at time zone 'UTC')`
const mine = `from deals_typed d where company_id = $1 and owner_id = $2 and status = 'open'`
const someOf = (key: string, where: string, order: string) =>
  `select '${key}' as key, count(*)::int as count from (select 1 ${mine} and ${where}) all_of_them
   union all select null, 0 from (select title ${mine} and ${where} order by ${order} limit 5) first_ones where false`

/** By widget. Each figure is named by its key. */
const statements: Record<string, string> = {
  my_tasks: `select case when due_at < now() then 'overdue' else 'today' end as key, count(*)::int as count from tasks_typed
    where company_id = $1 and assignee = $2 and status = 'open' and due_at < date_trunc('day', now() at time zone 'UTC') + interval '1 day'
    group by 1`,
  needs_you: [
    someOf('past_close', 'expected_close < current_date', 'expected_close'),
    someOf(
      'no_next_task',
      `not exists (select 1 from tasks_typed t where t.company_id = d.company_id and t.about = d.id and t.status = 'open')`,
      'expected_close',
    ),
  ].join(' union all '),
  pipeline: `select stage as key, count(*)::int as count, ${sum}, ${weighted} from deals_typed
    where company_id = $1 and status = 'open' and $2::uuid is not null group by stage`,
  won_and_lost: `select status || case when closed_at at time zone 'UTC' >= ${month} then '_this_month' else '_last_month' end as key,
      count(*)::int as count, ${sum} from deals_typed
    where company_id = $1 and status in ('won', 'lost') and closed_at at time zone 'UTC' >= ${month} - interval '1 month'
      and closed_at at time zone 'UTC' < ${month} + interval '1 month' and $2::uuid is not null group by 1`,
  forecast: `select to_char(date_trunc('month', expected_close), 'YYYY-MM-01') as key, count(*)::int as count, ${sum}, ${weighted}
    from deals_typed where company_id = $1 and status = 'open' and expected_close >= ${month}
      and expected_close < ${month} + interval '6 months' and $2::uuid is not null group by 1`,
}
/** Asked, too, but named differently. */
const others = [
  `select created_by, count(*)::int from activities_typed where company_id = $1 and $2::uuid is not null
    and at >= date_trunc('day', now() at time zone 'UTC') - interval '6 days' group by 1 order by 2 desc limit 20`,
  `select assignee, count(*)::int from tasks_typed where company_id = $1 and $2::uuid is not null
    and completed_at >= date_trunc('day', now() at time zone 'UTC') - interval '6 days' group by 1 order by 2 desc limit 20`,
  `select count(*)::int, coalesce(sum(amount), 0) from deals_typed where company_id = $1 and owner_id = $2 and status = 'open'
    and coalesce(last_activity_at, created_at) < now() - interval '14 days'`,
]

/** All statements, on as many connections as are given. */
export async function figuresByHand(clients: pg.Client[], { company_id, user_id }: Owner) {
  const found: Record<string, Figure[]> = {}
  const waiting = [...Object.entries(statements), ...others.map((text) => ['', text] as const)]
  const work = async (client: pg.Client) => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [name, text] = next
      const { rows } = await client.query<Row>(text, [company_id, user_id])
      if (name) found[name] = rows.filter(({ key }) => key).map(figureOf)
    }
  }
  await Promise.all(clients.map(work))
  return found
}

const figureOf = ({ key, count, sum, weighted }: Row): Figure => ({
  key,
  values: {
    count,
    ...(sum !== undefined && { 'sum(amount)': sum }),
    ...(weighted !== undefined && { 'weighted(amount)': weighted }),
  },
})
