// People look at what agents changed and mark it as good. Only those who could undo a change set can review it.
import { AppError } from '../kernel/app-error.ts'
import { actorOf, type Context } from '../kernel/context.ts'
import { Params, run } from '../kernel/statement.ts'

export async function reviewChanges(context: Context, { change_set_ids }: { change_set_ids: string[] }) {
  const { company_id, user_id, is_admin } = actorOf(context)
  const ids = [...new Set(change_set_ids)]
  const params = new Params()
  const conditions = [
    `s.company_id = ${params.add(company_id, 'uuid')}`,
    `s.id = any(${params.add(ids, 'uuid[]')})`,
    ...(is_admin ? [] : [`s.actor_id = ${params.add(user_id, 'uuid')}`]),
  ]
  const found = await run<{ id: string }>(
    context.db,
    `select s.id from change_sets s where ${conditions.join(' and ')}`,
    params,
  )
  if (found.length < ids.length)
    throw new AppError('not_found', 'Change set not found. List the changes to get their IDs.')
  const added = await context.db
    .insertInto('reviewed_change_sets')
    .values(found.map(({ id }) => ({ company_id, user_id, change_set_id: id, at: context.now })))
    .onConflict((conflict) => conflict.doNothing())
    .returning('change_set_id')
    .execute()
  return { reviewed: added.length }
}
