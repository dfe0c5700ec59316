import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Pipeline, Stage } from '../../../contract/pipelines.ts'
import { api } from '../../client/api.ts'
import { builtInField, isBuiltIn } from './built-in.ts'
import type { RecordShape } from './records-api.ts'
import type { FieldShape, ObjectShape } from './schema.ts'

/** Below the key of the schema: what changes it changes the fields pipeline and stage, too. */
export const pipelinesQuery = queryOptions({
  queryKey: ['schema', 'pipelines'],
  queryFn: async () => (await api.listPipelines({ include_archived: true })).items,
  staleTime: 60_000,
})

/** All of them, archived ones too; none while they are loading. */
export const usePipelines = (): Pipeline[] => useQuery(pipelinesQuery).data ?? []

export const isDeals = (object: ObjectShape) => isBuiltIn(object, 'deals')
export const isDealLines = (object: ObjectShape) => isBuiltIn(object, 'deal_lines')

/** Is it the stage of a deal? */
export const isStageField = (object: ObjectShape, field: FieldShape) => isDeals(object) && isBuiltIn(field, 'stage')

export type PlacedStage = Stage & { pipeline: Pipeline }

export function stageCalled(pipelines: Pipeline[], key: unknown): PlacedStage | undefined {
  const pipeline = pipelines.find(({ stages }) => stages.some((stage) => stage.key === key))
  const stage = pipeline?.stages.find((one) => one.key === key)
  return pipeline && stage && { ...stage, pipeline }
}

/** A stage field with the stages that fit the pipeline in these values. Any other field stays as it is. */
export function fittingStages(object: ObjectShape, field: FieldShape, values: Record<string, unknown>): FieldShape {
  if (!isStageField(object, field)) return field
  const pipeline = values[builtInField(object, 'pipeline')?.key ?? '']
  const isFitting = (one: { pipeline?: string | undefined }) => !pipeline || !one.pipeline || one.pipeline === pipeline
  return { ...field, options: field.options?.filter(isFitting) ?? null }
}

/** Choosing another pipeline in a form takes back a stage of the one before. */
export function withFittingStage(object: ObjectShape, now: Record<string, unknown>, patch: Record<string, unknown>) {
  const [pipeline, stage] = [builtInField(object, 'pipeline'), builtInField(object, 'stage')]
  if (!isDeals(object) || !pipeline || !stage || patch[pipeline.key] === undefined) return patch
  const { options } = fittingStages(object, stage, patch)
  return options?.some(({ key }) => key === now[stage.key]) ? patch : { ...patch, [stage.key]: null }
}

const dayMs = 86_400_000

/** For how many whole days an open deal has been in its stage, and whether that is too long. */
export function stayOf(object: ObjectShape, pipelines: Pipeline[], deal: RecordShape, now = Date.now()) {
  const [stageField, since] = [builtInField(object, 'stage'), builtInField(object, 'stage_entered_at')]
  const stage = stageCalled(pipelines, stageField && deal[stageField.key])
  const entered = since && deal[since.key]
  if (stage?.kind !== 'open' || typeof entered !== 'string') return undefined
  const days = Math.max(0, Math.floor((now - Date.parse(entered)) / dayMs))
  return { days, isStuck: stage.stuck_after_days !== null && days >= stage.stuck_after_days }
}
