// Takes one lead through the routes, from where it stands to where it waits or ends. It can be interrupted anywhere: what
// counts is in the deliveries, and the rest is decided again.
import { sql } from 'kysely'
import { schemaOf } from '../engine/schema/schema.ts'
import { type Stored, storedColumns } from '../engine/values/from-row.ts'
import { LostLease } from '../kernel/leases.ts'
import { Params, run } from '../kernel/statement.ts'
import type { Db } from '../platform/db.ts'
import { holidaysOf } from '../working-hours/queries.ts'
import { noteOutcome, repeat, start } from './deliver-once.ts'
import { deliveriesOf, isTaken, leases, type State } from './delivery.ts'
import { readDestinations } from './destination.ts'
import { orderOf } from './destination-order.ts'
import { type Route, routesInUse } from './route.ts'
import { compared, matcherFor } from './route-filter.ts'
import { nameOf, note, ofRoute, type Routing, type RoutingServices, ruleOf, type Work } from './routing-state.ts'
import { isOpen, opensAt } from './schedule.ts'
import { changeLead, figuresOf } from './update-lead.ts'

type Ending = 'taken' | 'exhausted' | 'stopped' | { until: Date }

export async function advance(parts: RoutingServices, routing: Routing) {
  const { company_id, lead_id } = routing
  const known = await read(parts.db, company_id, lead_id)
  if (!known) {
    note(parts, routing, { what: 'lead_deleted' })
    return save(parts.db, routing, 'stopped', null)
  }
  const deliveries = await deliveriesOf(parts.db, company_id, lead_id)
  const isManual = routing.destination_id !== null
  const routes = isManual
    ? [manualRoute(routing.destination_id!)]
    : await routesInUse(parts.db, company_id, known.schema)
  const ids = [
    ...new Set([...routes.flatMap(({ targets }) => targets), ...deliveries].map((one) => one.destination_id)),
  ]
  const destinations = await readDestinations(parts.db, company_id, ids)
  const work: Work = { ...parts, ...known, compared: compared(known.lead), routing, destinations, deliveries }
  noteForgotten(work)

  let tested = 0
  for (const route of routes) {
    if (routing.done_routes.includes(route.id)) continue
    const ending = route.state === 'test' ? testRoute(work, route) : await tryRoute(work, route)
    if (route.state === 'test') tested++
    if (typeof ending === 'object') return wait(work, ending.until)
    routing.done_routes.push(route.id)
    if (ending === 'stopped') return end(work, 'stopped')
    if (ending === 'taken' && !route.goes_on) {
      note(work, routing, { what: 'taken', ...ofRoute(route) })
      return end(work, 'delivered')
    }
  }
  if (ownDeliveries(work).some(isTaken)) return end(work, 'delivered')
  if (!isManual && tested && tested === routes.length && !ownDeliveries(work).length) {
    note(work, routing, { what: 'only_test' })
    return save(parts.db, routing, 'stopped', null)
  }
  note(work, routing, { what: 'not_taken' })
  return end(work, 'not_taken')
}

/** Those of this time that the lead is sent. */
const ownDeliveries = ({ deliveries, routing }: Work) => deliveries.filter((one) => one.routing_id === routing.id)
const deliveriesBy = (work: Work, route: Route) =>
  ownDeliveries(work).filter((one) => one.route_id === (route.id || null))

/** What a process had found out and not yet noted when it was killed. */
function noteForgotten(work: Work) {
  const noted = new Set(work.routing.trace.map(({ delivery_id }) => delivery_id))
  for (const delivery of ownDeliveries(work)) {
    const { state, reason, route_id, route_name } = delivery
    if (state === 'sending' || state === 'waiting' || noted.has(delivery.id)) continue
    noteOutcome(work, { id: route_id ?? '', name: route_name ?? '' }, delivery, { state, reason })
  }
}

async function read(db: Db, company_id: string, lead_id: string) {
  const company = db.selectFrom('companies').select('schema_version').where('id', '=', company_id)
  const schema = await schemaOf(db, { company_id, ...(await company.executeTakeFirstOrThrow()) })
  const leads = schema.builtIn.get('leads')
  if (!leads || leads.archived_at) return undefined
  const params = new Params()
  const [lead] = await run<Stored>(
    db,
    `select ${storedColumns} from records r where r.company_id = ${params.add(company_id, 'uuid')}
      and r.id = ${params.add(lead_id, 'uuid')} and r.object_id = ${params.add(leads.id, 'uuid')} and r.deleted_at is null`,
    params,
  )
  return lead && { schema, leads, lead }
}

const noCaps = { hour: null, day: null, month: null, total: null, budget: null, budget_per: 'month' as const }

/** Someone chose the destination. */
const manualRoute = (destination_id: string): Route => ({
  id: '',
  name: '',
  state: 'active',
  filter: null,
  mode: 'first',
  wanted: 1,
  schedule: null,
  delay_minutes: 0,
  targets: [{ destination_id, weight: 1, price: 0, max_price: null, caps: noCaps }],
  duplicate_days: 0,
  is_exclusive: false,
  on_rejection: 'next',
  on_failure: 'retry',
  retry_minutes: [1, 10, 60],
  goes_on: false,
  notify_user_ids: [],
})

/** Whether the lead is for this route, and why not. */
function isForRoute(work: Work, route: Route) {
  const matcher = matcherFor(work.schema, work.leads, route.filter)
  if (!matcher) note(work, work.routing, { what: 'filter_broken', ...ofRoute(route) })
  const condition = matcher?.(work.compared, work.clock())
  if (condition) note(work, work.routing, { what: 'no_match', condition, ...ofRoute(route) })
  return matcher !== undefined && condition === null
}

function testRoute(work: Work, route: Route): Ending {
  if (!isForRoute(work, route)) return 'exhausted'
  const destination = route.targets.map(({ destination_id }) => nameOf(work, destination_id)).join(', ')
  note(work, work.routing, { what: 'would_send', destination, ...ofRoute(route) })
  return 'exhausted'
}

async function tryRoute(work: Work, route: Route): Promise<Ending> {
  const { routing, clock } = work
  if (!deliveriesBy(work, route).length) {
    if (!isForRoute(work, route)) return 'exhausted'
    const { schedule } = route
    const holidays = schedule ? await holidaysOf(work.db, routing.company_id) : []
    if (schedule && !isOpen(schedule, clock(), holidays)) {
      const until = schedule.closed === 'wait' ? opensAt(schedule, clock(), holidays) : undefined
      note(work, routing, { what: 'closed', ...(until && { until: until.toISOString() }), ...ofRoute(route) })
      return until ? { until } : 'exhausted'
    }
    if (route.delay_minutes && routing.waited_route !== route.id) {
      const until = new Date(clock().getTime() + route.delay_minutes * 60_000)
      routing.waited_route = route.id
      note(work, routing, { what: 'delayed', until: until.toISOString(), ...ofRoute(route) })
      return { until }
    }
  }
  return sendBy(work, route)
}

async function sendBy(work: Work, route: Route): Promise<Ending> {
  const { routing, clock } = work
  const order = await orderOf(work, route)
  const tried = new Set<string>()
  const wanted = route.mode === 'all' ? order.length : route.mode === 'some' ? route.wanted : 1
  for (;;) {
    const begun = deliveriesBy(work, route)
    const taken = begun.filter(isTaken).length
    const open = begun.filter(({ state }) => state === 'waiting')
    const due = begun.filter(
      ({ state, next_attempt_at }) => state === 'sending' || (state === 'waiting' && next_attempt_at! <= clock()),
    )
    const fresh = order.filter(
      (target) =>
        !tried.has(target.destination_id) && !begun.some((one) => one.destination_id === target.destination_id),
    )
    const free = Math.max(wanted - taken - open.length - due.filter(({ state }) => state === 'sending').length, 0)
    const next = taken >= wanted ? [] : fresh.slice(0, free)
    if (!due.length && !next.length) {
      if (open.length) return { until: new Date(Math.min(...open.map((one) => one.next_attempt_at!.getTime()))) }
      return taken ? 'taken' : 'exhausted'
    }
    for (const { destination_id } of next) tried.add(destination_id)
    await Promise.all([
      ...due.map((delivery) => repeat(work, route, delivery)),
      ...next.map((target) => start(work, route, target)),
    ])
    if (deliveriesBy(work, route).some(({ state }) => mustStop(route, state))) {
      note(work, routing, { what: 'stopped', ...ofRoute(route) })
      return 'stopped'
    }
  }
}

const mustStop = ({ on_rejection, on_failure }: Route, state: State) =>
  (on_rejection === 'stop' && (state === 'rejected' || state === 'duplicate')) ||
  (on_failure === 'stop' && state === 'failed')

const noteLead = ({ db, routing, schema, clock }: Work) =>
  changeLead(db, routing, ruleOf(), clock(), (tx) => figuresOf(tx, routing, schema.currency))

async function wait(work: Work, until: Date) {
  if (ownDeliveries(work).some(isTaken)) await noteLead(work)
  return save(work.db, work.routing, 'waiting', until)
}

/** The lead has come to an end of its way. Everything about that is written at once. */
async function end(work: Work, state: 'delivered' | 'not_taken' | 'stopped') {
  const { db, routing, schema, clock } = work
  const own = ownDeliveries(work)
  const isAccepted = own.some((one) => one.state === 'accepted')
  const isUnknown = !isAccepted && own.some((one) => one.state === 'unknown')
  const isNotTaken = !isAccepted && !isUnknown
  const ended = isAccepted ? 'delivered' : isUnknown ? 'unknown' : state === 'delivered' ? 'not_taken' : state
  await changeLead(db, routing, ruleOf(), clock(), async (tx, context) => {
    await save(tx, routing, ended, null)
    const figures = await figuresOf(tx, routing, schema.currency, isNotTaken)
    if (!isNotTaken || routing.destination_id) return figures
    const { rows } = await sql<{ owner: string | null }>`
      select u.id as owner from companies c left join users u on u.company_id = ${routing.company_id}
        and u.id = (c.lead_sending ->> 'nobody_owner_id')::uuid and u.deactivated_at is null and u.removed_at is null
      where c.id = ${routing.company_id}`.execute(tx)
    context.emit('lead.unplaced', { lead_id: routing.lead_id })
    return { ...figures, ...(rows[0]?.owner && { owner: rows[0].owner }) }
  })
}

async function save(db: Db, routing: Routing, state: Routing['state'], next: Date | null) {
  const { done_routes, waited_route, plan, trace } = routing
  const isMine = await leases.release(
    db,
    routing,
    sql`state = ${state}, next_at = ${next}, done_routes = ${done_routes.filter(Boolean)}::uuid[],
      waited_route = ${waited_route}, plan = ${plan && JSON.stringify(plan)}::jsonb, trace = ${JSON.stringify(trace)}::jsonb`,
  )
  if (!isMine) throw new LostLease()
}
