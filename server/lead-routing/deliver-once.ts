// One attempt to give a lead to one destination.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Target } from '../../contract/lead-routes.ts'
import { builtInValue } from '../engine/values/built-in-values.ts'
import { isoTime } from '../engine/values/from-row.ts'
import { bySystem } from '../kernel/context.ts'
import { isUnavailable } from '../platform/db.ts'
import { retryAt } from '../platform/retry.ts'
import { chosenMember } from './assign-user.ts'
import { send } from './deliver.ts'
import { begin, beginAgain, type Delivery, finish, finishIn, type Outcome } from './delivery.ts'
import { type DestinationRow, problemOf, type SettingsOf } from './destination.ts'
import { type Route, zoneOf } from './route.ts'
import { compared } from './route-filter.ts'
import { nameOf, note, ofRoute, ruleOf, type Work } from './routing-state.ts'
import { windowsAt } from './schedule.ts'
import { changeLead } from './update-lead.ts'

export async function start(work: Work, route: Route, target: Target) {
  const { db, routing, lead, leads, schema, clock } = work
  const destination = work.destinations.get(target.destination_id)
  const about = { ...ofRoute(route), destination: nameOf(work, target.destination_id) }
  const problem = await problemWith(work, destination)
  if (problem) return void note(work, routing, { what: 'not_possible', problem, ...about })
  const text = (key: string) => {
    const value = builtInValue(leads, lead.values, key)
    return typeof value === 'string' && value ? value.toLowerCase() : null
  }
  const begun = await begin(db, {
    lease: routing,
    target,
    now: clock(),
    lead_created_at: isoTime(lead.created_at),
    deliveries: work.deliveries,
    windows: windowsAt(clock(), zoneOf(route, schema)),
    route: {
      id: route.id || null,
      name: route.name || null,
      is_exclusive: route.is_exclusive,
      duplicate_days: route.duplicate_days,
    },
    person: { email: text('email'), phone: text('phone') },
    source: String(builtInValue(leads, lead.values, 'source') ?? ''),
  })
  if ('no' in begun) return void note(work, routing, { ...begun.no, ...about })
  work.deliveries.push(begun.delivery)
  await attempt(work, route, destination!, begun.delivery)
}

/** One that waits, or one that a process was sending when it ended. */
export async function repeat(work: Work, route: Route, delivery: Delivery) {
  const destination = work.destinations.get(delivery.destination_id)
  const wasInterrupted = delivery.state === 'sending'
  const problem = await problemWith(work, destination)
  if (wasInterrupted && (problem || !isIdempotent(destination!))) {
    const reason = 'Kith was interrupted while it was sending, so the lead may have arrived.'
    return conclude(work, route, delivery, { state: 'unknown', reason })
  }
  if (problem) return conclude(work, route, delivery, { state: 'failed', reason: problem })
  await beginAgain(work.db, work.routing, delivery)
  return attempt(work, route, destination!, delivery)
}

const problemWith = ({ db, schema }: Work, destination: DestinationRow | undefined) =>
  destination ? problemOf(db, schema, destination) : 'The destination was deleted.'

/** Whether the same request may be sent again although it may have arrived. */
const isIdempotent = ({ kind, settings }: DestinationRow) =>
  kind === 'members' || kind === 'kith' || (kind === 'http' && (settings as SettingsOf<'http'>).is_idempotent)

async function attempt(work: Work, route: Route, destination: DestinationRow, delivery: Delivery) {
  const { clock } = work
  if (destination.kind === 'members') return assign(work, route, destination, delivery)
  const context = { ...bySystem(delivery.company_id, 0, 'sendLead'), db: work.db, now: clock() }
  const about = { leads: work.leads, lead: work.lead, delivery_id: delivery.id }
  const sent = await send(context, work.services, destination, about, work.signal)
  const { result, reason } = sent
  const isRetryable = result === 'again' || result === 'failed' || (result === 'unknown' && isIdempotent(destination))
  const waits = route.on_failure === 'retry' && isRetryable ? route.retry_minutes.map((minutes) => minutes * 60) : []
  const next = retryAt(waits, delivery.attempts + 1, clock(), { askedMs: sent.retryAfterMs })
  if (next) return conclude(work, route, delivery, { state: 'waiting', sent, reason, next })
  return conclude(work, route, delivery, { state: result === 'again' ? 'failed' : result, sent, reason })
}

/** The new owner and the delivery are one change, so that an interruption gives the lead to no second user. */
async function assign(work: Work, route: Route, destination: DestinationRow, delivery: Delivery) {
  const { db, schema, clock } = work
  let owner: string | undefined
  await changeLead(db, delivery, ruleOf(route), clock(), async (tx) => {
    owner = await chosenMember(tx, schema, destination, clock())
    if (owner) await finishIn(tx, delivery, { state: 'accepted', reason: null, now: clock() })
    return owner ? { owner } : undefined
  })
  if (!owner) return conclude(work, route, delivery, { state: 'failed', reason: 'None of its users is active.' })
  Object.assign(delivery, { state: 'accepted' })
  work.lead = { ...work.lead, owner_id: owner }
  work.compared = compared(work.lead)
  noteOutcome(work, route, delivery, { state: 'accepted', reason: null })
}

type Concluded = Omit<Outcome, 'now'>

async function conclude(work: Work, route: Route, delivery: Delivery, outcome: Concluded) {
  await patiently(() => finish(work.db, delivery, { ...outcome, now: work.clock() }))
  noteOutcome(work, route, delivery, outcome)
  const isBad = ['rejected', 'failed', 'unknown'].includes(outcome.state)
  if (isBad && route.notify_user_ids.length) await report(work, route, delivery)
}

/** Shorter than the lease: meanwhile no other process takes the lead over. */
const patienceMs = 10_000

/** What a destination has answered must not be lost because the database restarts. */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (const end = performance.now() + patienceMs; ; await sleep(200))
    try {
      return await work()
    } catch (error) {
      if (!isUnavailable(error) || performance.now() > end) throw error
    }
}

export function noteOutcome(work: Work, route: Pick<Route, 'id' | 'name'>, delivery: Delivery, outcome: Concluded) {
  const { state, reason, sent, next } = outcome
  const about = { ...ofRoute(route), destination: nameOf(work, delivery.destination_id), delivery_id: delivery.id }
  if (state === 'waiting') {
    note(work, work.routing, { what: 'again', reason, until: next!.toISOString(), ...about })
    return
  }
  note(work, work.routing, {
    what: state as 'accepted',
    reason,
    ms: sent?.answer?.ms ?? delivery.answer_ms,
    ...(state === 'accepted' && { price: Number(delivery.price), ...(delivery.left && { left: delivery.left }) }),
    ...about,
  })
}

const report = ({ db, clock }: Work, route: Route, delivery: Delivery) =>
  changeLead(db, delivery, ruleOf(route), clock(), async (_tx, context) => {
    const { lead_id, id: delivery_id } = delivery
    context.emit('lead.not_accepted', { lead_id, delivery_id, user_ids: route.notify_user_ids })
    return undefined
  })
