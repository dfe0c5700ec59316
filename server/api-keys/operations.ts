import { type apiKeys, mostKeys } from '../../contract/api-keys.ts'
import { AppError } from '../kernel/app-error.ts'
import { actorOf, type Context } from '../kernel/context.ts'
import type { Handlers } from '../kernel/run.ts'
import { insertKey, listKeys } from './queries.ts'

export const apiKeyOperations: Handlers<typeof apiKeys> = {
  async listApiKeys(context) {
    return { items: await listKeys(context.db, actorOf(context), context.now) }
  },

  async createApiKey(context, { name, replaces_id }) {
    const owner = actorOf(context)
    const own = await lockOwnKeys(context)
    if (own.length >= mostKeys) {
      throw new AppError(
        'conflict',
        `You have ${mostKeys} keys, which is the most. Delete one that is not used, then try again.`,
      )
    }
    if (replaces_id && !own.includes(replaces_id)) throw noSuchKey()
    const { id, value } = await insertKey(context.db, owner, name, { replaces_id, at: context.now })
    context.emit('api_key.created', { api_key_id: id, user_id: owner.user_id })
    context.audit('api_key.created', {
      target_id: id,
      data: { name, prefix: value.slice(0, 4), owner_id: owner.user_id },
    })
    return { key: await oneKey(context, id), value }
  },

  async renameApiKey(context, { id, name }) {
    const before = await oneKey(context, id)
    if (before.name === name) return before
    await context.db.updateTable('api_keys').set({ name }).where('id', '=', id).execute()
    context.audit('api_key.renamed', { target_id: id, data: { from: before.name, to: name } })
    return { ...before, name }
  },

  async deleteApiKeys(context, { ids }) {
    const own = await lockOwnKeys(context)
    if (ids.some((id) => !own.includes(id))) throw noSuchKey()
    const { user_id } = actorOf(context)
    await context.db
      .updateTable('api_keys')
      .set({ deleted_at: context.now, deleted_by: user_id })
      .where('id', 'in', ids)
      .execute()
    for (const id of new Set(ids)) context.audit('api_key.deleted', { target_id: id, data: { owner_id: user_id } })
    return {}
  },
}

const noSuchKey = () => new AppError('not_found', 'There is no such key among yours. Load the list again.')

/** The ids of the keys in use, held against a second request that counts them at the same moment. */
async function lockOwnKeys(context: Context) {
  const { company_id, user_id } = actorOf(context)
  await context.db
    .selectFrom('users')
    .select('id')
    .where('company_id', '=', company_id)
    .where('id', '=', user_id)
    .forUpdate()
    .execute()
  const rows = await context.db
    .selectFrom('api_keys')
    .select('id')
    .where('company_id', '=', company_id)
    .where('user_id', '=', user_id)
    .where('deleted_at', 'is', null)
    .execute()
  return rows.map((row) => row.id)
}

async function oneKey(context: Context, id: string) {
  const keys = await listKeys(context.db, actorOf(context), context.now)
  const found = keys.find((key) => key.id === id)
  if (!found) throw noSuchKey()
  return found
}
