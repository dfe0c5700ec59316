// Users see the history of records that they may read now, because rights and owners change over time.
import { type Actor, actorOf, type Context } from '../../kernel/context.ts'
import type { Params } from '../../kernel/statement.ts'
import { titlesOf } from '../names/find-titles.ts'
import { readable } from '../rights/rights.ts'
import { type Schema, schemaOf } from '../schema/schema.ts'

/** Limits the changes in `alias` to those the actor may see. Changes to anything but records are not limited. */
export function visibleChanges(actor: Actor, schema: Schema, alias: string, params: Params) {
  return [...schema.objects.values()].flatMap((object) => {
    const limit = readable(actor, object, 'r', params)
    if (!limit) return []
    return `(${alias}.object <> ${params.add(object.key, 'text')} or exists (select 1 from records r
      where r.company_id = ${params.add(actor.company_id, 'uuid')} and r.id = ${alias}.record_id and ${limit}))`
  })
}

/** Also for records in the trash. */
export async function mayReadRecord(context: Context, id: string) {
  const schema = await schemaOf(context.db, actorOf(context))
  return (await titlesOf(context, schema, [id], true)).length > 0
}
