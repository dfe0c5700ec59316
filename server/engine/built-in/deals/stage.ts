// What the stage of a deal decides: its pipeline, status, probability and closing time, and what it needs on entering.
import type { FieldError } from '../../../../contract/shared/errors.ts'
import { own } from '../../../../contract/shared/own.ts'
import { firstStage, isArchived, type PipelineSchema, stageCalled } from '../../schema/pipeline-schema.ts'
import { builtInInUse, type ObjectSchema } from '../../schema/schema.ts'
import { builtInValue, keptOr, type ObjectContext, type Origin, withBuiltIn } from '../../values/built-in-values.ts'
import type { Values } from '../../values/from-row.ts'
import { findOption } from '../../values/read-values.ts'

/** The values that follow from the stage. A pipeline alone means its first open stage. */
export function withStage(place: ObjectContext, values: Values, origin: Origin): Values {
  const { object } = place
  const { before, now } = origin
  const key = chosenStage(place, values, origin)
  const stage = stageCalled(place.schema.pipelines, key)
  const status = kindOf(place, key)
  const wasClosed = before && builtInValue(object, before, 'status') === status
  return withBuiltIn(object, values, {
    stage: key,
    status,
    ...(stage && { pipeline: stage.pipeline.key }),
    closed_at: status === 'open' ? undefined : keptOr(object, values, 'closed_at', !wasClosed, now),
    stage_entered_at: key === undefined ? undefined : enteredAt(object, key, values, origin),
    ...probability(place, key, values, origin),
  })
}

function chosenStage({ schema, object }: ObjectContext, values: Values, { sent }: Origin): string | undefined {
  const key = builtInValue(object, values, 'stage') as string | undefined
  if (!isSent(object, sent, 'pipeline') || isSent(object, sent, 'stage')) return key
  const pipeline = schema.pipelines.find((one) => one.key === builtInValue(object, values, 'pipeline'))
  if (!pipeline || pipeline.stages.some((stage) => stage.key === key)) return key
  return firstStage(pipeline)?.key ?? key
}

/** The option has it too, which counts while a company has no pipelines yet. */
function kindOf({ schema, object }: ObjectContext, key: string | undefined) {
  const options = object.builtIn.get('stage')?.options
  return stageCalled(schema.pipelines, key)?.kind ?? options?.find((option) => option.key === key)?.kind ?? 'open'
}

function enteredAt(object: ObjectSchema, stage: string, values: Values, { before, now, isImported }: Origin) {
  const given = builtInValue(object, values, 'stage_entered_at')
  const closed = builtInValue(object, values, 'closed_at')
  // A deal that comes from elsewhere and was closed there has been in its stage since then.
  if (!before && isImported && closed) return closed
  const isMoved = !before || builtInValue(object, before, 'stage') !== stage
  // Callers cannot write it, so a different value comes from an undo.
  const isRestored = before && given !== builtInValue(object, before, 'stage_entered_at')
  return isMoved && !isRestored ? now.toISOString() : given
}

/** A probability that someone entered is kept in open stages. */
function probability(place: ObjectContext, key: string | undefined, values: Values, { before, sent }: Origin): Values {
  const { object, schema } = place
  const stage = stageCalled(schema.pipelines, key)
  const was = before && stageCalled(schema.pipelines, builtInValue(object, before, 'stage'))
  if (!stage || !sent || stage.key === was?.key || !builtInInUse(object, 'probability')) return {}
  if (before ? own(sent, object.builtIn.get('probability')!.key) !== undefined : isSent(object, sent, 'probability'))
    return {}
  const now = builtInValue(object, values, 'probability') ?? null
  if (stage.kind === 'open' && now !== null && now !== was?.probability) return {}
  return { probability: stage.probability ?? undefined }
}

const isSent = (object: ObjectSchema, sent: Values | undefined, key: string) =>
  !isEmpty(sent && builtInValue(object, sent, key))
const isEmpty = (value: unknown) => value === null || value === undefined || value === ''

/** Errors in a change to a deal: values that contradict each other, and what its new stage needs. */
export function dealFaults(place: ObjectContext, values: Values, origin: Origin, path: string): FieldError[] {
  const { object, schema } = place
  if (object.built_in_key !== 'deals') return []
  const fault = (key: string, message: string) => ({ path: `${path}.${object.builtIn.get(key)?.key ?? key}`, message })
  const faults: FieldError[] = []
  if (builtInValue(object, values, 'status') === 'open' && isSent(object, origin.sent, 'closed_at'))
    faults.push(fault('closed_at', 'Only a won or lost deal has a closing time. Change its stage as well'))
  const stage = stageCalled(schema.pipelines, builtInValue(object, values, 'stage'))
  if (!stage || (origin.before && builtInValue(object, origin.before, 'stage') === stage.key)) return faults
  if (isArchived(stage)) faults.push(fault('stage', `The stage ${stage.name} is archived. Choose another one`))
  const { pipeline } = stage
  const sent = isSent(object, origin.sent, 'stage') && namedPipeline(place, origin.sent!)
  if (sent && sent.key !== pipeline.key)
    faults.push(fault('stage', `The stage ${stage.name} belongs to the pipeline ${pipeline.name}, not to ${sent.name}`))
  if (origin.isImported && stage.kind !== 'open') return faults
  for (const key of stage.required_fields)
    if (object.byKey.has(key) && isEmpty(own(values, key)))
      faults.push({ path: `${path}.${key}`, message: `Required to move a deal to ${stage.name}` })
  const isReasonKnown = !builtInInUse(object, 'lost_reason') || !isEmpty(builtInValue(object, values, 'lost_reason'))
  if (stage.kind === 'lost' && pipeline.asks_lost_reason && !isReasonKnown)
    faults.push(fault('lost_reason', 'Enter a lost reason'))
  return faults
}

function namedPipeline({ schema, object }: ObjectContext, sent: Values) {
  return pipelineCalled(schema.pipelines, builtInValue(object, sent, 'pipeline'))
}

/** By key or by name. */
export const pipelineCalled = (pipelines: PipelineSchema[], text: unknown) =>
  pipelines.find(({ key }) => key === text) ?? pipelines.find(({ name }) => isAlike(name, text))

/** Stages of several pipelines may share a name. It means that of the pipeline given, or of the deal's. */
export function withStageOfPipeline(place: ObjectContext, values: Values, before: Values | undefined): Values {
  const { schema, object } = place
  const [field, given] = [object.builtIn.get('stage'), builtInValue(object, values, 'stage')]
  if (object.built_in_key !== 'deals' || !field || isEmpty(given)) return values
  const isKey = stageCalled(schema.pipelines, given)
  const pipeline = namedPipeline(place, isKey ? values : { ...before, ...values })
  const stage = pipeline?.stages.find(({ name, archived_at }) => !archived_at && isAlike(name, given))
  return stage && isKey?.pipeline !== pipeline ? { ...values, [field.key]: stage.key } : values
}

export type DealStatus = 'open' | 'won' | 'lost'

/**
 * Files of other programs say that a deal is won or lost beside the stage in which that happened. `sent`: without defaults.
 * An open deal stays where the file has it.
 */
export function withStageOfStatus(
  place: ObjectContext,
  values: Values,
  { sent, before, status }: { sent: Values; before: Values | undefined; status: DealStatus },
): Values {
  const { schema, object } = place
  const field = object.builtIn.get('stage')
  if (!field || (status === 'open' && (!before || isSent(object, sent, 'stage')))) return values
  const stageOf = (from: Values | undefined) =>
    from && stageCalled(schema.pipelines, findOption(field, String(builtInValue(object, from, 'stage')))?.key)
  const stage = stageOf(sent) ?? stageOf(before)
  if (stage?.kind === status) return values
  const pipeline = stageOf(sent)?.pipeline ?? namedPipeline(place, sent) ?? (stage ?? stageOf(values))?.pipeline
  const wanted = pipeline?.stages.find(({ kind, archived_at }) => kind === status && !archived_at)
  return wanted ? { ...values, [field.key]: wanted.key } : values
}

const isAlike = (name: string, text: unknown) => typeof text === 'string' && name.toLowerCase() === text.toLowerCase()
