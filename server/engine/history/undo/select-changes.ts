// Which changes a call undoes.
import { mostUndone } from '../../../../contract/changes.ts'
import { AppError } from '../../../kernel/app-error.ts'
import { actorOf, type Context } from '../../../kernel/context.ts'
import { escapeLike, Params, run } from '../../../kernel/statement.ts'
import { alreadyUndone, type PastChange } from './past-change.ts'

type Selection = {
  ids?: string[] | undefined
  record_ids?: string[] | undefined
  api_key_id?: string | undefined
  client?: string | undefined
  since?: string | undefined
  until?: string | undefined
}

/** The selected changes, newest first. Only an Admin can undo the changes of others. */
export async function changesToUndo(
  context: Context,
  { ids, record_ids, api_key_id, client, since, until }: Selection,
) {
  const actor = actorOf(context)
  const params = new Params()
  const conditions = [`s.company_id = ${params.add(actor.company_id, 'uuid')}`]
  if (!actor.is_admin) conditions.push(`s.actor_id = ${params.add(actor.user_id, 'uuid')}`)
  if (ids) conditions.push(`s.id = any(${params.add(ids, 'uuid[]')})`)
  const key = api_key_id ?? (ids || client ? undefined : actor.api_key_id)
  if (key) conditions.push(`s.api_key_id = ${params.add(key, 'uuid')}`)
  else if (!ids && !client)
    throw new AppError('invalid_input', 'Specify what to undo: change_set_ids, api_key_id or client.', {
      errors: [{ path: 'change_set_ids', message: 'Specify what to undo' }],
    })
  if (client) conditions.push(`s.client ilike ${params.add(`${escapeLike(client)}%`)}`)
  if (!ids && !since)
    throw new AppError('invalid_input', 'Specify "since", the start of the time window to undo.', {
      errors: [{ path: 'since', message: 'Use a time such as 2026-06-15T12:00:00Z' }],
    })
  if (since) conditions.push(`s.at >= ${params.add(since, 'timestamptz')}`)
  if (until) conditions.push(`s.at < ${params.add(until, 'timestamptz')}`)
  const isSelected = record_ids ? `c.record_id = any(${params.add(record_ids, 'uuid[]')})` : 'true'
  const [counted] = await run<{ count: number; total: number; ids: string[]; is_undone: boolean }>(
    context.db,
    `select count(*) filter (where ${isSelected})::int as count, count(*)::int as total,
      coalesce(array_agg(distinct s.id) filter (where ${isSelected}), '{}') as ids,
      bool_and(s.undone_by is not null) as is_undone from change_sets s
      join changes c on c.company_id = s.company_id and c.change_set_id = s.id where ${conditions.join(' and ')}`,
    params,
  )
  const unknown = ids?.find((id) => !counted!.ids.includes(id))
  if (unknown)
    throw new AppError(
      'not_found',
      `Change set ${unknown} does not exist, or you cannot undo it. List changes to get their IDs.`,
    )
  if (counted!.count > mostUndone && counted!.is_undone)
    throw new AppError('conflict', `${alreadyUndone}. To bring the changes back, undo the change set in undone_by.`)
  const isWhole = counted!.count === counted!.total
  if (counted!.count > mostUndone && !isWhole)
    throw new AppError(
      'invalid_input',
      `Undo changes to at most ${mostUndone} records at once. Send fewer record_ids.`,
      {
        errors: [{ path: 'record_ids', message: 'Send fewer' }],
      },
    )
  if (counted!.count > mostUndone) return { ...counted!, isWhole, changes: [] }
  const changes = await run<PastChange>(
    context.db,
    `select c.change_set_id, c.object, c.record_id, c.action, c.fields, c.version, s.operation, s.undone_by from change_sets s
      join changes c on c.company_id = s.company_id and c.change_set_id = s.id
      where ${conditions.join(' and ')} and ${isSelected} order by c.version desc nulls last, s.id desc, c.position desc`,
    params,
  )
  return { ...counted!, isWhole, changes }
}

/** The newest of the caller: made with the same key, or in the web app. Undoing is not one of them. */
export async function lastChangeSets(context: Context, count: number) {
  const actor = actorOf(context)
  const params = new Params()
  const company = params.add(actor.company_id, 'uuid')
  const byKey = actor.api_key_id ? `= ${params.add(actor.api_key_id, 'uuid')}` : 'is null'
  const rows = await run<{ id: string }>(
    context.db,
    `select s.id from change_sets s where s.company_id = ${company} and s.actor_id = ${params.add(actor.user_id, 'uuid')}
      and s.api_key_id ${byKey} and s.undone_by is null and s.undo_of is null
      and exists (select from changes c where c.company_id = ${company} and c.change_set_id = s.id)
      order by s.id desc limit ${params.add(count, 'int')}`,
    params,
  )
  if (!rows.length) throw new AppError('not_found', 'You have no changes to undo.')
  return rows.map(({ id }) => id)
}
