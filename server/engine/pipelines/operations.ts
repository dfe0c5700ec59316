import type { pipelines } from '../../../contract/pipelines.ts'
import { actorOf } from '../../kernel/context.ts'
import type { Handlers } from '../../kernel/run.ts'
import { schemaOf } from '../schema/schema.ts'
import { describePipeline } from './describe-pipeline.ts'
import { createPipeline, createStage, updatePipeline, updateStage } from './edit.ts'

export const pipelineOperations: Handlers<typeof pipelines> = {
  async listPipelines(context, { include_archived: archived = false }) {
    const schema = await schemaOf(context.db, actorOf(context))
    const list = schema.pipelines.filter(({ archived_at }) => archived || !archived_at)
    return { items: list.map((pipeline) => describePipeline(pipeline, archived)) }
  },

  createPipeline,
  updatePipeline,
  createStage,
  updateStage,
}
