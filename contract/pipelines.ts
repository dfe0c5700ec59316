// Pipelines and their stages. They are the options of the fields pipeline and stage of deals, so filters, views and
// files refer to them as to any option.
import * as z from 'zod'
import { optionColors, stageKinds } from './objects.ts'
import { operation } from './operation.ts'
import { isInherited } from './shared/own.ts'
import { nameOf } from './shared/shapes.ts'

export const mostPipelines = 100
export const mostStages = 100

const key = z.string().regex(/^[a-z][a-z0-9_]{0,62}$/, 'Use lowercase letters, digits and _, starting with a letter')
const newKey = key
  .refine((text) => !isInherited(text), 'This word is reserved. Choose another key')
  .optional()
  .describe('Derived from the name if omitted; cannot be changed')
const pipelineKey = key.describe('Key of the pipeline, such as sales')
const stageKey = key.describe('Key of the stage, such as proposal')
const name = nameOf('Enter a name')
const position = z.int().min(0).max(1000).optional().describe('Position in the list, from 0')

export const Stage = z
  .strictObject({
    key: z.string().describe('Unique in the company'),
    name: z.string(),
    color: z.enum(optionColors).meta({ forAgents: 'hidden' }),
    kind: z.enum(stageKinds),
    probability: z.int().nullable().describe('Probability of deals in this stage, in percent, unless set on the deal'),
    required_fields: z.array(z.string()).describe('Fields that must have a value before a deal can enter the stage'),
    stuck_after_days: z
      .int()
      .nullable()
      .describe('Days after which an open deal in this stage is flagged as stuck; null: never'),
    is_archived: z.boolean(),
  })
  .meta({ id: 'Stage', forAgents: 'sparse' })
export type Stage = z.output<typeof Stage>

export const Pipeline = z
  .strictObject({
    key: z.string(),
    name: z.string(),
    asks_lost_reason: z.boolean().describe('Whether lost deals require a lost_reason'),
    is_archived: z.boolean(),
    stages: z.array(Stage).describe('Stages in order'),
  })
  .meta({ id: 'Pipeline', forAgents: 'sparse' })
export type Pipeline = z.output<typeof Pipeline>

const stageFields = {
  name,
  color: z.enum(optionColors).describe('Color in the web app'),
  kind: z.enum(stageKinds).describe('Whether deals in this stage are open, won or lost'),
  probability: z.int().min(0).max(100).nullable().describe('Probability in percent; null: none'),
  required_fields: z
    .array(key)
    .max(20)
    .describe('Keys of fields that must have a value before a deal can enter the stage'),
  stuck_after_days: z
    .int()
    .min(1)
    .max(3650)
    .nullable()
    .describe('Days after which open deals are flagged as stuck; null: never'),
}
/** `probability`: 100 for won and 0 for lost unless given. */
const newStage = {
  key: newKey,
  name,
  color: stageFields.color.default('gray'),
  kind: stageFields.kind.default('open'),
  probability: stageFields.probability.optional(),
  required_fields: stageFields.required_fields.default([]),
  stuck_after_days: stageFields.stuck_after_days.default(null),
}

export const pipelines = {
  listPipelines: operation({
    summary: 'List pipelines and their stages',
    http: 'GET /pipelines',
    replaces: [{ fields: { archived: 'include_archived' } }],
    access: 'member',
    effect: 'read',
    input: z.strictObject({ include_archived: z.boolean().optional().describe('Include archived ones') }),
    output: z.strictObject({ items: z.array(Pipeline) }).meta({ id: 'Pipelines' }),
    tool: 'Lists pipelines with their stages, probabilities and required fields. Use it before moving deals.',
  }),
  createPipeline: operation({
    summary: 'Create a pipeline',
    http: 'POST /pipelines',
    access: 'objects.manage',
    effect: 'add',
    input: z.strictObject({
      name: name.describe('e.g. Renewals'),
      key: newKey,
      asks_lost_reason: z.boolean().default(true).describe('Whether lost deals require a lost_reason'),
      stages: z
        .array(z.strictObject(newStage))
        .max(mostStages)
        .optional()
        .describe('Stages in order, at least one of them open. Default: New, Won and Lost'),
    }),
    output: Pipeline,
  }),
  updatePipeline: operation({
    summary: 'Update a pipeline',
    http: 'PATCH /pipelines/:pipeline',
    access: 'objects.manage',
    effect: 'change',
    input: z.strictObject({
      pipeline: pipelineKey,
      name: name.optional(),
      position,
      asks_lost_reason: z.boolean().optional().describe('Whether lost deals require a lost_reason'),
      is_archived: z
        .boolean()
        .optional()
        .describe('Archived pipelines are hidden. Only pipelines without open deals can be archived'),
    }),
    output: Pipeline,
  }),
  createStage: operation({
    summary: 'Add a stage to a pipeline',
    http: 'POST /pipelines/:pipeline/stages',
    access: 'objects.manage',
    effect: 'add',
    input: z.strictObject({ pipeline: pipelineKey, ...newStage, position }),
    output: Pipeline,
  }),
  updateStage: operation({
    summary: 'Update a stage',
    http: 'PATCH /stages/:stage',
    access: 'objects.manage',
    effect: 'change',
    input: z.strictObject({
      stage: stageKey,
      ...z.strictObject(stageFields).partial().shape,
      position: position.describe('Position in its pipeline, from 0'),
      is_archived: z
        .boolean()
        .optional()
        .describe('Archived stages are hidden. Only stages without open deals can be archived'),
    }),
    output: Pipeline,
  }),
}
