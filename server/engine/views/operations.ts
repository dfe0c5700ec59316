import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { Output } from '../../../contract/operation.ts'
import { mostViews, type views } from '../../../contract/views.ts'
import { AppError, referenced } from '../../kernel/app-error.ts'
import { actorOf, type Context } from '../../kernel/context.ts'
import { lockToAdd, refuseMore } from '../../kernel/limits.ts'
import { pageIn } from '../../kernel/page.ts'
import type { Handlers } from '../../kernel/run.ts'
import { objectsIn } from '../names/find-titles.ts'
import { errorsOfStored } from '../read/stored-filter.ts'
import { openAmong } from '../rights/readable-among.ts'
import { type Schema, schemaOf } from '../schema/schema.ts'
import { checkSaved, mentionsNothingHidden } from './check-view.ts'

type View = Output<typeof views.createView>

export const viewOperations: Handlers<typeof views> = {
  async listViews(context, { object: key, ...page }) {
    const schema = await schemaOf(context.db, actorOf(context))
    const object = key === undefined ? undefined : readable(context, schema, key)
    const rows = await visibleViews(context).orderBy('position').orderBy('id').execute()
    const wanted = object ? rows.filter((row) => row.object_id === object.id) : rows
    return pageIn(await shownTo(context, schema, wanted), page)
  },

  async createView(context, { object: key, position, filter, sort, columns, group_by, collapsed, ...plain }) {
    const { company_id, user_id: owner_id } = actorOf(context)
    const schema = await schemaOf(context.db, actorOf(context))
    const object = await referenced('object', () => readable(context, schema, key))
    const stored = await checkSaved(context, schema, object, { filter, sort, columns, group_by })
    await refuseStrangers(context, plain.shared_with)
    const count = await countOwn(context)
    const row = {
      ...plain,
      ...stored,
      company_id,
      id: randomUUIDv7(),
      object_id: object.id,
      owner_id,
      sort: JSON.stringify(sort),
      columns: JSON.stringify(columns),
      group_by: JSON.stringify(group_by),
      collapsed: JSON.stringify(collapsed),
      position: position ?? count,
      created_at: context.now,
    }
    await context.db.insertInto('views').values(row).execute()
    return getView(context, schema, row.id)
  },

  async updateView(context, { id, filter, sort, columns, group_by, collapsed, ...plain }) {
    const { company_id } = actorOf(context)
    const schema = await schemaOf(context.db, actorOf(context))
    const before = await getView(context, schema, id)
    refuseOthers(context, before)
    const object = readable(context, schema, before.object)
    await refuseStrangers(context, plain.shared_with ?? [])
    const values = {
      ...plain,
      ...(await checkSaved(context, schema, object, { filter, sort, columns, group_by })),
      ...(sort && { sort: JSON.stringify(sort) }),
      ...(columns && { columns: JSON.stringify(columns) }),
      ...(group_by !== undefined && { group_by: JSON.stringify(group_by) }),
      ...(collapsed && { collapsed: JSON.stringify(collapsed) }),
    }
    if (!Object.values(values).some((value) => value !== undefined)) return before
    const [row] = await context.db
      .updateTable('views')
      .set(values)
      .where('company_id', '=', company_id)
      .where('id', '=', id)
      .returning(columnsOfView)
      .execute()
    if (!row) throw noSuchView()
    return (await shownTo(context, schema, [row]))[0]!
  },

  async deleteView(context, { id }) {
    const { company_id } = actorOf(context)
    refuseOthers(context, await getView(context, await schemaOf(context.db, actorOf(context)), id))
    await context.db.deleteFrom('views').where('company_id', '=', company_id).where('id', '=', id).execute()
    return {}
  },
}

const columnsOfView = [
  'id',
  'object_id',
  'owner_id',
  'name',
  'is_shared',
  'shared_with',
  'filter',
  'sort',
  'columns',
  'type',
  'group_by',
  'collapsed',
  'layout',
  'position',
] as const

function visibleViews(context: Context) {
  const { company_id, user_id } = actorOf(context)
  return context.db
    .selectFrom('views')
    .select(columnsOfView)
    .where('company_id', '=', company_id)
    .where((eb) =>
      eb.or([
        eb('owner_id', '=', user_id),
        eb('is_shared', '=', true),
        sql<boolean>`shared_with @> array[${user_id}::uuid]`,
      ]),
    )
}

export async function getView(context: Context, schema: Schema, id: string) {
  const row = await visibleViews(context).where('id', '=', id).executeTakeFirst()
  const [view] = await shownTo(context, schema, row ? [row] : [])
  if (!view) throw noSuchView()
  return view
}

type Row = Pick<View, 'id' | 'owner_id' | 'name' | 'is_shared' | 'shared_with' | 'filter' | 'position'> & {
  object_id: string
  sort: unknown
  columns: unknown
  type: string
  group_by: unknown
  collapsed: unknown
  layout: string
}

/** Leaves out views of archived or hidden objects, and views of others that mention one. */
async function shownTo(context: Context, schema: Schema, rows: Row[]): Promise<View[]> {
  const objects = new Map(readObjects(context, schema).map((object) => [object.id, object]))
  const views = rows.flatMap(({ object_id, ...row }) => {
    const object = objects.get(object_id)
    if (!object) return []
    const is_mine = row.owner_id === actorOf(context).user_id
    const view = { ...row, ...(!is_mine && { shared_with: [] }), object: object.key, is_mine } as View
    return view.is_mine || mentionsNothingHidden(context, schema, object, view) ? [{ view, object }] : []
  })
  const errors = await errorsOfStored(
    context,
    schema,
    views.map(({ view, object }) => ({ object, filter: view.filter ?? '' })),
  )
  return views.map(({ view }, i) => ({ ...view, filter_error: errors[i]! }))
}

const readObjects = (context: Context, schema: Schema) => openAmong(actorOf(context), objectsIn(schema))

function readable(context: Context, schema: Schema, key: string) {
  const known = readObjects(context, schema)
  const object = known.find((candidate) => candidate.key === key)
  if (object) return object
  throw new AppError('not_found', `There is no object ${key}. Use one of: ${known.map(({ key }) => key).join(', ')}`)
}

async function countOwn(context: Context) {
  const { company_id, user_id } = actorOf(context)
  await lockToAdd(context, 'views')
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from views where company_id = ${company_id} and owner_id = ${user_id}`.execute(
    context.db,
  )
  const { count } = rows[0]!
  refuseMore(count, mostViews, 'views')
  return count
}

async function refuseStrangers(context: Context, ids: string[]) {
  const unknown = ids.length ? await unknownUser(context, ids) : undefined
  if (unknown === undefined) return
  const message = 'User not found or deactivated. List the users to get their IDs'
  throw new AppError('invalid_input', `${message}.`, { errors: [{ path: `shared_with.${unknown}`, message }] })
}

/** The place of the first one who is not a member. */
async function unknownUser(context: Context, ids: string[]) {
  const { rows } = await sql<{ id: string }>`select id from users where company_id = ${actorOf(context).company_id}
    and id = any(${ids}::uuid[]) and removed_at is null`.execute(context.db)
  const place = ids.findIndex((id) => !rows.some((row) => row.id === id.toLowerCase()))
  return place < 0 ? undefined : place
}

const noSuchView = () => new AppError('not_found', 'View not found. List the views to get their IDs.')

function refuseOthers(context: Context, { is_mine, name }: View) {
  if (is_mine || actorOf(context).is_admin) return
  throw new AppError('forbidden', `${name} belongs to someone else. Save your own view or ask an Admin.`)
}
