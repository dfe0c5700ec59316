import { type apiKeys, mostKeys } from '../../../contract/api-keys.ts'
import { AppError, refused } from '../../kernel/app-error.ts'
import { actorOf, type Context } from '../../kernel/context.ts'
import { refuseMore } from '../../kernel/limits.ts'
import type { Handlers } from '../../kernel/run.ts'
import { reachable } from '../users/queries.ts'
import { insertKey, keyRows, listKeys, type Owner, toApiKey } from './queries.ts'

export const apiKeyOperations: Handlers<typeof apiKeys> = {
  async listApiKeys(context) {
    return { items: await listKeys(context.db, actorOf(context), context.now) }
  },

  async createApiKey(context, { name, replaces_id }) {
    return addKey(context, actorOf(context), name, replaces_id)
  },

  async updateApiKey(context, { id, name }) {
    const before = await findKey(context, actorOf(context), id)
    if (before.name === name) return before
    const keys = context.db.updateTable('api_keys').set({ name }).where('company_id', '=', actorOf(context).company_id)
    await keys.where('id', '=', id).execute()
    context.audit('api_key.renamed', { target_id: id, data: { from: before.name, to: name } })
    return { ...before, name }
  },

  async deleteApiKeys(context, { ids }) {
    const owner = actorOf(context)
    const keyIds = await lockKeys(context, owner)
    if (ids.some((id) => !keyIds.includes(id))) throw noSuchKey()
    await endKeys(context, owner.user_id, ids)
    return {}
  },

  async listCompanyApiKeys(context, { user_id, ...page }) {
    const { company_id } = actorOf(context)
    const { rows, next_cursor } = await keyRows(context.db, { company_id, user_id }, context.now, page)
    return {
      items: rows.map(({ user_id, user_name, ...row }) => ({ ...toApiKey(row), user_id, user_name })),
      next_cursor,
    }
  },

  async createAgentApiKey(context, { id: user_id, name }) {
    const agent = await reachable(context, user_id)
    if (agent.kind !== 'agent') {
      throw new AppError(
        'conflict',
        `${agent.name} is a person. People create their own keys under Profile, API & Connectors.`,
      )
    }
    if (agent.state === 'deactivated')
      throw new AppError('conflict', `${agent.name} is deactivated. Reactivate it first.`)
    return addKey(context, { company_id: actorOf(context).company_id, user_id }, name)
  },

  async deleteCompanyApiKeys(context, { ids }) {
    const { company_id } = actorOf(context)
    const keys = await context.db
      .selectFrom('api_keys')
      .select(['id', 'user_id'])
      .where('company_id', '=', company_id)
      .where('id', 'in', ids)
      .where('deleted_at', 'is', null)
      .forUpdate()
      .execute()
    if (keys.length < new Set(ids).size) throw noSuchKey()
    for (const [owner, list] of Map.groupBy(keys, (key) => key.user_id)) {
      await reachable(context, owner)
      await endKeys(
        context,
        owner,
        list.map((key) => key.id),
      )
    }
    return {}
  },
}

const noSuchKey = () => new AppError('not_found', 'API key not found. Reload the list and try again.')

async function addKey(context: Context, owner: Owner, name: string, replaces_id?: string) {
  const keyIds = await lockKeys(context, owner)
  refuseMore(keyIds.length, mostKeys, 'API keys')
  if (replaces_id && !keyIds.includes(replaces_id)) throw refused('replaces_id', 'API key not found')
  const { id, value } = await insertKey(context.db, owner, name, { replaces_id, at: context.now })
  context.emit('api_key.created', { api_key_id: id, user_id: owner.user_id })
  context.audit('api_key.created', {
    target_id: id,
    data: { name, prefix: value.slice(0, 4), owner_id: owner.user_id },
  })
  return { key: await findKey(context, owner, id), value }
}

async function endKeys(context: Context, owner_id: string, ids: string[]) {
  const { company_id, user_id } = actorOf(context)
  await context.db
    .updateTable('api_keys')
    .set({ deleted_at: context.now, deleted_by: user_id })
    .where('company_id', '=', company_id)
    .where('id', 'in', ids)
    .execute()
  for (const id of new Set(ids)) context.audit('api_key.deleted', { target_id: id, data: { owner_id } })
}

/** The ids of the owner's keys. Locks the owner, so that concurrent requests cannot exceed the limit together. */
async function lockKeys(context: Context, { company_id, user_id }: Owner) {
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

async function findKey(context: Context, owner: Owner, id: string) {
  const keys = await listKeys(context.db, owner, context.now)
  const key = keys.find((key) => key.id === id)
  if (!key) throw noSuchKey()
  return key
}
