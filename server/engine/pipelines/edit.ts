// Changes to pipelines and stages. They are archived, never deleted: history, undo and filters name them.

import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { Parsed } from '../../../contract/operation.ts'
import { mostPipelines, mostStages, type Pipeline, type pipelines } from '../../../contract/pipelines.ts'
import { AppError, refused } from '../../kernel/app-error.ts'
import { actorOf, type Context } from '../../kernel/context.ts'
import { refuseMore } from '../../kernel/limits.ts'
import { insertingJson, Params, run } from '../../kernel/statement.ts'
import { keyFrom } from '../objects/options.ts'
import { announceSchema, lockSchema, move, update } from '../objects/schema-changes.ts'
import { firstStage, type PipelineSchema, type PlacedStage, stageCalled } from '../schema/pipeline-schema.ts'
import type { Schema } from '../schema/schema.ts'
import { describePipeline } from './describe-pipeline.ts'

type Operations = typeof pipelines
type NewStage = NonNullable<Parsed<Operations['createPipeline']>['stages']>[number]

const usualStages = [
  { name: 'New', color: 'blue', kind: 'open' },
  { name: 'Won', color: 'green', kind: 'won' },
  { name: 'Lost', color: 'gray', kind: 'lost' },
].map((stage) => ({ ...stage, required_fields: [], stuck_after_days: null })) as NewStage[]

export async function createPipeline(
  context: Context,
  { stages = usualStages, name, asks_lost_reason, ...given }: Parsed<Operations['createPipeline']>,
) {
  const schema = await lockSchema(context)
  refuseMore(schema.pipelines.length, mostPipelines, 'pipelines', null)
  const key = given.key ?? freeKey(keyFrom(name, schema.pipelines.length), pipelineKeys(schema))
  if (pipelineKeys(schema).has(key)) throw refused('key', 'A pipeline with this key already exists', 'conflict')
  refuseName('name', name, schema.pipelines)
  if (!stages.some(({ kind }) => kind === 'open')) throw refused('stages', 'Add at least one open stage')
  const id = randomUUIDv7()
  await insert(context, 'pipelines', [{ id, key, name, asks_lost_reason, position: schema.pipelines.length }])
  const taken = stageKeys(schema)
  const rows = stages.map((stage, position) => {
    refuseFields(schema, stage.required_fields, `stages.${position}.required_fields`)
    refuseName(`stages.${position}.name`, stage.name, stages.slice(0, position))
    return { ...stageRow(stage, taken, `stages.${position}`, key), pipeline_id: id, position }
  })
  await insert(context, 'stages', rows)
  return changed(context, key, { pipeline: key })
}

export async function updatePipeline(
  context: Context,
  { pipeline: key, position, is_archived, ...plain }: Parsed<Operations['updatePipeline']>,
) {
  const schema = await lockSchema(context)
  const pipeline = pipelineCalled(schema, key)
  const others = schema.pipelines.filter(({ id }) => id !== pipeline.id)
  if (plain.name !== undefined) refuseName('name', plain.name, others)
  if (is_archived && others.every(({ archived_at }) => archived_at))
    throw refused('is_archived', 'At least one pipeline is required', 'conflict')
  if (is_archived && !pipeline.archived_at) await refuseOpenDeals(context, schema, pipeline.stages)
  const values = { ...plain, ...archiving(context, is_archived) }
  if (Object.keys(values).length) await update(context, 'pipelines', pipeline.id, values)
  if (position !== undefined) await move(context, 'pipelines', schema.pipelines, pipeline.id, position)
  return changed(context, key, { pipeline: key, ...plain, is_archived, position })
}

export async function createStage(
  context: Context,
  { pipeline: pipelineKey, position, ...stage }: Parsed<Operations['createStage']>,
) {
  const schema = await lockSchema(context)
  const pipeline = pipelineCalled(schema, pipelineKey)
  refuseMore(pipeline.stages.length, mostStages, 'stages per pipeline', null)
  refuseName('name', stage.name, pipeline.stages)
  refuseFields(schema, stage.required_fields, 'required_fields')
  const row = stageRow(stage, stageKeys(schema), '', pipeline.key)
  await insert(context, 'stages', [{ ...row, pipeline_id: pipeline.id, position: pipeline.stages.length }])
  if (position !== undefined) await move(context, 'stages', [...pipeline.stages, row], row.id, position)
  return changed(context, pipeline.key, { pipeline: pipeline.key, stage: row.key })
}

export async function updateStage(
  context: Context,
  { stage: key, position, is_archived, ...plain }: Parsed<Operations['updateStage']>,
) {
  const schema = await lockSchema(context)
  const stage = stageCalled(schema.pipelines, key)
  if (!stage) throw new AppError('not_found', `There is no stage ${key}. List the pipelines to see their stages.`)
  const { stages } = stage.pipeline
  if (plain.name !== undefined)
    refuseName(
      'name',
      plain.name,
      stages.filter(({ id }) => id !== stage.id),
    )
  if (plain.required_fields) refuseFields(schema, plain.required_fields, 'required_fields')
  await refuseUnfit(context, schema, stage, plain.kind ?? stage.kind, is_archived ?? false)
  const values = { ...plain, ...archiving(context, is_archived) }
  if (Object.keys(values).length) await update(context, 'stages', stage.id, values)
  if (position !== undefined) await move(context, 'stages', stages, stage.id, position)
  return changed(context, stage.pipeline.key, { stage: key, ...plain, is_archived, position })
}

async function changed(context: Context, key: string, data: Record<string, unknown>): Promise<Pipeline> {
  const { pipelines: all } = await announceSchema(context, data)
  return describePipeline(all.find((pipeline) => pipeline.key === key)!, true)
}

/** Deals of a stage have the status of its kind, and open ones must stay in sight. */
async function refuseUnfit(context: Context, schema: Schema, stage: PlacedStage, kind: string, isArchived: boolean) {
  const isRemoved = isArchived && !stage.archived_at
  const path = isRemoved ? 'is_archived' : 'kind'
  if (kind === stage.kind && !isRemoved) return
  const left = stage.pipeline.stages.filter(({ id }) => id !== stage.id)
  if ((kind !== 'open' || isRemoved) && !firstStage({ ...stage.pipeline, stages: left }))
    throw refused(path, 'A pipeline needs at least one open stage', 'conflict')
  if (isRemoved) await refuseOpenDeals(context, schema, [stage])
  if (kind !== stage.kind && (await countDeals(context, schema, [stage])))
    throw refused('kind', 'There are deals in this stage. Move them to another stage first', 'conflict')
}

async function refuseOpenDeals(context: Context, schema: Schema, stages: PipelineSchema['stages']) {
  const count = await countDeals(
    context,
    schema,
    stages.filter(({ kind }) => kind === 'open'),
  )
  if (!count) return
  const what = count === 1 ? 'There is an open deal in it. Move it' : `There are ${count} open deals in it. Move them`
  throw refused('is_archived', `${what} to another stage first`, 'conflict')
}

async function countDeals({ db, actor }: Context, schema: Schema, stages: PipelineSchema['stages']) {
  const deals = schema.builtIn.get('deals')!
  const { key, slot } = deals.builtIn.get('stage')!
  const stage = slot ? sql.ref(slot) : sql`match ->> ${key}`
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from records
    where company_id = ${actor!.company_id} and object_id = ${deals.id} and deleted_at is null
    and ${stage} = any(${stages.map((one) => one.key)}::text[])`.execute(db)
  return rows[0]!.count
}

function stageRow(stage: NewStage, taken: Set<string>, path: string, pipeline: string) {
  const { key: given, probability = usualProbability[stage.kind], ...plain } = stage
  if (given && taken.has(given))
    throw refused([path, 'key'].filter(Boolean).join('.'), 'A stage with this key already exists', 'conflict')
  const base = keyFrom(stage.name, taken.size)
  const key = given ?? (taken.has(base) ? freeKey(`${pipeline}_${base}`, taken) : base)
  taken.add(key)
  return { ...plain, id: randomUUIDv7(), key, probability }
}

const usualProbability = { open: null, won: 100, lost: 0 }

export function freeKey(base: string, taken: Set<string>) {
  let key = base.slice(0, 63)
  for (let n = 2; taken.has(key); n++) key = `${base.slice(0, 58)}_${n}`
  return key
}

const pipelineKeys = (schema: Schema) => new Set(schema.pipelines.map(({ key }) => key))
const stageKeys = (schema: Schema) => new Set(schema.pipelines.flatMap(({ stages }) => stages.map(({ key }) => key)))

function pipelineCalled(schema: Schema, key: string) {
  const pipeline = schema.pipelines.find((one) => one.key === key)
  if (pipeline) return pipeline
  const keys = schema.pipelines.map((one) => one.key).join(', ')
  throw new AppError('not_found', `There is no pipeline ${key}. Use one of: ${keys}`)
}

function refuseName(path: string, name: string, others: { name: string }[]) {
  if (others.some((other) => other.name.toLowerCase() === name.toLowerCase()))
    throw refused(path, `${name} already exists. Choose another name`, 'conflict')
}

/** What follows from the stage cannot be asked for on entering it. */
const derived = ['stage', 'pipeline', 'status', 'stage_entered_at', 'closed_at', 'probability']

function refuseFields(schema: Schema, keys: string[], path: string) {
  const deals = schema.builtIn.get('deals')!
  for (const [i, key] of keys.entries()) {
    const field = deals.byKey.get(key)
    if (!field) throw refused(`${path}.${i}`, `Deals have no field ${key}`)
    if (field.is_read_only || derived.includes(field.built_in_key ?? ''))
      throw refused(`${path}.${i}`, `${field.label} is set by the stage and cannot be required`)
  }
}

const archiving = ({ now }: Context, is_archived: boolean | undefined) =>
  is_archived === undefined ? {} : { archived_at: is_archived ? now : null }

async function insert(context: Context, table: 'pipelines' | 'stages', rows: object[]) {
  const params = new Params()
  const owned = rows.map((row) => ({ ...row, company_id: actorOf(context).company_id }))
  await run(context.db, insertingJson(table, owned)(params), params)
}
