// Whose history somebody may see: that of records which they may read now, for rights and owners change.
import { type Actor, actorOf, type Context } from '../../kernel/context.ts'
import type { Params } from '../../kernel/statement.ts'
import { titlesOf } from '../names/titles.ts'
import { readable, rightsFor } from '../rights/rights.ts'
import { type Schema, schemaOf } from '../schema/schema.ts'

/** Limits the changes called `alias` to those the actor may see. What is no record, such as a role, is not limited. */
export function visibleChanges(actor: Actor, schema: Schema, alias: string, params: Params) {
  const objects = [...schema.objects.values()]
  const hidden = objects.filter(({ key }) => rightsFor(actor, key).read === 'none').map(({ key }) => key)
  const own = objects.filter(({ key }) => rightsFor(actor, key).read === 'own')
  const limits = own.map(
    (object) => `(${alias}.object <> ${params.add(object.key, 'text')} or exists (select 1 from records r
      where r.company_id = ${alias}.company_id and r.id = ${alias}.record_id and ${readable(actor, object, 'r', params)}))`,
  )
  return [...(hidden.length ? [`${alias}.object <> all(${params.add(hidden, 'text[]')})`] : []), ...limits]
}

/** In use or in the trash. */
export async function mayReadRecord(context: Context, id: string) {
  const schema = await schemaOf(context.db, actorOf(context))
  return (await titlesOf(context, schema, [id], true)).length > 0
}
