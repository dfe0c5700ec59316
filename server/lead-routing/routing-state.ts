// What is known about a lead while it is taken through the routes.
import type { routingStates } from '../../contract/lead-deliveries.ts'
import type { Entry, NewEntry } from '../engine/built-in/leads/trace.ts'
import type { ObjectSchema, Schema } from '../engine/schema/schema.ts'
import type { Stored } from '../engine/values/from-row.ts'
import type { Db } from '../platform/db.ts'
import type { Services } from './deliver.ts'
import type { Delivery, Lease } from './delivery.ts'
import type { DestinationRow } from './destination.ts'
import type { Route } from './route.ts'
import type { Compared } from './route-filter.ts'

export type Routing = Lease & {
  destination_id: string | null
  state: (typeof routingStates)[number]
  created_at: Date
  done_routes: string[]
  waited_route: string | null
  plan: { route_id: string; order: string[] } | null
  trace: Entry[]
}
export type RoutingServices = { db: Db; services: Services; clock: () => Date; signal: AbortSignal }

export type Work = RoutingServices & {
  routing: Routing
  schema: Schema
  leads: ObjectSchema
  lead: Stored
  compared: Compared
  destinations: Map<string, DestinationRow>
  /** Of the lead, also of earlier times that it was sent. */
  deliveries: Delivery[]
}

export const note = ({ clock }: Pick<RoutingServices, 'clock'>, { trace }: Routing, entry: NewEntry) =>
  trace.push({ at: clock().toISOString(), ...entry } as Entry)

export const ofRoute = ({ id, name }: Pick<Route, 'id' | 'name'>) => (id ? { route_id: id, route: name } : {})
export const nameOf = ({ destinations }: Work, id: string) => destinations.get(id)?.name ?? 'a deleted destination'

/** Who changes the lead, for its history. */
export const ruleOf = (route?: Route) => ({
  kind: 'rule' as const,
  id: route?.id || null,
  name: route?.name || 'Lead sending',
})
