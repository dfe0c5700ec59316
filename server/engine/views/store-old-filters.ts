// Converts filters of views from older versions, which were stored as sent, to the form of `storeFilter`.
import { findActorById } from '../../accounts/users/queries.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Actor } from '../../kernel/context.ts'
import { smallestId } from '../../kernel/first-id.ts'
import type { Db } from '../../platform/db.ts'
import { storeFilter } from '../read/stored-filter.ts'
import { schemaOf } from '../schema/schema.ts'

const step = 200

type Old = { company_id: string; id: string; object_id: string; owner_id: string; filter: string | null }

/** One view at a time, so that an interrupted run can continue. */
export async function storeOldFilters(db: Db, now: Date) {
  let stored = 0
  for (let after = smallestId; ; ) {
    const views = await oldViews(db, after)
    for (const view of views) if (await storeOne(db, now, view)) stored++
    if (views.length < step) return stored
    after = views.at(-1)!.id
  }
}

const oldViews = (db: Db, after: string): Promise<Old[]> =>
  db
    .selectFrom('views')
    .select(['company_id', 'id', 'object_id', 'owner_id', 'filter'])
    .where('filter_field_ids', 'is', null)
    .where('id', '>', after)
    .orderBy('id')
    .limit(step)
    .execute()

/** Names are looked up with the rights of the owner. A filter that cannot be converted stays as it is. */
async function storeOne(db: Db, now: Date, view: Old) {
  const { company_id, id, filter } = view
  const actor = (await findActorById(db, company_id, view.owner_id)) ?? (await anAdmin(db, company_id))
  if (!actor) return false
  const kept = await keptFilter(db, now, view, actor)
  if (!kept) return false
  const { numUpdatedRows } = await db
    .updateTable('views')
    .set({ filter: kept.text || null, filter_field_ids: kept.field_ids })
    .where('company_id', '=', company_id)
    .where('id', '=', id)
    .where('filter_field_ids', 'is', null)
    .where('filter', 'is not distinct from', filter)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

async function keptFilter(db: Db, now: Date, { object_id, filter }: Old, actor: Actor) {
  if (!filter?.trim()) return { text: '', field_ids: [] }
  const schema = await schemaOf(db, actor)
  try {
    return await storeFilter({ actor, db, now }, schema, schema.byId.get(object_id)!, filter)
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}

export async function anAdmin(db: Db, company_id: string) {
  const admin = await db
    .selectFrom('users')
    .innerJoin('roles', (join) =>
      join.onRef('roles.company_id', '=', 'users.company_id').onRef('roles.id', '=', 'users.role_id'),
    )
    .select('users.id')
    .where('users.company_id', '=', company_id)
    .where('roles.is_admin', '=', true)
    .where('users.deactivated_at', 'is', null)
    .where('users.removed_at', 'is', null)
    .orderBy('users.id')
    .executeTakeFirst()
  return admin && findActorById(db, company_id, admin.id)
}
