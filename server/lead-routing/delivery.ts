// A lead on its way to one destination. Everything that must hold with several processes is decided here, in the
// transaction before it is sent: caps, exclusivity, and that a destination gets a lead and a person once.
import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { leadDeliveryStates } from '../../contract/lead-deliveries.ts'
import type { Target } from '../../contract/lead-routes.ts'
import type { NewEntry } from '../engine/built-in/leads/trace.ts'
import { idsWithMerged } from '../engine/names/merged.ts'
import { type Leased, LostLease, leasesOf } from '../kernel/leases.ts'
import { type Db, isUniqueViolation, transaction } from '../platform/db.ts'
import { dayMs } from '../platform/times.ts'
import { correct, counting, leastLeft, reachedCap, reservedFor, type StoredUses, usedIn, usesOf } from './caps.ts'
import { sum, toCents } from './cents.ts'
import type { Sent } from './deliver.ts'
import type { Windows } from './schedule.ts'

export type State = (typeof leadDeliveryStates)[number]
export type Delivery = {
  company_id: string
  id: string
  routing_id: string
  lead_id: string
  destination_id: string
  route_id: string | null
  state: State
  price: string
  /** What counts towards the budget until the price is known; null: the price. */
  reserved: string | null
  is_exclusive: boolean
  attempts: number
  next_attempt_at: Date | null
  returned_at: Date | null
  reason: string | null
  route_name: string | null
  answer_ms: number | null
  /** What is left of the caps after it. */
  left?: ReturnType<typeof leastLeft>
} & Windows

/** They have the lead, or may have it, or are about to get it. */
export const holding = ['sending', 'waiting', 'accepted', 'unknown']
export const isTaken = ({ state }: Pick<Delivery, 'state'>) => state === 'accepted' || state === 'unknown'

/** Of leads on their way. */
export const leases = leasesOf('lead_routings', 20)
export type Lease = Leased & { lead_id: string }

export async function deliveriesOf(db: Db, company_id: string, lead_id: string) {
  const { rows } = await sql<Delivery>`
    select d.company_id, d.id, d.routing_id, d.lead_id, d.destination_id, d.route_id, d.state, d.price, d.reserved, d.is_exclusive,
      d.attempts, d.next_attempt_at, d.returned_at, d.hour, d.day, d.month, d.reason, d.route_name, d.answer_ms
    from lead_deliveries d where d.company_id = ${company_id} and d.lead_id = any(${idsWithMerged(company_id, lead_id)})
    order by d.id`.execute(db)
  return rows
}

type NewDelivery = {
  lease: Lease
  route: { id: string | null; name: string | null; is_exclusive: boolean; duplicate_days: number }
  target: Target
  windows: Windows
  person: { email: string | null; phone: string | null }
  source: string
  lead_created_at: string
  /** Those that the lead has. Only the holder of the lease adds more. */
  deliveries: Delivery[]
  now: Date
}
type Begun = { delivery: Delivery } | { no: NewEntry }

/** Why it must not be sent, or the delivery, which now counts. */
export async function begin(db: Db, wanted: NewDelivery): Promise<Begun> {
  const { route, target, deliveries } = wanted
  const held = deliveries.filter(({ state }) => holding.includes(state))
  if (held.some((one) => one.destination_id === target.destination_id)) return { no: { what: 'already_sent' } }
  const current = held.filter(({ returned_at }) => !returned_at)
  if (current.some(({ is_exclusive }) => is_exclusive) || (route.is_exclusive && current.length))
    return { no: { what: 'exclusive_elsewhere' } }
  try {
    if (!route.duplicate_days) return await insert(db, wanted)
    return await transaction(db, async (tx): Promise<Begun> => {
      if (await hasPerson(tx, wanted)) return { no: { what: 'same_person', days: route.duplicate_days } }
      return insert(tx, wanted)
    })
  } catch (error) {
    if (isUniqueViolation(error, 'lead_deliveries_once')) return { no: { what: 'already_sent' } }
    throw error
  }
}

/** One statement: makes sure of the lease, counts the lead, and inserts the delivery. */
async function insert(
  db: Db,
  { lease, route, target, windows, person, source, ...wanted }: NewDelivery,
): Promise<Begun> {
  const { company_id, lead_id, id: routing_id } = lease
  const { destination_id, caps, max_price } = target
  const reserved = reservedFor(target)
  const place = route.id ? { company_id, route_id: route.id, destination_id } : undefined
  const row = {
    company_id,
    id: randomUUIDv7(),
    routing_id,
    lead_id,
    lead_created_at: wanted.lead_created_at,
    destination_id,
    route_id: route.id,
    route_name: route.name,
    source: source.slice(0, 200),
    ...person,
    ...windows,
    state: 'sending' as const,
    price: String(toCents(target.price)),
    is_exclusive: route.is_exclusive,
    reserved: max_price === null ? null : String(reserved),
    created_at: wanted.now,
  }
  const names = sql.join(Object.keys(row).map((name) => sql.ref(name)))
  const counted = place ? counting(place, caps, reserved, windows, 'lease') : sql`select 1 from lease`
  const { rows } = await sql<{ is_leased: boolean; uses: StoredUses | null }>`
    with lease as (${leases.held(lease)}),
    counted as (${counted}),
    sent as (
      insert into lead_deliveries (${names})
      select ${sql.join(Object.entries(row).map(([name, value]) => sql`${value}::${sql.raw(types[name] ?? 'text')}`))} from counted)
    select exists (select from lease) as is_leased, (select to_jsonb(c) from counted c) as uses`.execute(db)
  const { is_leased, uses } = rows[0]!
  if (!is_leased) throw new LostLease()
  const used = async () => (await usesOf(db, company_id, route.id)).find((one) => one.destination_id === destination_id)
  if (!uses) {
    const reached = reachedCap(caps, usedIn(await used(), windows), reserved) ?? { window: 'total', cap: 0, used: 0 }
    return { no: { what: 'cap_reached', ...reached } }
  }
  const left = place && leastLeft(caps, usedIn(uses, windows))
  const fresh = { attempts: 0, next_attempt_at: null, returned_at: null, reason: null, answer_ms: null }
  return { delivery: { ...row, ...fresh, ...(left && { left }) } }
}

const types: Record<string, string> = {
  company_id: 'uuid',
  id: 'uuid',
  routing_id: 'uuid',
  lead_id: 'uuid',
  destination_id: 'uuid',
  route_id: 'uuid',
  lead_created_at: 'timestamptz',
  created_at: 'timestamptz',
  price: 'numeric',
  reserved: 'numeric',
  is_exclusive: 'boolean',
}

/** Two leads of one person at the same time wait for each other. */
async function hasPerson(tx: Db, { lease, target, person, route, now }: NewDelivery) {
  const { email, phone } = person
  const { company_id, lead_id } = lease
  for (const key of [email, phone].filter(Boolean).toSorted())
    await sql`select pg_advisory_xact_lock(hashtextextended(${`${company_id} ${target.destination_id} ${key}`}, 24))`.execute(
      tx,
    )
  const since = new Date(now.getTime() - route.duplicate_days * dayMs)
  const { rows } = await sql`
    select 1 from lead_deliveries d where d.company_id = ${company_id} and d.destination_id = ${target.destination_id}
      and d.lead_id <> ${lead_id} and d.created_at > ${since} and d.state = any(${holding}::text[])
      and (d.email = ${email} or d.phone = ${phone}) limit 1`.execute(tx)
  return rows.length > 0
}

/** Another attempt of a delivery that already counts. */
export const beginAgain = (db: Db, lease: Lease, delivery: Delivery) =>
  transaction(db, async (tx) => {
    await leases.hold(tx, lease)
    await sql`update lead_deliveries set state = 'sending', next_attempt_at = null
      where company_id = ${delivery.company_id} and id = ${delivery.id}`.execute(tx)
  })

export type Outcome = { state: State; reason: string | null; sent?: Sent; next?: Date; now: Date }

/** What became of an attempt. Written again after a lost connection, it changes nothing. */
export const finish = (db: Db, delivery: Delivery, outcome: Outcome) =>
  transaction(db, (tx) => finishIn(tx, delivery, outcome)).then(({ price, attempts }) => {
    const { state, reason, sent, next = null } = outcome
    const answer_ms = sent?.answer?.ms ?? null
    Object.assign(delivery, { state, reason, price: String(price), next_attempt_at: next, attempts, answer_ms })
  })

/** In a transaction of the caller. A lead that was not taken no longer counts. */
export async function finishIn(tx: Db, delivery: Delivery, { state, reason, sent, next, now }: Outcome) {
  const { company_id, id } = delivery
  const price = state === 'accepted' ? priceOf(delivery, sent?.price) : Number(delivery.price)
  const log = sent
    ? [{ at: now.toISOString(), request: sent.request, answer: sent.answer, result: sent.result, reason: sent.reason }]
    : []
  const attempts = delivery.attempts + log.length
  const { rows } = await sql`
    update lead_deliveries set state = ${state}, reason = ${reason}, price = ${price}, attempts = ${attempts},
      next_attempt_at = ${next ?? null}, decided_at = ${next ? null : now}, answer_ms = ${sent?.answer?.ms ?? null},
      log = log || ${JSON.stringify(log)}::jsonb
    where company_id = ${company_id} and id = ${id} and state in ('sending', 'waiting') and attempts = ${delivery.attempts}
    returning id`.execute(tx)
  if (rows.length) await settle(tx, delivery, state, price)
  else if (!(await isWritten(tx, delivery, state, attempts))) throw new LostLease()
  return { price, attempts }
}

/** What the lead costs. An answer that names more than the route allows counts as that, so that the budget holds. */
function priceOf({ price, reserved }: Delivery, named: number | null | undefined) {
  const most = reserved === null ? Number.POSITIVE_INFINITY : Number(reserved)
  return Math.min(toCents(named ?? Number(price)), most)
}

/** Whether the database had it before the connection was lost. Otherwise another process has decided meanwhile. */
async function isWritten(tx: Db, { company_id, id }: Delivery, state: State, attempts: number) {
  const { rows } = await sql`select 1 from lead_deliveries where company_id = ${company_id} and id = ${id}
    and state = ${state} and attempts = ${attempts}`.execute(tx)
  return rows.length > 0
}

/** Corrects the caps by what the delivery turned out to be. */
export async function settle(tx: Db, delivery: Delivery, state: State, price: number) {
  if (!delivery.route_id) return
  const place = {
    company_id: delivery.company_id,
    route_id: delivery.route_id,
    destination_id: delivery.destination_id,
  }
  const counted = Number(delivery.reserved ?? delivery.price)
  if (state === 'accepted') await correct(tx, place, delivery, 0, sum(price, -counted))
  else if (!holding.includes(state)) await correct(tx, place, delivery, -1, -counted)
}
