import { actorOf, type Context } from '../../kernel/context.ts'
import { findObject } from '../rights/rights.ts'
import { schemaOf } from '../schema/schema.ts'
import type { Target } from '../schema/target.ts'

export async function targetOf(context: Context, key: string): Promise<Target> {
  const actor = actorOf(context)
  const schema = await schemaOf(context.db, actor)
  return { context, schema, object: findObject(schema, actor, key) }
}
