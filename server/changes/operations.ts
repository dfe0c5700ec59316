import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { changes } from '../../contract/changes.ts'
import { actorOf } from '../kernel/context.ts'
import { newestFirst } from '../kernel/page.ts'
import type { Handlers } from '../kernel/run.ts'
import { stillSeen } from '../records/history.ts'
import { changesToUndo, undo } from '../records/undo.ts'

export const changeOperations: Handlers<typeof changes> = {
  async listChanges(context, { record_id, actor_id, api_key_id, by_key, client, since, until, ...page }) {
    const actor = actorOf(context)
    let rows = context.db
      .selectFrom('change_sets as s')
      .leftJoin('users as u', (join) =>
        join.onRef('u.company_id', '=', 's.company_id').onRef('u.id', '=', 's.actor_id'),
      )
      .leftJoin('api_keys as k', (join) =>
        join.onRef('k.company_id', '=', 's.company_id').onRef('k.id', '=', 's.api_key_id'),
      )
      .select([
        's.id',
        's.at',
        's.operation',
        's.actor_id',
        'u.name as actor_name',
        's.door',
        's.api_key_id',
        'k.name as api_key_name',
        's.client',
      ])
      .select(['s.request_id', 's.undo_of', 's.undone_by'])
      .select((eb) =>
        jsonArrayFrom(
          eb
            .selectFrom('changes as c')
            .select(['c.object', 'c.record_id', 'c.action', 'c.fields'])
            .whereRef('c.company_id', '=', 's.company_id')
            .whereRef('c.change_set_id', '=', 's.id')
            .orderBy('c.position'),
        ).as('changes'),
      )
      .where('s.company_id', '=', actor.company_id)
    if (!actor.is_admin) rows = rows.where('s.actor_id', '=', actor.user_id)
    if (record_id) {
      rows = rows.where((eb) =>
        eb.exists(
          eb
            .selectFrom('changes as t')
            .whereRef('t.company_id', '=', 's.company_id')
            .whereRef('t.change_set_id', '=', 's.id')
            .where('t.record_id', '=', record_id),
        ),
      )
    }
    if (actor_id) rows = rows.where('s.actor_id', '=', actor_id)
    if (api_key_id) rows = rows.where('s.api_key_id', '=', api_key_id)
    if (by_key !== undefined) rows = rows.where('s.api_key_id', by_key ? 'is not' : 'is', null)
    if (client) rows = rows.where('s.client', 'ilike', `${client.replace(/[\\%_]/g, '\\$&')}%`)
    if (since) rows = rows.where('s.at', '>=', new Date(since))
    if (until) rows = rows.where('s.at', '<', new Date(until))
    const { items, next_cursor } = await newestFirst(rows, 's.id', page)
    const seen = await stillSeen(context, items)
    return { items: seen.map((row) => ({ ...row, at: row.at.toISOString() })) as never, next_cursor }
  },

  async undoChanges(context, { change_set_ids, dry_run, ...window }) {
    const changes = await changesToUndo(context, change_set_ids, window)
    return undo(context, changes, dry_run)
  },
}
