// How deals move through the stages of a pipeline, from their stage history.

import { enteredKey } from '../../contract/built-in/stage-fields.ts'
import { addDays, dayOf, midnightOf, momentText } from '../../contract/filter/days.ts'
import { print } from '../../contract/filter/index.ts'
import type { Widget } from '../../contract/shared/widget.ts'
import { instantOf } from '../engine/aggregates/periods.ts'
import { findObject } from '../engine/rights/rights.ts'
import type { PipelineSchema } from '../engine/schema/pipeline-schema.ts'
import { refused } from '../kernel/app-error.ts'
import { type Computed, type Frame, measuredFigures, ownerPart } from './figures.ts'
import { type Days, daysOf, daysText } from './ranges.ts'

type Funnel = Extract<Widget, { type: 'funnel' }>

export async function funnelWidget(frame: Frame, widget: Funnel): Promise<Computed> {
  const { schema, actor, context } = frame
  const object = findObject(schema, actor, schema.builtIn.get('deals')!.key)
  const stages = stagesOf(pipelineOf(frame, widget.pipeline))
  const range = widget.range ?? frame.range
  const days = range === null ? undefined : daysOf(range, schema, context.now)
  const isCohort = widget.mode === 'cohort'
  const created = { key: 'created_at', type: 'datetime' } as const
  const parts = [
    widget.filter ?? '',
    ownerPart(frame, object),
    isCohort && days ? daysText(created, days, schema.time_zone) : '',
  ].filter((part) => part !== '')
  const figures = []
  for (const [place, { key, name }] of stages.entries()) {
    // In a cohort, a deal that skipped a stage has reached it, too.
    const reached = isCohort
      ? stages.slice(place).map((later) => enteredText(later.key))
      : [enteredText(key, days, schema.time_zone)]
    const asked = { object, parts: [...parts, reached.join(' or ')], measures: ['count'] }
    const { total } = await measuredFigures(frame, asked)
    figures.push({ ...total, key, keys: [key], labels: [name] })
  }
  return { figures, range: days ? { field: isCohort ? 'created_at' : 'stage_entered_at', ...days } : null }
}

/** A deal can enter a stage several times, so both bounds are about the same time. Without days: ever. */
function enteredText(stage: string, days?: Days, zone = 'UTC') {
  const field = enteredKey(stage)
  if (!days) return print({ field, op: 'is_not_empty' })
  const next = dayOf(addDays(midnightOf(days.last), 1))
  const [start, end] = [instantOf(days.first, zone), instantOf(next, zone) - 1].map(momentText)
  return print({ field, op: 'between', value: [start!, end!] })
}

const stagesOf = ({ stages }: PipelineSchema) =>
  stages.filter(({ kind, archived_at }) => kind !== 'lost' && !archived_at)

function pipelineOf({ schema }: Frame, key: string | null): PipelineSchema {
  const known = schema.pipelines.filter(({ archived_at }) => !archived_at)
  const found = key === null ? known[0] : known.find((pipeline) => pipeline.key === key)
  if (found) return found
  throw refused('pipeline', `There is no pipeline ${key}. Use one of: ${known.map((one) => one.key).join(', ')}`)
}
