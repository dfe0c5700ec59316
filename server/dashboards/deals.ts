// The deals of the default dashboard: the pipeline, what was won and lost, and what is expected.

import { builtInInUse } from '../engine/schema/schema.ts'
import { AppError } from '../kernel/app-error.ts'
import { allOf, type Computed, type Frame, figure, measuredFigures, ownerPart } from './figures.ts'
import { objectFor } from './objects.ts'
import { comingMonths, type Days, daysOf, daysText } from './ranges.ts'

const forecastMonths = 6
const months = ['this_month', 'last_month'] as const
const outcomes = ['won', 'lost'] as const

/** Open deals by stage: how many, how much, and how much of it by their probability. Stages without deals are included. */
export async function pipelineWidget(frame: Frame): Promise<Computed> {
  const { object, key } = dealsOf(frame)
  const measures = [`sum(${key('amount')})`, `weighted(${key('amount')})`]
  const answer = await measuredFigures(frame, {
    object,
    parts: [`${key('status')} = open`, ownerPart(frame, object)],
    measures,
    group_by: [key('pipeline'), key('stage')],
  })
  const none = Object.fromEntries([...measures, 'count'].map((measure) => [measure, 0]))
  const inUse = openStages(frame).map(({ pipeline, stage }) => {
    const found = answer.figures.find(({ keys }) => keys[0] === pipeline.key && keys[1] === stage.key)
    if (found) return found
    const isHere = `${key('pipeline')} = ${pipeline.key} and ${key('stage')} = ${stage.key}`
    return figure({
      key: pipeline.key,
      keys: [pipeline.key, stage.key],
      labels: [pipeline.name, stage.name],
      values: none,
      object: object.key,
      filter: allOf([answer.total.filter, isHere]),
    })
  })
  return { ...answer, figures: [...inUse, ...answer.figures.filter((one) => !inUse.includes(one))] }
}

const openStages = ({ schema }: Frame) =>
  schema.pipelines.flatMap((pipeline) =>
    pipeline.stages.flatMap((stage) =>
      stage.kind === 'open' && !stage.archived_at && !pipeline.archived_at ? [{ pipeline, stage }] : [],
    ),
  )

type Outcome = (typeof outcomes)[number]

/** Deals that were won or lost in these days: how many, and how much. */
export async function closedDeals(frame: Frame, outcome: Outcome, days: Days) {
  const { object, key } = dealsOf(frame)
  const asked = { object, parts: closedIn(frame, [outcome], days), measures: [`sum(${key('amount')})`] }
  const { total, currency } = await measuredFigures(frame, asked)
  return { figure: total, currency }
}

function closedIn(frame: Frame, wanted: readonly Outcome[], days: Days) {
  const { object, key, field } = dealsOf(frame)
  const status = wanted.length > 1 ? `in (${wanted.join(', ')})` : `= ${wanted[0]}`
  return [
    `${key('status')} ${status}`,
    daysText(field('closed_at'), days, frame.schema.time_zone),
    ownerPart(frame, object),
  ].filter((part) => part !== '')
}

/** This month beside last month. All are read at once. */
export async function wonAndLost(frame: Frame): Promise<Computed> {
  const { object, key } = dealsOf(frame)
  const [now, before] = months.map((month) => daysOf(month, frame.schema, frame.context.now)) as [Days, Days]
  const measures = [`sum(${key('amount')})`]
  const { figures, currency } = await measuredFigures(frame, {
    object,
    parts: closedIn(frame, outcomes, { first: before.first, last: now.last }),
    measures,
    group_by: [`month(${key('closed_at')})`, key('status')],
  })
  const none = { ...Object.fromEntries(measures.map((measure) => [measure, 0])), count: 0 }
  const shown = months.flatMap((month) =>
    outcomes.map((outcome) => {
      const days = month === 'this_month' ? now : before
      const found = figures.find(({ keys }) => keys[0] === days.first && keys[1] === outcome)
      return figure({
        values: found?.values ?? none,
        unconverted: found?.unconverted ?? [],
        object: object.key,
        filter: allOf(closedIn(frame, [outcome], days)),
        key: `${outcome}_${month}`,
        keys: [outcome, days.first],
      })
    }),
  )
  return { figures: shown, currency }
}

/** Open deals by the month in which they should close. */
export async function forecast(frame: Frame): Promise<Computed> {
  const { object, key, field } = dealsOf(frame)
  const days = comingMonths(forecastMonths, frame.schema, frame.context.now)
  const close = field('expected_close')
  const answer = await measuredFigures(frame, {
    object,
    parts: [`${key('status')} = open`, daysText(close, days, frame.schema.time_zone), ownerPart(frame, object)],
    measures: [`sum(${key('amount')})`, `weighted(${key('amount')})`],
    group_by: [`month(${close.key})`],
  })
  return { ...answer, range: { field: close.key, ...days } }
}

function dealsOf(frame: Frame) {
  const object = objectFor(frame, 'deals')
  if (!object) throw new AppError('forbidden', `Your role (${frame.actor.role}) does not let you read deals.`)
  const field = (name: string) => {
    const found = builtInInUse(object, name)
    if (found) return found
    throw new AppError('invalid_input', `The field ${name} of deals is archived. An Admin can restore it.`)
  }
  return { object, field, key: (name: string) => field(name).key }
}
