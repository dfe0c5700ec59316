// Routes as they are stored, as they are used, and as their managers see them.
import { sql } from 'kysely'
import type { leadRoutes } from '../../contract/lead-routes.ts'
import type { Output } from '../../contract/operation.ts'
import { errorsOfStored } from '../engine/read/stored-filter.ts'
import { type Schema, schemaOf } from '../engine/schema/schema.ts'
import { AppError } from '../kernel/app-error.ts'
import { actorOf, type Context } from '../kernel/context.ts'
import { leadsOf } from '../leads/leads-object.ts'
import type { Db } from '../platform/db.ts'
import { usedIn, usesOf } from './caps.ts'
import { windowsAt } from './schedule.ts'

export type LeadRoute = Output<typeof leadRoutes.updateLeadRoute>
export type RouteSettings = Omit<
  LeadRoute,
  'id' | 'name' | 'position' | 'state' | 'filter' | 'filter_error' | 'used' | 'version' | 'created_at'
>
export type RouteRow = {
  company_id: string
  id: string
  name: string
  position: number
  state: LeadRoute['state']
  filter: string | null
  settings: RouteSettings
  turns: string
  version: number
  created_at: Date
}
/** A route as the router uses it. */
export type Route = Pick<LeadRoute, 'id' | 'name' | 'state' | 'filter'> & RouteSettings

export const routeOf = ({ id, name, state, filter, settings }: RouteRow): Route => ({
  id,
  name,
  state,
  filter,
  ...complete(settings),
})

/** Settings that were saved before routes had a highest price. */
const complete = (settings: RouteSettings): RouteSettings => ({
  ...settings,
  targets: settings.targets.map((target) => ({ ...target, max_price: target.max_price ?? null })),
})

export async function readRoutes(db: Db, company_id: string) {
  const { rows } = await sql<RouteRow>`
    select * from lead_routes where company_id = ${company_id} order by position, id`.execute(db)
  return rows
}

const known = new WeakMap<Schema, Promise<Route[]>>()

/** Those that are not paused, in order. Saving one renews the schema, so they are read once per version of it. */
export function routesInUse(db: Db, company_id: string, schema: Schema): Promise<Route[]> {
  const cached = known.get(schema)
  if (cached) return cached
  const routes = readRoutes(db, company_id).then((rows) => rows.map(routeOf).filter(({ state }) => state !== 'paused'))
  known.set(schema, routes)
  routes.catch(() => known.delete(schema))
  return routes
}

export const zoneOf = (route: Pick<RouteSettings, 'schedule'>, schema: Schema) =>
  route.schedule?.time_zone ?? schema.time_zone

export async function findRow(context: Context, id: string) {
  const row = (await readRoutes(context.db, actorOf(context).company_id)).find((one) => one.id === id)
  if (!row) throw new AppError('not_found', 'Route not found. List the routes to get their IDs.')
  return row
}

export async function listShown(context: Context, id?: string): Promise<LeadRoute[]> {
  const { company_id } = actorOf(context)
  const schema = await schemaOf(context.db, actorOf(context))
  const leads = leadsOf(schema)
  const all = await readRoutes(context.db, company_id)
  const rows = id ? all.filter((row) => row.id === id) : all
  const uses = await usesOf(context.db, company_id, id ?? null)
  const filters = rows.flatMap(({ filter }) => (filter ? [{ object: leads, filter }] : []))
  const errors = await errorsOfStored(context, schema, filters)
  return rows.map((row) => {
    const windows = windowsAt(context.now, zoneOf(row.settings, schema))
    const used = row.settings.targets.map(({ destination_id, caps }) => {
      const stored = uses.find((one) => one.route_id === row.id && one.destination_id === destination_id)
      const { hour, day, month, total, ...spent } = usedIn(stored, windows)
      return { destination_id, hour, day, month, total, spent: spent[`${caps.budget_per}_spent`] }
    })
    return {
      ...complete(row.settings),
      id: row.id,
      name: row.name,
      position: row.position,
      state: row.state,
      filter: row.filter,
      used,
      filter_error: row.filter ? errors.shift()! : null,
      version: row.version,
      created_at: row.created_at.toISOString(),
    }
  })
}
