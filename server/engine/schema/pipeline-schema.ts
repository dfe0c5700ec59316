// The pipelines of deals as a part of the schema.
import { sql } from 'kysely'
import type { FieldOption, ObjectColor } from '../../../contract/objects.ts'

export type StageSchema = {
  id: string
  key: string
  name: string
  color: ObjectColor
  kind: 'open' | 'won' | 'lost'
  probability: number | null
  required_fields: string[]
  stuck_after_days: number | null
  archived_at: string | null
  /** The stage that deals of its pipeline were in while pipelines shared their stages. */
  shared_key: string | null
}
export type PipelineSchema = {
  id: string
  key: string
  name: string
  asks_lost_reason: boolean
  archived_at: string | null
  stages: StageSchema[]
}

export const pipelinesSql = (
  company_id: string,
) => sql`(select jsonb_agg(to_jsonb(p) - 'company_id' || jsonb_build_object('stages',
    coalesce((select jsonb_agg(to_jsonb(s) - 'company_id' order by s.position, s.id) from stages s
      where s.company_id = ${company_id} and s.pipeline_id = p.id), '[]')) order by p.position, p.id)
  from pipelines p where p.company_id = ${company_id})`

type Choice = { built_in_key: string | null; options: FieldOption[] | null; default_value: unknown }

/** The fields pipeline and stage with their options. Those of a company without pipelines yet stay as they are. */
export function withPipelines<F extends Choice>(field: F, pipelines: PipelineSchema[]): F {
  const options = optionsFor(field, pipelines)
  if (!options?.length) return field
  const inUse = options.filter(({ is_archived }) => !is_archived)
  const isKept = (field.default_value ?? null) === null || inUse.some(({ key }) => key === field.default_value)
  // New deals start in the first open stage if their usual one is archived.
  const first = inUse.find(({ kind = 'open' }) => kind === 'open')
  return { ...field, options, default_value: isKept ? field.default_value : first?.key }
}

function optionsFor({ built_in_key }: Choice, pipelines: PipelineSchema[]) {
  if (built_in_key === 'pipeline') return pipelines.map(pipelineOption)
  return built_in_key === 'stage' ? pipelines.flatMap(stageOptions) : undefined
}

/** Where deals enter a pipeline. */
export const firstStage = ({ stages }: PipelineSchema) =>
  stages.find(({ kind, archived_at }) => kind === 'open' && !archived_at)

export type PlacedStage = StageSchema & { pipeline: PipelineSchema }

export function stageCalled(pipelines: PipelineSchema[], key: unknown): PlacedStage | undefined {
  for (const pipeline of pipelines) {
    const stage = pipeline.stages.find((one) => one.key === key)
    if (stage) return { ...stage, pipeline }
  }
  return undefined
}

export const isArchived = ({ archived_at, pipeline }: PlacedStage) => Boolean(archived_at ?? pipeline.archived_at)

const pipelineOption = ({ key, name, archived_at }: PipelineSchema): FieldOption => ({
  key,
  label: name,
  color: 'gray',
  ...(archived_at && { is_archived: true }),
})

const stageOptions = ({ key: pipeline, archived_at, stages }: PipelineSchema): FieldOption[] =>
  stages.map((stage) => ({
    key: stage.key,
    label: stage.name,
    color: stage.color,
    kind: stage.kind,
    pipeline,
    ...((archived_at ?? stage.archived_at) && { is_archived: true }),
  }))
