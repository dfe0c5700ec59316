// What records of any object are called: for relations, which may lead anywhere.
import { actorOf, type Context } from '../kernel/context.ts'
import { Params, run } from '../kernel/statement.ts'
import { schemaOf } from '../objects/schema.ts'
import { readable, readableObjects } from './rights.ts'

/** Left out: those that are gone, or not for this user to see; in the trash unless asked for. */
export async function titlesOf(context: Context, ids: string[], deleted = false) {
  const actor = actorOf(context)
  const schema = await schemaOf(context.db, actor)
  const params = new Params()
  const company = params.add(actor.company_id, 'uuid')
  const these = params.add(ids, 'uuid[]')
  const ways = readableObjects(schema, actor).map((object) => {
    const limit = readable(actor, object, 'r', params)
    return `(r.object_id = ${params.add(object.id, 'uuid')}${limit && ` and ${limit}`})`
  })
  if (!ways.length) return { items: [] }
  const rows = await run<{ id: string; object_id: string; title: string }>(
    context.db,
    `select r.id, r.object_id, r.title from records r where r.company_id = ${company} and r.id = any(${these})${deleted ? '' : ' and r.deleted_at is null'} and (${ways.join(' or ')})`,
    params,
  )
  return { items: rows.map(({ id, object_id, title }) => ({ object: schema.byId.get(object_id)!.key, id, title })) }
}
