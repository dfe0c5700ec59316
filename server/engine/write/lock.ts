import { inSentence } from '../../../contract/shared/in-sentence.ts'
import { AppError } from '../../kernel/app-error.ts'
import { actorOf, mayNameRecords } from '../../kernel/context.ts'
import { Params, run } from '../../kernel/statement.ts'
import { titlesOf } from '../names/find-titles.ts'
import { keptInstead } from '../names/merged.ts'
import { readable } from '../rights/rights.ts'
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

/** `id`: if the record was merged, the error names the one that was kept. */
export async function noSuchRecord({ context, schema, object }: Target, path: string, id?: string) {
  const { company_id } = actorOf(context)
  const kept = id && mayNameRecords(context) ? (await keptInstead(context.db, company_id, [id])).get(id) : undefined
  const [record] = kept ? await titlesOf(context, schema, [kept]) : []
  const label = inSentence(object.label)
  if (record?.object !== object.key)
    return new AppError('not_found', `This ${label} does not exist, or you do not have access to it.`, {
      errors: [{ path, message: 'Record not found' }],
    })
  const message = `This ${label} was merged into ${record.title} (${record.id})`
  return new AppError('not_found', `${message}. Use that ID.`, { errors: [{ path, message, record }] })
}
