import { AppError } from '../../kernel/app-error.ts'
import { actorOf } from '../../kernel/context.ts'
import { Params, run } from '../../kernel/statement.ts'
import { readable } from '../rights/rights.ts'
import type { ObjectSchema } from '../schema/schema.ts'
import type { Target } from '../schema/target.ts'
import { type Stored, storedColumns } from '../values/from-row.ts'

/** The rows that the caller may read, held against other writers, always in the same order. */
export const lock = (target: Target, ids: string[]) => lockWhere(target, ids, 'r.deleted_at is null')
export const lockInTrash = (target: Target, ids: string[]) => lockWhere(target, ids, 'r.deleted_at is not null')

async function lockWhere({ context, object }: Target, ids: string[], where: string) {
  const actor = actorOf(context)
  const params = new Params()
  const limit = readable(actor, object, 'r', params)
  const rows = await run<Stored>(
    context.db,
    `select ${storedColumns} from records r where r.company_id = ${params.add(actor.company_id, 'uuid')} and r.id = any(${params.add(ids, 'uuid[]')})
      and r.object_id = ${params.add(object.id, 'uuid')} and ${where}${limit && ` and ${limit}`} order by r.id for update`,
    params,
  )
  return new Map(rows.map((row) => [row.id, row]))
}

export const noSuchRecord = (object: ObjectSchema, path: string) =>
  new AppError('not_found', `There is no such ${object.label.toLowerCase()}, or not one that you may see.`, {
    errors: [{ path, message: 'There is no such record' }],
  })
