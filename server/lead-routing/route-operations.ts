import { randomUUIDv7 } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { hasFaults, readFilter } from '../../contract/filter/index.ts'
import { type leadRoutes, mostRoutes, type Target } from '../../contract/lead-routes.ts'
import type { FieldError } from '../../contract/shared/errors.ts'
import { findUser } from '../accounts/users/queries.ts'
import { wholeScopeOf } from '../engine/rights/scope.ts'
import { type Schema, schemaOf } from '../engine/schema/schema.ts'
import { renewSubscriptions } from '../engine/subscriptions/save.ts'
import { AppError, referenced, refuseAll, refused } from '../kernel/app-error.ts'
import { actorOf, type Context } from '../kernel/context.ts'
import { lockToAdd, refuseMore } from '../kernel/limits.ts'
import { pageIn } from '../kernel/page.ts'
import type { Handlers } from '../kernel/run.ts'
import { ownFilter } from '../leads/forms/check-source.ts'
import { leadsOf } from '../leads/leads-object.ts'
import { defined } from '../platform/defined.ts'
import { rowsOf as destinationRows, namesPrice } from './destination.ts'
import { refusePartialReaders } from './refuse-partial-readers.ts'
import { findRow, listShown, type Route, type RouteRow, type RouteSettings, readRoutes, routeOf } from './route.ts'
import { simulate } from './simulate.ts'

export const routeOperations: Handlers<typeof leadRoutes> = {
  listLeadRoutes: async (context, page) => pageIn(await listShown(context), page),

  async createLeadRoute(context, given) {
    const { company_id } = actorOf(context)
    await lockToAdd(context, 'lead routes')
    const known = await readRoutes(context.db, company_id)
    refuseMore(known.length, mostRoutes, 'routes')
    const route = await checked(context, given)
    await renewSubscriptions(context.db, company_id)
    return readRoute(context, await add(context, route, (known.at(-1)?.position ?? 0) + 1))
  },

  async updateLeadRoute(context, { id, ...given }) {
    const { company_id } = actorOf(context)
    const row = await findRow(context, id)
    const wanted = { ...routeOf(row), ...defined(given) } as Route
    const route = await checked(context, wanted, '', routeOf(row).targets)
    await renewSubscriptions(context.db, company_id)
    await change(context, id, route)
    return readRoute(context, id)
  },

  async deleteLeadRoute(context, { id }) {
    const { company_id } = actorOf(context)
    const { name } = await findRow(context, id)
    await renewSubscriptions(context.db, company_id)
    for (const [table, column] of [
      ['lead_routes', 'id'],
      ['lead_route_uses', 'route_id'],
    ] as const)
      await sql`delete from ${sql.table(table)} where company_id = ${company_id} and ${sql.ref(column)} = ${id}`.execute(
        context.db,
      )
    note(context, 'lead_route.deleted', id, name)
    return {}
  },

  async reorderLeadRoutes(context, { ids }) {
    const { company_id } = actorOf(context)
    const known = await readRoutes(context.db, company_id)
    if (ids.length !== known.length || known.some(({ id }) => !ids.includes(id)))
      throw refused('ids', 'List every route exactly once')
    await refusePartialReaders(context)
    await renewSubscriptions(context.db, company_id)
    for (const [i, id] of ids.entries()) await place(context, id, i + 1)
    context.emit('lead_sending.changed', {})
    context.audit('lead_routes.ordered', {})
    return { items: await listShown(context) }
  },

  async replaceLeadRoutes(context, { routes }) {
    const { company_id } = actorOf(context)
    await refusePartialReaders(context)
    // It locks the company, so no other change comes between the look at the versions and the writing.
    await renewSubscriptions(context.db, company_id)
    const rows = await readRoutes(context.db, company_id)
    const known = new Map(rows.map((row) => [row.id, row]))
    refuseTwice(routes)
    refuseOutdated(known, routes)
    for (const [i, { id, version: _, ...given }] of routes.entries()) {
      const row = known.get(id ?? '')
      const stored = row && routeOf(row).targets
      const route = await named(given.name, `routes.${i}.`, (at) => checked(context, given, at, stored))
      if (!row) await add(context, route, i + 1)
      else if (!isSame(row, route)) await change(context, row.id, route)
      if (row && row.position !== i + 1) await place(context, row.id, i + 1)
    }
    const order = routes.flatMap(({ id }) => id ?? [])
    if (order.some((id, i) => rows[i]!.id !== id)) context.audit('lead_routes.ordered', {})
    context.emit('lead_sending.changed', {})
    return { items: await listShown(context) }
  },

  previewLeadRoutes: {
    isHeavy: () => true,
    async handle(context, { routes, days }) {
      const { company_id } = actorOf(context)
      const today = (await readRoutes(context.db, company_id)).map(routeOf)
      const draft: Route[] = []
      for (const [i, given] of (routes ?? []).entries()) {
        const { settings, ...checkedRoute } = await checked(
          context,
          given,
          `routes.${i}.`,
          today.flatMap(({ targets }) => targets),
        )
        draft.push({ ...settings, ...checkedRoute, id: given.id ?? randomUUIDv7() })
      }
      const asIs = today.map((route) => (route.state === 'test' ? { ...route, state: 'active' as const } : route))
      return simulate(context, today, routes ? draft : asIs, days)
    },
  },

  getLeadSendingSettings: (context) => settingsOf(context),

  async updateLeadSendingSettings(context, given) {
    const { company_id } = actorOf(context)
    await refusePartialReaders(context)
    for (const [i, id] of (given.nobody_user_ids ?? []).entries())
      await referenced(`nobody_user_ids.${i}`, () => findUser(context, id))
    const { nobody_owner_id } = given
    if (nobody_owner_id) await referenced('nobody_owner_id', () => findUser(context, nobody_owner_id))
    const settings = { ...(await settingsOf(context)), ...defined(given) }
    await sql`update companies set lead_sending = ${JSON.stringify(settings)}::jsonb where id = ${company_id}`.execute(
      context.db,
    )
    context.emit('lead_sending.changed', {})
    context.audit('lead_sending.updated', { data: { fields: Object.keys(defined(given)) } })
    return settings
  },
}

const readRoute = async (context: Context, id: string) => (await listShown(context, id))[0]!

type Checked = Awaited<ReturnType<typeof checked>>

async function add(context: Context, { name, state, filter, settings }: Checked, position: number) {
  const { company_id, user_id: created_by } = actorOf(context)
  const id = randomUUIDv7()
  await context.db
    .insertInto('lead_routes')
    .values({
      company_id,
      id,
      name,
      state,
      filter,
      settings: JSON.stringify(settings),
      position,
      created_at: context.now,
      created_by,
    })
    .execute()
  note(context, 'lead_route.created', id, name)
  return id
}

async function change(context: Context, id: string, { name, state, filter, settings }: Checked) {
  await sql`update lead_routes
    set name = ${name}, state = ${state}, filter = ${filter}, settings = ${JSON.stringify(settings)}::jsonb, version = version + 1
    where company_id = ${actorOf(context).company_id} and id = ${id}`.execute(context.db)
  note(context, 'lead_route.updated', id, name)
}

const place = (context: Context, id: string, position: number) =>
  sql`update lead_routes set position = ${position}
    where company_id = ${actorOf(context).company_id} and id = ${id}`.execute(context.db)

const isSame = ({ name, state, filter, settings }: RouteRow, route: Checked) =>
  isDeepStrictEqual({ name, state, filter, settings }, route)

type Listed = { id?: string | undefined; version?: number | undefined; name: string }

function refuseTwice(routes: Listed[]) {
  const at = routes.findIndex(({ id }, i) => id && routes.findIndex((one) => one.id === id) !== i)
  if (at >= 0) throw refused(`routes.${at}.id`, 'This route appears twice')
}

function refuseOutdated(known: Map<string, RouteRow>, routes: Listed[]) {
  for (const [i, { id, version }] of routes.entries())
    if (id && version === undefined) throw refused(`routes.${i}.version`, 'This is required for an existing route')
  const listed = new Set(routes.map(({ id }) => id))
  const changes = [
    ...routes.flatMap(({ id, version, name }) => {
      if (!id) return []
      if (!known.has(id)) return `${name} was deleted`
      return known.get(id)!.version === version ? [] : `${name} was changed`
    }),
    ...[...known.values()].flatMap(({ id, name }) => (listed.has(id) ? [] : `${name} was added`)),
  ]
  if (!changes.length) return
  const words = changes.length > 5 ? [...changes.slice(0, 5), 'and more'] : changes
  throw new AppError(
    'conflict',
    `The routes have changed in the meantime: ${words.join(', ')}. Nothing was saved. Start again from the current routes.`,
  )
}

export async function settingsOf({ db, ...context }: Pick<Context, 'db' | 'actor'>) {
  const { rows } = await sql<{ lead_sending: { nobody_user_ids?: string[]; nobody_owner_id?: string | null } }>`
    select lead_sending from companies where id = ${context.actor!.company_id}`.execute(db)
  return { nobody_user_ids: [], nobody_owner_id: null, ...rows[0]?.lead_sending }
}

type RouteInput = Omit<Route, 'id'>

/** As it is stored. All problems are reported together, except for those of the filter. */
async function checked(context: Context, given: RouteInput, at = '', stored: Target[] = []) {
  await refusePartialReaders(context)
  const schema = await schemaOf(context.db, actorOf(context))
  refuseAll([...(await targetErrors(context, given, at, stored)), ...modeErrors(given, at)])
  for (const [i, id] of given.notify_user_ids.entries())
    await referenced(`${at}notify_user_ids.${i}`, () => findUser(context, id))
  const filter = given.filter?.trim() ? await storedFilter(context, schema, given.filter, `${at}filter`) : null
  const { name, state, mode, wanted, targets, schedule, delay_minutes, duplicate_days } = given
  const { is_exclusive, on_rejection, on_failure, retry_minutes, goes_on, notify_user_ids } = given
  const settings: RouteSettings = {
    mode,
    wanted,
    targets,
    schedule,
    delay_minutes,
    duplicate_days,
    is_exclusive,
    on_rejection,
    on_failure,
    retry_minutes,
    goes_on,
    notify_user_ids,
  }
  return { name, state, filter, settings }
}

/** Says which of several routes is wrong. */
async function named<T>(name: string, at: string, check: (at: string) => Promise<T>) {
  try {
    return await check(at)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const errors = error.more.errors?.map((one) => (one.path.startsWith(at) ? one : { ...one, path: at + one.path }))
    throw new AppError(error.code, `${name}: ${error.message}`, { ...error.more, ...(errors && { errors }) })
  }
}

/** Leads are routed in the background, so a filter cannot depend on the current user. */
async function storedFilter(context: Context, schema: Schema, filter: string, path: string) {
  const leads = leadsOf(schema)
  const text = await ownFilter(context, schema, leads, filter, path)
  const read = readFilter(text, { objects: wholeScopeOf(schema), root: leads.key, hasCaller: false })
  if (hasFaults(read)) throw refused(path, read.faults.map(({ message }) => message).join(' '))
  return text
}

/** `stored`: what is saved already need not have a highest price. */
async function targetErrors(context: Context, { targets }: RouteInput, at: string, stored: Target[]) {
  const known = new Map((await destinationRows(context, null)).map((row) => [row.id, row]))
  return targets.flatMap((target, i): FieldError[] => {
    const { destination_id, price, max_price, caps } = target
    const path = `${at}targets.${i}`
    const destination = known.get(destination_id)
    if (!destination) return [{ path: `${path}.destination_id`, message: 'Destination not found' }]
    if (targets.findIndex((one) => one.destination_id === destination_id) !== i)
      return [{ path: `${path}.destination_id`, message: 'This destination appears twice' }]
    if (max_price !== null && max_price < price)
      return [{ path: `${path}.max_price`, message: 'The maximum price must be at least the price' }]
    const isExact = caps.budget === null || max_price !== null || !namesPrice(destination)
    if (isExact || stored.some((one) => isDeepStrictEqual(one, target))) return []
    const message = `Enter a maximum price. ${destination.name} sets the price in its response, so the budget requires one`
    return [{ path: `${path}.max_price`, message }]
  })
}

function modeErrors({ mode, wanted, targets, is_exclusive, goes_on }: RouteInput, at: string): FieldError[] {
  const several = mode === 'all' || mode === 'some'
  if (is_exclusive && several && targets.length > 1)
    return [{ path: `${at}is_exclusive`, message: 'A lead that goes to several destinations cannot be exclusive' }]
  if (is_exclusive && goes_on)
    return [{ path: `${at}goes_on`, message: 'An exclusive lead cannot continue to later routes' }]
  return mode === 'some' && wanted > targets.length
    ? [{ path: `${at}wanted`, message: `This route has only ${targets.length} destinations` }]
    : []
}

type Noted = 'created' | 'updated' | 'deleted'
function note(context: Context, action: `lead_route.${Noted}`, target_id: string, name: string) {
  context.emit('lead_sending.changed', {})
  context.audit(action, { target_id, data: { name } })
}
