import { actorOf, type Context } from '../../kernel/context.ts'
import { Params, run } from '../../kernel/statement.ts'
import { readable } from '../rights/rights.ts'
import type { ObjectSchema } from '../schema/schema.ts'
import { type Stored, storedColumns } from '../values/from-row.ts'

/** Up to a hundred records that the caller may read, in the order asked for. */
export async function recordsById(context: Context, object: ObjectSchema, ids: string[]) {
  const actor = actorOf(context)
  const params = new Params()
  const limit = readable(actor, object, 'r', params)
  // Of a list PostgreSQL does not know the length and plans each time anew; of one it keeps the plan.
  const these = ids.length === 1 ? `r.id = ${params.add(ids[0], 'uuid')}` : `r.id = any(${params.add(ids, 'uuid[]')})`
  const rows = await run<Stored>(
    context.db,
    `select ${storedColumns} from records r where r.company_id = ${params.add(actor.company_id, 'uuid')} and ${these} and r.object_id = ${params.add(object.id, 'uuid')} and r.deleted_at is null${limit && ` and ${limit}`}`,
    params,
  )
  return new Map(rows.map((row) => [row.id, row]))
}
