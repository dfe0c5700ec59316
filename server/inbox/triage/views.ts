import { randomUUIDv7 } from 'node:crypto'
import { mostInboxViews } from '../../../contract/conversations.ts'
import type { inboxViews } from '../../../contract/inbox-views.ts'
import type { Output } from '../../../contract/operation.ts'
import { AppError } from '../../kernel/app-error.ts'
import { actorOf, type Context } from '../../kernel/context.ts'
import { lockToAdd, refuseMore } from '../../kernel/limits.ts'
import type { Handlers } from '../../kernel/run.ts'
import { audiencesOf } from '../access/visible.ts'
import { filterError, readConversationFilter } from './filter.ts'

type View = Output<typeof inboxViews.createInboxView>

export const inboxViewOperations: Handlers<typeof inboxViews> = {
  async listInboxViews(context) {
    const rows = await visibleViews(context).orderBy('position').orderBy('id').execute()
    return { items: await shown(context, rows) }
  },

  async createInboxView(context, { name, filter, is_shared }) {
    const { company_id, user_id } = actorOf(context)
    await check(context, filter)
    await lockToAdd(context, 'inbox views')
    const own = (await visibleViews(context).execute()).filter(({ owner_id }) => owner_id === user_id)
    refuseMore(own.length, mostInboxViews, 'inbox views')
    const row = { id: randomUUIDv7(), name, filter: filter || null, is_shared, owner_id: user_id }
    await context.db
      .insertInto('inbox_views')
      .values({ ...row, company_id, position: own.length })
      .execute()
    return (await shown(context, [row]))[0]!
  },

  async updateInboxView(context, { id, name, filter, is_shared }) {
    const before = await ownView(context, id)
    if (filter !== undefined) await check(context, filter)
    const row = {
      ...before,
      ...(name !== undefined && { name }),
      ...(filter !== undefined && { filter: filter || null }),
      ...(is_shared !== undefined && { is_shared }),
    }
    await context.db
      .updateTable('inbox_views')
      .set({ name: row.name, filter: row.filter, is_shared: row.is_shared })
      .where('company_id', '=', actorOf(context).company_id)
      .where('id', '=', id)
      .execute()
    return (await shown(context, [row]))[0]!
  },

  async deleteInboxView(context, { id }) {
    await ownView(context, id)
    await context.db
      .deleteFrom('inbox_views')
      .where('company_id', '=', actorOf(context).company_id)
      .where('id', '=', id)
      .execute()
    return {}
  },
}

function visibleViews(context: Context) {
  const { company_id, user_id } = actorOf(context)
  return context.db
    .selectFrom('inbox_views')
    .select(['id', 'name', 'filter', 'is_shared', 'owner_id'])
    .where('company_id', '=', company_id)
    .where((eb) => eb.or([eb('owner_id', '=', user_id), eb('is_shared', '=', true)]))
}

type Row = { id: string; name: string; filter: string | null; is_shared: boolean; owner_id: string }

async function shown(context: Context, rows: Row[]): Promise<View[]> {
  const audiences = await audiencesOf(context)
  const views: View[] = []
  for (const { owner_id, ...row } of rows)
    views.push({
      ...row,
      filter_error: await filterError(context, audiences, row.filter),
      is_mine: owner_id === actorOf(context).user_id,
    })
  return views
}

const check = async (context: Context, filter: string | null) =>
  readConversationFilter(context, await audiencesOf(context), filter ?? undefined)

async function ownView(context: Context, id: string): Promise<Row> {
  const row = await visibleViews(context).where('id', '=', id).executeTakeFirst()
  if (!row) throw new AppError('not_found', 'View not found. It may have been deleted.')
  if (row.owner_id !== actorOf(context).user_id)
    throw new AppError('forbidden', 'Only the owner of a shared view can change it. Create your own.')
  return row
}
