import type { Pipeline, Stage } from '../../../contract/pipelines.ts'
import type { PipelineSchema, StageSchema } from '../schema/pipeline-schema.ts'

export const describePipeline = (pipeline: PipelineSchema, archived: boolean): Pipeline => ({
  key: pipeline.key,
  name: pipeline.name,
  asks_lost_reason: pipeline.asks_lost_reason,
  is_archived: pipeline.archived_at !== null,
  stages: pipeline.stages.filter(({ archived_at }) => archived || !archived_at).map(shownStage),
})

const shownStage = (stage: StageSchema): Stage => ({
  key: stage.key,
  name: stage.name,
  color: stage.color,
  kind: stage.kind,
  probability: stage.probability,
  required_fields: stage.required_fields,
  stuck_after_days: stage.stuck_after_days,
  is_archived: stage.archived_at !== null,
})
