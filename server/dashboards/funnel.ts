// How deals move through the stages of a pipeline, from their stage history.
import type { Widget } from '../../contract/dashboards.ts'
import { addDays, dayOf, midnightOf } from '../../contract/filter/days.ts'
import { instantOf } from '../engine/aggregates/periods.ts'
import { refused } from '../engine/aggregates/question.ts'
import { conditionsOf } from '../engine/read/conditions.ts'
import { findObject } from '../engine/rights/rights.ts'
import type { PipelineSchema, StageSchema } from '../engine/schema/pipelines.ts'
import type { ObjectSchema } from '../engine/schema/schema.ts'
import { Params, run } from '../kernel/statement.ts'
import { allOf, type Computed, type Frame, figure, ownerPart } from './figures.ts'
import { type Days, daysOf, daysText } from './ranges.ts'

type Funnel = Extract<Widget, { type: 'funnel' }>
type Reached = { stage: string; count: number; ids: string[] | null }

/** The filter language knows no stage history, so the list is selected by IDs; a filter cannot have more. */
const mostIds = 200

export async function funnelWidget(frame: Frame, widget: Funnel): Promise<Computed> {
  const { schema, actor, context } = frame
  const object = findObject(schema, actor, schema.builtIn.get('deals')!.key)
  const pipeline = pipelineOf(frame, widget.pipeline)
  const stages = pipeline.stages.filter(({ kind, archived_at }) => kind !== 'lost' && !archived_at)
  const range = widget.range ?? frame.range
  const days = range === null ? undefined : daysOf(range, schema, context.now)
  const isCohort = widget.mode === 'cohort'
  const created = { key: 'created_at', type: 'datetime' } as const
  const filter = allOf([
    widget.filter,
    ownerPart(frame, object),
    isCohort && days ? daysText(created, days, schema.time_zone) : '',
  ])
  const rows = await reached(frame, object, filter, pipeline, stages, isCohort ? undefined : days, isCohort)
  const figures = stages.map(({ key, name }) => {
    const { count = 0, ids = [] } = rows.find(({ stage }) => stage === key) ?? {}
    const selected = ids === null ? null : idsFilter(ids)
    return figure({
      key,
      keys: [key],
      labels: [name],
      values: { count },
      object: object.key,
      filter: selected === null ? null : allOf([filter, selected]),
    })
  })
  return { figures, range: days ? { field: isCohort ? 'created_at' : 'stage_entered_at', ...days } : null }
}

const idsFilter = (ids: string[]) => (ids.length ? `id in (${ids.map((id) => `"${id}"`).join(', ')})` : 'id is empty')

function pipelineOf({ schema }: Frame, key: string | null): PipelineSchema {
  const known = schema.pipelines.filter(({ archived_at }) => !archived_at)
  const found = key === null ? known[0] : known.find((pipeline) => pipeline.key === key)
  if (found) return found
  throw refused('pipeline', `There is no pipeline ${key}. Use one of: ${known.map((one) => one.key).join(', ')}`)
}

/** In a cohort, a deal that skipped a stage has reached it, too. */
async function reached(
  { context, schema }: Frame,
  object: ObjectSchema,
  filter: string,
  pipeline: PipelineSchema,
  stages: StageSchema[],
  days: Days | undefined,
  isCohort: boolean,
): Promise<Reached[]> {
  const params = new Params()
  const conditions = await conditionsOf(context, schema, object, { filter, deleted: false, at: context.now })
  const where = conditions(params)
  const keys = params.add(
    stages.map(({ key }) => key),
    'text[]',
  )
  const inStages = [
    'c.company_id = r.company_id',
    'c.record_id = r.id',
    `c.pipeline = ${params.add(pipeline.key, 'text')}`,
    `c.stage = any(${keys})`,
  ]
  if (days) {
    const [start, end] = [days.first, dayOf(addDays(midnightOf(days.last), 1))].map((day) =>
      params.add(new Date(instantOf(day, schema.time_zone)), 'timestamptz'),
    )
    inStages.push(`c.entered_at >= ${start} and c.entered_at < ${end}`)
  }
  const place = `array_position(${keys}, c.stage)`
  const entered = `select r.id, ${isCohort ? `max(${place})` : place} as place from records r
    join stage_changes c on ${inStages.join(' and ')} where ${where.join(' and ')}
    group by r.id${isCohort ? '' : ', c.stage'}`
  const rows = await run<Reached>(
    context.db,
    `select s.stage, count(e.id)::int as count, case when count(e.id) <= ${mostIds} then array_agg(e.id::text) end as ids
      from unnest(${keys}) with ordinality s(stage, place) join (${entered}) e on e.place ${isCohort ? '>=' : '='} s.place
      group by s.stage`,
    params,
  )
  return rows
}
