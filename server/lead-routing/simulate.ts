// What routes would have done with the leads of the last days. Nothing is sent: every destination accepts what it is
// offered, and delays and attempts are left out.

import type { leadRoutes } from '../../contract/lead-routes.ts'
import { mostSimulated, type Target } from '../../contract/lead-routes.ts'
import type { Output } from '../../contract/operation.ts'
import { readable } from '../engine/rights/rights.ts'
import { builtInInUse, type ObjectSchema, type Schema, schemaOf } from '../engine/schema/schema.ts'
import { builtInValue } from '../engine/values/built-in-values.ts'
import { isoTime, type Stored, storedColumns } from '../engine/values/from-row.ts'
import { actorOf, type Context } from '../kernel/context.ts'
import { Params, run } from '../kernel/statement.ts'
import { leadsOf } from '../leads/leads-object.ts'
import { dayMs } from '../platform/times.ts'
import { breathing } from '../platform/yield-to-others.ts'
import { type Holidays, holidaysOf } from '../working-hours/queries.ts'
import { reachedCap, reservedFor, type Uses } from './caps.ts'
import { sum as sumOf } from './cents.ts'
import { rowsOf } from './destination.ts'
import { planned } from './destination-order.ts'
import { type Route, zoneOf } from './route.ts'
import { compared, matcherFor } from './route-filter.ts'
import { isOpen, opensAt, windowsAt } from './schedule.ts'

type Simulation = Output<typeof leadRoutes.previewLeadRoutes>
type Taken = { route: Route; target: Target }

export async function simulate(context: Context, today: Route[], draft: Route[], days: number): Promise<Simulation> {
  const schema = await schemaOf(context.db, actorOf(context))
  const leads = leadsOf(schema)
  const names = new Map((await rowsOf(context, null)).map(({ id, name }) => [id, name]))
  const all = await recentLeads(context, leads, days)
  const holidays = await holidaysOf(context.db, actorOf(context).company_id)
  const [now, then] = [runOf(schema, leads, today, holidays), runOf(schema, leads, draft, holidays)]
  const wordsOf = (taken: Taken[]) =>
    taken.map(({ target }) => names.get(target.destination_id) ?? 'A deleted destination').join(', ') || 'Unplaced'
  const differences: Simulation['differences'] = []
  const breathe = breathing()
  for (const lead of all) {
    const [before, after] = [wordsOf(now.offer(lead)), wordsOf(then.offer(lead))]
    if (before !== after)
      differences.push({
        lead_id: lead.id,
        title: lead.title,
        created_at: isoTime(lead.created_at),
        today: before,
        draft: after,
      })
    await breathe()
  }
  return {
    leads: all.length,
    today: now.sums(names),
    draft: then.sums(names),
    changed: differences.length,
    differences: differences.toReversed().slice(0, 100),
  }
}

/** Those that the caller may read, oldest first, with the values that they have now. */
async function recentLeads({ db, now, ...context }: Context, leads: ObjectSchema, days: number) {
  const actor = actorOf(context)
  const params = new Params()
  const since = new Date(now.getTime() - days * dayMs).toISOString()
  const rows = await run<Stored>(
    db,
    `select ${storedColumns} from records r where r.company_id = ${params.add(actor.company_id, 'uuid')}
      and r.object_id = ${params.add(leads.id, 'uuid')} and r.deleted_at is null
      and ${readable(actor, leads, 'r', params) || 'true'}
      and r.created_at >= ${params.add(since, 'timestamptz')} order by r.created_at desc, r.id desc limit ${mostSimulated}`,
    params,
  )
  return rows.toReversed()
}

function runOf(schema: Schema, leads: ObjectSchema, routes: Route[], holidays: Holidays) {
  const uses = new Map<string, Uses & { hourKey: string; dayKey: string; monthKey: string }>()
  const turns = new Map<string, number>()
  const sums = new Map<string, { route: string; destination_id: string; leads: number; revenue: number }>()
  const persons = new Map<string, number>()
  let [delivered, revenue, looked] = [0, 0, 0]
  const [email, phone] = ['email', 'phone'].map((key) => builtInInUse(leads, key))

  function isFree(route: Route, target: Target, lead: Stored, at: Date) {
    const key = `${route.id} ${target.destination_id}`
    const windows = windowsAt(at, zoneOf(route, schema))
    const none = { hour: 0, day: 0, month: 0, total: 0, day_spent: 0, month_spent: 0, total_spent: 0 }
    const kept = uses.get(key) ?? { ...none, hourKey: '', dayKey: '', monthKey: '' }
    if (kept.hourKey !== windows.hour) Object.assign(kept, { hour: 0, hourKey: windows.hour })
    if (kept.dayKey !== windows.day) Object.assign(kept, { day: 0, day_spent: 0, dayKey: windows.day })
    if (kept.monthKey !== windows.month) Object.assign(kept, { month: 0, month_spent: 0, monthKey: windows.month })
    uses.set(key, kept)
    const same = [email && 'email', phone && 'phone'].flatMap((name) => {
      const value = name && builtInValue(leads, lead.values, name)
      return value ? [`${target.destination_id} ${String(value).toLowerCase()}`] : []
    })
    const since = at.getTime() - route.duplicate_days * dayMs
    if (route.duplicate_days && same.some((person) => (persons.get(person) ?? 0) > since)) return false
    if (reachedCap(target.caps, kept, reservedFor(target))) return false
    for (const window of ['hour', 'day', 'month', 'total'] as const) kept[window]++
    for (const window of ['day_spent', 'month_spent', 'total_spent'] as const)
      kept[window] = sumOf(kept[window], target.price)
    for (const person of same) persons.set(person, at.getTime())
    return true
  }

  function by(route: Route, lead: Stored, at: Date, given: Taken[]): Taken[] {
    const turn = turns.get(route.id) ?? 0
    turns.set(route.id, turn + 1)
    const order =
      route.mode === 'weighted' || route.mode === 'in_turn' ? planned(route.mode, route.targets, turn) : route.targets
    const wanted = route.mode === 'all' ? order.length : route.mode === 'some' ? route.wanted : 1
    const taken: Taken[] = []
    for (const target of order) {
      if (taken.length >= wanted) break
      if (given.some((one) => one.target.destination_id === target.destination_id)) continue
      if (route.is_exclusive && given.length) break
      if (isFree(route, target, lead, at)) taken.push({ route, target })
    }
    return taken
  }

  return {
    offer(lead: Stored): Taken[] {
      looked++
      const created = new Date(isoTime(lead.created_at))
      const values = compared(lead)
      const taken: Taken[] = []
      for (const route of routes) {
        if (route.state !== 'active') continue
        const matcher = matcherFor(schema, leads, route.filter)
        if (!matcher || matcher(values, created) !== null) continue
        const { schedule } = route
        const isClosed = schedule && !isOpen(schedule, created, holidays)
        if (isClosed && schedule.closed === 'skip') continue
        const at = isClosed ? opensAt(schedule, created, holidays) : created
        const more = by(route, lead, at, taken)
        taken.push(...more)
        if (more.length && !route.goes_on) break
      }
      for (const { route, target } of taken) {
        const key = `${route.id} ${target.destination_id}`
        const sum = sums.get(key) ?? { route: route.name, destination_id: target.destination_id, leads: 0, revenue: 0 }
        sums.set(key, { ...sum, leads: sum.leads + 1, revenue: sumOf(sum.revenue, target.price) })
        revenue = sumOf(revenue, target.price)
      }
      if (taken.length) delivered++
      return taken
    },
    sums: (names: Map<string, string>) => ({
      delivered,
      not_taken: looked - delivered,
      revenue,
      sums: [...sums.values()].map((sum) => ({
        ...sum,
        destination: names.get(sum.destination_id) ?? 'A deleted destination',
      })),
    }),
  }
}
