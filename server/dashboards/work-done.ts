// Who did what: people by what they logged, agents by what they changed; and changes that the caller should know of.

import type { changes } from '../../contract/changes.ts'
import { addDays, dayOf, midnightOf } from '../../contract/filter/days.ts'
import type { Output } from '../../contract/operation.ts'
import { startOf } from '../../contract/shared/point-in-time.ts'
import { instantOf } from '../engine/aggregates/periods.ts'
import { listChanges } from '../engine/history/list.ts'
import { situationOf } from '../engine/read/conditions.ts'
import { builtInInUse } from '../engine/schema/schema.ts'
import type { Context } from '../kernel/context.ts'
import { Params, run } from '../kernel/statement.ts'
import { type Computed, type Frame, measuredFigures } from './figures.ts'
import { objectFor } from './objects.ts'
import { type Days, daysOf, daysText } from './ranges.ts'
import { lastVisit } from './visits.ts'

const mostSets = 20
/** As many as list_changes has on a page. */
const mostCounted = 100
const mostPeople = 20
const mostAgents = 20

type ChangeSet = Output<typeof changes.listChanges>['items'][number]

/** When something was done, and by whom. */
const work = [
  { object: 'activities', at: 'at', by: 'created_by' },
  { object: 'notes', at: 'created_at', by: 'created_by' },
  { object: 'tasks', at: 'completed_at', by: 'assignee' },
]

/** Calls and meetings, notes and completed tasks by person; changes by key. */
export async function activity(frame: Frame): Promise<Computed> {
  const range = frame.range ?? 'last_7_days'
  const days = daysOf(range, frame.schema, frame.context.now)
  const figures = []
  for (const { object: name, at, by } of work) {
    const object = objectFor(frame, name)
    if (!object) continue
    const own = builtInInUse(object, at)
    const person = builtInInUse(object, by)?.key ?? by
    if (!own && at !== 'created_at') continue
    const time = own ?? { key: at, type: 'datetime' as const }
    const whose = frame.owner === null ? '' : `${person} = ${frame.owner === 'me' ? 'me' : `"${frame.owner}"`}`
    const answer = await measuredFigures(frame, {
      object,
      parts: [daysText(time, days, frame.schema.time_zone), whose],
      measures: ['count'],
      group_by: [person],
      order: 'measure',
      top: mostPeople,
    })
    figures.push(...answer.figures.map((one) => ({ ...one, key: object.key })))
  }
  return { figures, agents: await agentWork(frame, days) }
}

/** Only Admins see what the keys of others did. */
export async function agentWork({ context, actor, schema }: Frame, { first, last }: Days) {
  const params = new Params()
  const company = params.add(actor.company_id, 'uuid')
  const [since, until] = [first, dayOf(addDays(midnightOf(last), 1))].map((day) =>
    new Date(instantOf(day, schema.time_zone)).toISOString(),
  ) as [string, string]
  const conditions = [
    `s.company_id = ${company}`,
    's.api_key_id is not null',
    `s.at >= ${params.add(since, 'timestamptz')} and s.at < ${params.add(until, 'timestamptz')}`,
    ...(actor.is_admin ? [] : [`s.actor_id = ${params.add(actor.user_id, 'uuid')}`]),
  ]
  type Row = {
    api_key_id: string
    api_key_name: string
    user_name: string
    change_sets: number
    changed_records: number
  }
  const rows = await run<Row>(
    context.db,
    `select w.api_key_id, k.name as api_key_name, u.name as user_name, w.change_sets, w.changed_records from (
        select s.api_key_id, count(distinct s.id)::int as change_sets, count(distinct c.record_id)::int as changed_records
        from change_sets s join changes c on c.company_id = s.company_id and c.change_set_id = s.id
        where ${conditions.join(' and ')} group by s.api_key_id) w
      left join api_keys k on k.company_id = ${company} and k.id = w.api_key_id
      left join users u on u.company_id = ${company} and u.id = k.user_id
      order by w.change_sets desc, w.api_key_id limit ${mostAgents}`,
    params,
  )
  return rows.map((row) => ({ ...row, since, until }))
}

/** What agents changed since yesterday and the caller has neither reviewed nor undone. */
export async function agentChanges(frame: Frame): Promise<Computed> {
  const { context, schema, actor } = frame
  const since = startOf('yesterday', await situationOf(context, schema, []))
  const { items } = await listChanges(
    context,
    { ...askedFor(context), since, by_key: true },
    {
      sets: (params) => [
        's.undone_by is null and s.undo_of is null',
        `not exists (select 1 from reviewed_change_sets v where v.company_id = ${params.add(actor.company_id, 'uuid')}
        and v.user_id = ${params.add(actor.user_id, 'uuid')} and v.change_set_id = s.id)`,
      ],
    },
  )
  return { ...asTold(context, items), since }
}

/** For agents as counts: a company that works with them has more changes than fit into an answer. */
const askedFor = ({ door }: Context) =>
  door === 'mcp' ? { limit: mostCounted, max_changes: 1, values: false } : { limit: mostSets, max_changes: 20 }

function asTold({ door }: Context, sets: ChangeSet[]): Pick<Computed, 'change_sets' | 'changes_by'> {
  if (door !== 'mcp') return { change_sets: sets }
  const byActor = Map.groupBy(sets, ({ actor_id, api_key_id }) => `${actor_id} ${api_key_id}`)
  const changes_by = [...byActor.values()].map(([last, ...earlier]) => {
    const { actor_id, actor_name, api_key_id, api_key_name, at } = last!
    const changes = [last!, ...earlier].reduce(
      (sum, { changes, other_changes }) => sum + changes.length + other_changes,
      0,
    )
    return { actor_id, actor_name, api_key_id, api_key_name, change_sets: 1 + earlier.length, changes, last_at: at }
  })
  return { changes_by }
}

/** What others and agents changed on the caller's records since the visit before. */
export async function changesOnMine({ context, actor }: Frame): Promise<Computed> {
  const since = await lastVisit(context)
  const companyIn = (params: Params) => params.add(actor.company_id, 'uuid')
  const mine = (record: string, params: Params) =>
    `exists (select 1 from records o where o.company_id = ${companyIn(params)} and o.id = ${record}
      and o.deleted_at is null and o.owner_id = ${params.add(actor.user_id, 'uuid')})`
  const { items } = await listChanges(
    context,
    { ...askedFor(context), since },
    {
      ofOthers: true,
      sets: (params) => [
        `(s.actor_id is distinct from ${params.add(actor.user_id, 'uuid')} or s.api_key_id is not null)`,
        `exists (select 1 from changes m where m.company_id = ${companyIn(params)} and m.change_set_id = s.id and ${mine('m.record_id', params)})`,
      ],
      changes: (params) => [mine('c.record_id', params)],
    },
  )
  return { ...asTold(context, items), since }
}
