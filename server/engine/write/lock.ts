import { inSentence } from '../../../contract/shared/in-sentence.ts'
import { AppError } from '../../kernel/app-error.ts'
import { actorOf } from '../../kernel/context.ts'
import { Params, run } from '../../kernel/statement.ts'
import { readable } from '../rights/rights.ts'
import type { ObjectSchema } from '../schema/schema.ts'
import type { Target } from '../schema/target.ts'
import { type Stored, storedColumns } from '../values/from-row.ts'

/** Locks the rows that the caller may read, always in the same order, so that writers cannot deadlock. */
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
  new AppError('not_found', `This ${inSentence(object.label)} does not exist, or you do not have access to it.`, {
    errors: [{ path, message: 'Record not found' }],
  })
