// Two partners who get leads up to a cap, what they made of them, and a lead that came back. The routes are in test mode:
// a demo sends nothing.
import { sql } from 'kysely'
import { leadDestinations } from '../../contract/lead-destinations.ts'
import { leadRoutes } from '../../contract/lead-routes.ts'
import type { Entry } from '../engine/built-in/leads/trace.ts'
import { ruleOf } from '../lead-routing/routing-state.ts'
import { changeLeadIn, figuresOf } from '../lead-routing/update-lead.ts'
import type { Room } from './story.ts'
import { idAt } from './times.ts'

type Partner = { id: string; name: string; route_id: string; route: string; price: number }
type Answer = { partner: 0 | 1; state: 'accepted' | 'rejected' | 'duplicate'; reason?: string; ms: number }
type Plan = { answers: Answer[]; back?: { reason: 'bad_contact' | 'wrong_area'; text: string; isAccepted: boolean } }

const yes = (partner: 0 | 1, ms: number): Answer => ({ partner, state: 'accepted', ms })

/** What became of the newest leads that no one has worked on. */
const plans: Plan[] = [
  { answers: [yes(0, 214)] },
  { answers: [{ partner: 0, state: 'rejected', reason: 'Outside our area', ms: 187 }, yes(1, 420)] },
  { answers: [yes(0, 251)], back: { reason: 'bad_contact', text: 'The number is out of service.', isAccepted: true } },
  { answers: [{ partner: 0, state: 'duplicate', reason: 'Known since March', ms: 162 }, yes(1, 388)] },
  { answers: [yes(0, 236)], back: { reason: 'wrong_area', text: 'Their office is abroad.', isAccepted: false } },
  { answers: [yes(1, 405)] },
]

const minutesMs = 60_000

export async function addLeadSending(room: Room) {
  const { db, company_id, now } = room
  const partners = [
    await addPartner(room, 1, 'Meridian Partners', 40, { filter: 'score >= 20', day: 5 }),
    await addPartner(room, 2, 'Lakeside Consulting', 25, { filter: null, day: 10 }),
  ] as const
  const { rows } = await sql<{ id: string; created_at: Date; values: Record<string, string> }>`
    select r.id, r.created_at, r.values from records r join objects o on o.company_id = ${company_id} and o.id = r.object_id
    where r.company_id = ${company_id} and o.built_in_key = 'leads' and r.version = 1 and r.deleted_at is null
    order by r.id desc limit ${plans.length}`.execute(db)
  for (const [i, { id: lead_id, created_at, values }] of rows.entries()) {
    const at = (seconds: number) => new Date(Math.min(created_at.getTime() + seconds * 1000, now.getTime() - minutesMs))
    await addRouting(room, partners, plans[i]!, { lead_id, source: values.source ?? '', created_at, at })
  }
  await sql`update companies set schema_version = schema_version + 1 where id = ${company_id}`.execute(db)
}

type Sold = { filter: string | null; day: number }

async function addPartner(
  room: Room,
  position: number,
  name: string,
  price: number,
  { filter, day }: Sold,
): Promise<Partner> {
  const { db, company_id, admin_id, now } = room
  const created_at = new Date(now.getTime() - 40 * 24 * 60 * minutesMs + position * minutesMs)
  const [id, route_id] = [idAt(created_at), idAt(created_at)]
  const host = `${name.split(' ')[0]!.toLowerCase()}.example`
  const { http, returns } = leadDestinations.createLeadDestination.input.parse({
    name,
    http: { url: `https://leads.${host}/in`, reason_path: 'reason', price_path: 'price' },
    returns: { days: 7, most_percent: 20, accept_after_hours: 48 },
  })
  const by = { company_id, created_at, created_by: admin_id }
  await db
    .insertInto('lead_destinations')
    .values({
      ...by,
      id,
      name,
      kind: 'http',
      owner_id: admin_id,
      settings: JSON.stringify(http),
      returns: JSON.stringify(returns),
    })
    .execute()
  const route = filter ? `Good leads to ${name}` : `The rest to ${name}`
  const {
    name: _,
    state,
    filter: __,
    ...settings
  } = leadRoutes.createLeadRoute.input.parse({
    name: route,
    state: 'test',
    filter,
    duplicate_days: 30,
    is_exclusive: true,
    targets: [{ destination_id: id, price, max_price: price, caps: { day, budget: 1000 } }],
  })
  await db
    .insertInto('lead_routes')
    .values({ ...by, id: route_id, name: route, position, state, filter, settings: JSON.stringify(settings) })
    .execute()
  return { id, name, route_id, route, price }
}

type Lead = { lead_id: string; source: string; created_at: Date; at: (seconds: number) => Date }

async function addRouting(room: Room, partners: readonly Partner[], { answers, back }: Plan, lead: Lead) {
  const { db, company_id, currency } = room
  const { lead_id, source, created_at, at } = lead
  const routing_id = idAt(created_at)
  const trace: Entry[] = [{ at: at(0).toISOString(), what: 'started' }]
  for (const [i, { partner, state, reason = null, ms }] of answers.entries()) {
    const { id: destination_id, name, route_id, route, price } = partners[partner]!
    const [sent, decided_at] = [at(i + 1), at(i + 1.5)]
    const id = idAt(sent)
    trace.push({
      at: decided_at.toISOString(),
      what: state,
      route_id,
      route,
      delivery_id: id,
      destination: name,
      reason,
      ms,
      ...(state === 'accepted' && { price }),
    })
    const isReturned = state === 'accepted' && back
    await db
      .insertInto('lead_deliveries')
      .values({
        company_id,
        id,
        routing_id,
        lead_id,
        lead_created_at: created_at,
        destination_id,
        route_id,
        source,
        route_name: route,
        state,
        reason,
        price: String(price),
        is_exclusive: true,
        attempts: 1,
        created_at: sent,
        decided_at,
        answer_ms: ms,
        returned_at: isReturned && back.isAccepted ? at(7200) : null,
      })
      .execute()
    if (isReturned) await addReturn(room, { delivery_id: id, destination_id, lead_id }, back, at)
    if (isReturned && back.isAccepted)
      trace.push({ at: at(7200).toISOString(), what: 'returned', delivery_id: id, destination: name })
    if (state === 'accepted') await addUse(room, { route_id, destination_id }, price, at(0))
  }
  await db
    .insertInto('lead_routings')
    .values({ company_id, id: routing_id, lead_id, state: 'delivered', created_at, trace: JSON.stringify(trace) })
    .execute()
  const decided = back?.isAccepted ? at(7200) : at(answers.length + 0.5)
  const figures = () => figuresOf(db, { company_id, lead_id }, currency)
  await changeLeadIn(db, { company_id, lead_id }, ruleOf(), decided, figures, idAt(decided))
}

type Returned = { delivery_id: string; destination_id: string; lead_id: string }

async function addReturn(
  { db, company_id, admin_id }: Room,
  about: Returned,
  back: NonNullable<Plan['back']>,
  at: Lead['at'],
) {
  const { reason, text, isAccepted } = back
  await db
    .insertInto('lead_returns')
    .values({
      company_id,
      id: idAt(at(3600)),
      ...about,
      reason,
      text,
      via: 'link',
      requested_at: at(3600),
      ...(isAccepted
        ? { state: 'accepted', decided_at: at(7200), decided_by: admin_id }
        : { state: 'waiting', accepts_at: null }),
    })
    .execute()
}

/** Counts for the total, and for this month if it was in it. */
async function addUse(
  { db, company_id, now }: Room,
  { route_id, destination_id }: { route_id: string; destination_id: string },
  price: number,
  at: Date,
) {
  const month = now.toISOString().slice(0, 7)
  const count = at.toISOString().startsWith(month) ? 1 : 0
  await sql`insert into lead_route_uses as u (company_id, route_id, destination_id, month, month_used, month_spent,
      total_used, total_spent)
    values (${company_id}, ${route_id}, ${destination_id}, ${month}, ${count}, ${count * price}, 1, ${price})
    on conflict (company_id, route_id, destination_id) do update set month_used = u.month_used + ${count},
      month_spent = u.month_spent + ${count * price}, total_used = u.total_used + 1,
      total_spent = u.total_spent + ${price}`.execute(db)
}
