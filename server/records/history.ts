// What somebody did, as far as they may still see the records: rights and owners change.
import { type Actor, actorOf, type Context } from '../kernel/context.ts'
import { Params, run } from '../kernel/statement.ts'
import { type Schema, schemaOf } from '../objects/schema.ts'
import { readable, rightsFor } from './rights.ts'

type Noted = { object: string; record_id: string }

/** Without changes of records that the caller may not read, and without change sets of which nothing is left. */
export async function stillSeen<Set extends { changes: Noted[] }>(context: Context, sets: Set[]): Promise<Set[]> {
  const actor = actorOf(context)
  if (actor.is_admin) return sets
  const schema = await schemaOf(context.db, actor)
  const reachOf = ({ object }: Noted) => (schema.objects.has(object) ? rightsFor(actor, object).read : 'all')
  const doubtful = sets.flatMap(({ changes }) => changes.filter((change) => reachOf(change) === 'own'))
  const own = await ownAmong(context, schema, actor, [...new Set(doubtful.map(({ record_id }) => record_id))])
  const isSeen = (change: Noted) => {
    const reach = reachOf(change)
    return reach === 'all' || (reach === 'own' && own.has(change.record_id))
  }
  return sets.flatMap((set) => {
    const changes = set.changes.filter(isSeen)
    return changes.length || !set.changes.length ? [{ ...set, changes }] : []
  })
}

/** In use or in the trash. */
async function ownAmong({ db }: Context, schema: Schema, actor: Actor, ids: string[]) {
  if (!ids.length) return new Set<string>()
  const params = new Params()
  const company = params.add(actor.company_id, 'uuid')
  const wanted = params.add(ids, 'uuid[]')
  const limits = [...schema.objects.values()].map((object) => {
    const limit = readable(actor, object, 'r', params)
    return `(r.object_id = ${params.add(object.id, 'uuid')}${limit && ` and ${limit}`})`
  })
  const rows = await run<{ id: string }>(
    db,
    `select r.id from records r where r.company_id = ${company} and r.id = any(${wanted}) and (${limits.join(' or ')})`,
    params,
  )
  return new Set(rows.map(({ id }) => id))
}
