// How fast conversations of the team were answered and closed. Each opening counts on the day on which it began. It is
// received by its assignee, answered by who answered first, and closed by who closed it. What no user did (a reply from
// another mail program, a rule that closed it, or no response until the target was missed) counts for the assignee.

import { addDays, dayOf, midnightOf } from '../../../contract/filter/days.ts'
import { startOfDay } from '../../../contract/filter/zones.ts'
import { type InboxFigures, type inboxReport, mostReportDays } from '../../../contract/inbox-report.ts'
import type { Output, Parsed } from '../../../contract/operation.ts'
import { daysOf } from '../../../contract/shared/point-in-time.ts'
import { schemaOf } from '../../engine/schema/schema.ts'
import { refused } from '../../kernel/app-error.ts'
import { actorOf, type Context } from '../../kernel/context.ts'
import { Params, run } from '../../kernel/statement.ts'
import { dayMs } from '../../platform/times.ts'
import { plansOf } from '../../working-hours/queries.ts'

type ReportInput = Parsed<typeof inboxReport.getInboxReport>
type Report = Output<typeof inboxReport.getInboxReport>
type Row = InboxFigures & {
  by: 'total' | 'day' | 'member' | 'channel'
  day: string | null
  user_id: string | null
  channel_id: string | null
  name: string | null
}

export async function inboxReportOf(context: Context, asked: ReportInput): Promise<Report> {
  const { company_id } = actorOf(context)
  const { time_zone } = await plansOf(context.db, company_id)
  const days = daysBetween(await rangeOf(context, asked, time_zone))
  const [from, to] = [days[0]!, days.at(-1)!]
  const bound = (day: number) => new Date(startOfDay(day, time_zone))
  const params = new Params()
  const company = params.add(company_id, 'uuid')
  const now = params.add(context.now, 'timestamptz')
  const conditions = [
    `o.company_id = ${company}`,
    `o.opened_at >= ${params.add(bound(midnightOf(from)), 'timestamptz')}`,
    `o.opened_at < ${params.add(bound(addDays(midnightOf(to), 1)), 'timestamptz')}`,
    'not o.is_left_out',
    ...(asked.channel_id ? [`o.channel_id = ${params.add(asked.channel_id, 'uuid')}`] : []),
  ]
  const whose =
    asked.user_id === undefined
      ? 'true'
      : asked.user_id === 'none'
        ? 'p.user_id is null'
        : `p.user_id = ${params.add(asked.user_id, 'uuid')}`
  const count = (part: string, condition: string) => `(count(*) filter (where part = '${part}' and ${condition}))::int`
  const share = (part: string, fraction: number) =>
    `round((percentile_cont(${fraction}) within group (order by ${part}_seconds) filter (where part = '${part}') / 60)::numeric, 1)::float`
  const rows = await run<Row>(
    context.db,
    `with counted as (
      select to_char(o.opened_at at time zone ${params.add(time_zone)}, 'YYYY-MM-DD') as day, o.channel_id, o.assignee_id,
        coalesce(o.responded_by, o.assignee_id) as responder_id, coalesce(o.closed_by, o.assignee_id) as closer_id,
        o.responded_at, o.closed_at, o.response_seconds, o.resolution_seconds,
        o.response_due_at is not null and (o.responded_at is not null or (o.closed_at is null and o.response_due_at < ${now})
          or o.response_missed_at is not null) as with_target,
        coalesce(o.response_missed_at is null and o.responded_at <= o.response_due_at, false) as in_time,
        o.response_missed_at is not null or coalesce(o.response_due_at < coalesce(o.responded_at, o.closed_at, ${now}), false)
          as response_missed,
        o.resolution_missed_at is not null or coalesce(o.resolution_due_at < coalesce(o.closed_at, ${now}), false)
          as resolution_missed
      from conversation_openings o where ${conditions.join(' and ')}),
    parts as (
      select c.*, p.part, p.user_id from counted c cross join lateral (values ('received', c.assignee_id),
        ('response', c.responder_id), ('resolution', c.closer_id)) p(part, user_id) where ${whose}),
    figures as (
      select case when grouping(day) = 0 then 'day' when grouping(user_id) = 0 then 'member'
          when grouping(channel_id) = 0 then 'channel' else 'total' end as by, day, user_id, channel_id,
        ${count('received', 'true')} as received, ${count('response', 'responded_at is not null')} as answered,
        ${count('resolution', 'closed_at is not null')} as closed,
        ${count('response', 'in_time')} as in_time, ${count('response', 'with_target')} as with_target,
        ${share('response', 0.5)} as response_median, ${share('response', 0.9)} as response_p90,
        ${share('resolution', 0.5)} as resolution_median, ${share('resolution', 0.9)} as resolution_p90,
        ${count('response', 'response_missed')} as response_missed,
        ${count('resolution', 'resolution_missed')} as resolution_missed
      from parts group by grouping sets ((), (day), (user_id), (channel_id)))
    select f.*, coalesce(u.name, h.name) as name from figures f
      left join users u on u.company_id = ${company} and u.id = f.user_id
      left join channels h on h.company_id = ${company} and h.id = f.channel_id
      order by f.received + f.answered + f.closed desc, name`,
    params,
  )
  const of = (by: Row['by']) => rows.filter((row) => row.by === by)
  const byDay = new Map(of('day').map((row) => [row.day, row]))
  return {
    total: figuresOf(of('total')[0]),
    days: days.map((day) => ({ ...figuresOf(byDay.get(day)), day })),
    members: of('member').map((row) => ({
      ...figuresOf(row),
      user_id: row.user_id,
      name: row.user_id ? (row.name ?? 'A former user') : 'Unassigned',
    })),
    channels: of('channel').map((row) => ({
      ...figuresOf(row),
      channel_id: row.channel_id!,
      name: row.name ?? 'A former channel',
    })),
    time_zone,
  }
}

async function rangeOf(context: Context, { from, to }: ReportInput, timeZone: string) {
  const { first_weekday } = await schemaOf(context.db, actorOf(context))
  const here = { now: context.now, timeZone, firstWeekday: first_weekday }
  return { from: daysOf(from, here).first, to: daysOf(to, here).last }
}

function daysBetween({ from, to }: { from: string; to: string }) {
  if (to < from) throw refused('to', 'The last day must not be before the first day')
  const count = Math.round((midnightOf(to) - midnightOf(from)) / dayMs) + 1
  if (count > mostReportDays) throw refused('to', `Choose at most ${mostReportDays} days`)
  return Array.from({ length: count }, (_, i) => dayOf(addDays(midnightOf(from), i)))
}

const none: InboxFigures = {
  received: 0,
  answered: 0,
  closed: 0,
  in_time: 0,
  with_target: 0,
  response_median: null,
  response_p90: null,
  resolution_median: null,
  resolution_p90: null,
  response_missed: 0,
  resolution_missed: 0,
}

const figuresOf = (row: InboxFigures | undefined): InboxFigures =>
  Object.fromEntries(Object.keys(none).map((key) => [key, (row ?? none)[key as keyof InboxFigures]])) as InboxFigures
