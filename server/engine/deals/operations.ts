import type { deals } from '../../../contract/deals.ts'
import { AppError } from '../../kernel/app-error.ts'
import { actorOf, type Context } from '../../kernel/context.ts'
import type { Handlers } from '../../kernel/run.ts'
import { answer } from '../records/describe-written.ts'
import { findObject, refuse, rightsFor } from '../rights/rights.ts'
import { schemaOf } from '../schema/schema.ts'
import type { Target } from '../schema/target.ts'
import { updateRecords } from '../write/update.ts'
import { listDealStages } from './stage-history.ts'

export const dealOperations: Handlers<typeof deals> = {
  moveDeal: {
    async mayRepeat(context) {
      const { object } = await dealsOf(context)
      const actor = actorOf(context)
      if (rightsFor(actor, object.key).edit === 'none') throw refuse(actor, 'edit', object)
    },
    async handle(context, { ids, stage, pipeline, values = {}, dry_run }) {
      const target = await dealsOf(context)
      const keyOf = (name: string) => target.object.builtIn.get(name)!.key
      const moved = { [keyOf('stage')]: stage, ...(pipeline && { [keyOf('pipeline')]: pipeline }) }
      const updates = ids.map((id, i) => ({ id, values: { ...values, ...moved }, path: `deals.${i}` }))
      return answer(target, await updateRecords(target, updates, dry_run), 'changed')
    },
  },

  async listDealStages(context, { id }) {
    return { items: await listDealStages(await dealsOf(context), id) }
  },
}

async function dealsOf(context: Context): Promise<Target> {
  const actor = actorOf(context)
  const schema = await schemaOf(context.db, actor)
  const deals = schema.builtIn.get('deals')
  if (!deals) throw new AppError('not_found', 'This company has no deals.')
  return { context, schema, object: findObject(schema, actor, deals.key) }
}
