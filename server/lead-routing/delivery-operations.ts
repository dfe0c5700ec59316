import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { leadDeliveries } from '../../contract/lead-deliveries.ts'
import type { Output, Parsed } from '../../contract/operation.ts'
import { type Entry, wordsOf } from '../engine/built-in/leads/trace.ts'
import { idsWithMerged } from '../engine/names/merged.ts'
import { recordsById } from '../engine/read/by-id.ts'
import { schemaOf } from '../engine/schema/schema.ts'
import { AppError, referenced } from '../kernel/app-error.ts'
import { actorOf, type Context } from '../kernel/context.ts'
import { pageFrom, readIdCursor } from '../kernel/page.ts'
import type { Handlers } from '../kernel/run.ts'
import { leadsOf } from '../leads/leads-object.ts'
import { isUniqueViolation } from '../platform/db.ts'
import { iso } from '../platform/times.ts'
import type { Vault } from '../platform/vault.ts'
import { type Delivery, type State, settle } from './delivery.ts'
import { findNamed as findDestination } from './destination.ts'
import { leadTitles } from './lead-titles.ts'
import { report } from './report.ts'
import { returnLink } from './return-link.ts'
import type { Routing } from './routing-state.ts'
import { changeLeadIn, figuresOf } from './update-lead.ts'

type Own =
  | 'sendLead'
  | 'explainLeadRoute'
  | 'listLeadDeliveries'
  | 'getLeadDelivery'
  | 'settleLeadDelivery'
  | 'getLeadSendingReport'
type Services = { vault: Vault; baseUrl: URL }
type Shown = Output<typeof leadDeliveries.settleLeadDelivery>

export const deliveryOperations = (services: Services): Handlers<Pick<typeof leadDeliveries, Own>> => ({
  async sendLead(context, { id: lead_id, destination_id }) {
    const { company_id, name: by } = actorOf(context)
    await findLead(context, lead_id)
    const destination = destination_id
      ? await referenced('destination_id', () => findDestination(context, destination_id))
      : undefined
    if (destination) await refuseSecond(context, lead_id, destination)
    else {
      if (!(await schemaOf(context.db, actorOf(context))).has_lead_routes)
        throw new AppError('conflict', 'No route is active. Turn one on, or choose a destination.')
      await refuseTaken(context, lead_id)
    }
    const at = context.now.toISOString()
    const entry: Entry = { at, what: 'sent_by_user', by, ...(destination && { destination: destination.name }) }
    try {
      await context.db
        .insertInto('lead_routings')
        .values({
          company_id,
          id: randomUUIDv7(),
          lead_id,
          destination_id: destination?.id ?? null,
          created_at: context.now,
          next_at: context.now,
          trace: JSON.stringify([entry]),
        })
        .execute()
    } catch (error) {
      refuseSecondRouting(error)
    }
    context.emit('lead.queued', {})
    context.audit('lead.sent', { target_id: lead_id, data: { destination: destination?.name ?? null } })
    return explained(context, lead_id)
  },

  async explainLeadRoute(context, { id: lead_id }) {
    await findLead(context, lead_id)
    return explained(context, lead_id)
  },

  listLeadDeliveries: list,

  async getLeadDelivery(context, { id }) {
    const row = await find(context, id)
    const sent_at = row.decided_at ?? row.created_at
    const link = row.state === 'accepted' && !row.returned_at ? returnLink(services, row, id, sent_at) : ''
    const [delivery] = await shown(context, [row])
    // What was sent and answered is about the lead.
    return { ...delivery!, log: delivery!.lead_title === null ? [] : row.log, return_link: link || null }
  },

  async settleLeadDelivery(context, { id, state }) {
    const { company_id, name: by } = actorOf(context)
    const row = await find(context, id)
    if (row.state !== 'unknown') throw new AppError('conflict', `This delivery is ${row.state}, not unknown.`)
    await sql`update lead_deliveries set state = ${state}, reason = ${`Resolved by ${by}.`}, decided_at = ${context.now}
      where company_id = ${company_id} and id = ${id}`.execute(context.db)
    await settle(context.db, row, state, Number(row.price))
    const entry: Entry = {
      at: context.now.toISOString(),
      what: 'settled',
      state,
      destination: row.destination_name,
      delivery_id: id,
    }
    // If it did not arrive, the lead goes on to the next route.
    const next = state === 'failed' ? context.now : null
    await sql`update lead_routings set trace = trace || ${JSON.stringify([entry])}::jsonb, next_at = ${next},
        state = ${next ? 'waiting' : 'delivered'}
      where company_id = ${company_id} and id = ${row.routing_id} and next_at is null`
      .execute(context.db)
      .catch(refuseSecondRouting)
    if (next) context.emit('lead.queued', {})
    else await noteLater(context, row)
    context.audit('lead_delivery.settled', { target_id: id, data: { state } })
    return (await shown(context, [await find(context, id)]))[0]!
  },

  getLeadSendingReport: { isHeavy: () => true, handle: report },
})

/** A lead takes one way at a time. */
function refuseSecondRouting(error: unknown): never {
  if (!isUniqueViolation(error, 'lead_routings_open')) throw error
  throw new AppError('conflict', 'This lead is already being sent. Wait until it has finished.')
}

async function findLead(context: Context, lead_id: string) {
  const schema = await schemaOf(context.db, actorOf(context))
  const found = (await recordsById(context, leadsOf(schema), [lead_id])).get(lead_id)
  if (!found) throw new AppError('not_found', 'Lead not found, or you do not have access to it.')
}

async function refuseSecond(context: Context, lead_id: string, { id, name }: { id: string; name: string }) {
  const { company_id } = actorOf(context)
  const { rows } = await sql`select 1 from lead_deliveries d where d.company_id = ${company_id}
    and d.lead_id = any(${idsWithMerged(company_id, lead_id)}) and d.destination_id = ${id}
    and d.state in ('sending', 'waiting', 'accepted', 'unknown')`.execute(context.db)
  if (rows.length) throw new AppError('conflict', `${name} already has this lead, or may have it.`)
}

/** Routes would sell it a second time. */
async function refuseTaken(context: Context, lead_id: string) {
  const { company_id } = actorOf(context)
  const { rows } = await sql<{ name: string }>`select n.name from lead_deliveries d
    join lead_destinations n on n.company_id = ${company_id} and n.id = d.destination_id
    where d.company_id = ${company_id} and d.lead_id = any(${idsWithMerged(company_id, lead_id)})
      and d.state in ('accepted', 'unknown')
      and d.returned_at is null`.execute(context.db)
  const [taken] = rows
  if (taken)
    throw new AppError(
      'conflict',
      `${taken.name} already has this lead, or may have it. To also send it to someone else, choose a destination.`,
    )
}

/** In the transaction of the call, so that a webhook hears of it. */
const noteLater = async (context: Context, { company_id, lead_id }: Delivery) => {
  const schema = await schemaOf(context.db, actorOf(context))
  const rule = { kind: 'rule' as const, id: null, name: 'Lead sending' }
  await changeLeadIn(context.db, { company_id, lead_id }, rule, context.now, (tx) =>
    figuresOf(tx, { company_id, lead_id }, schema.currency),
  )
}

async function explained(context: Context, lead_id: string): Promise<Output<typeof leadDeliveries.explainLeadRoute>> {
  const { company_id } = actorOf(context)
  const { rows } = await sql<Routing & { next_at: Date | null }>`
    select * from lead_routings where company_id = ${company_id} and lead_id = any(${idsWithMerged(company_id, lead_id)})
    order by id desc limit 20`.execute(context.db)
  const newest = rows[0]
  const schema = await schemaOf(context.db, actorOf(context))
  const lines = rows.toReversed().flatMap(({ trace }) => trace)
  return {
    lead_id,
    state: newest?.state ?? null,
    started_at: newest?.created_at.toISOString() ?? null,
    next_at: newest?.next_at?.toISOString() ?? null,
    lines: lines.map((entry) => ({
      at: entry.at,
      text: wordsOf(entry, schema),
      what: entry.what,
      route_id: entry.route_id ?? null,
      delivery_id: entry.delivery_id ?? null,
    })),
  }
}

type Row = Delivery & {
  state: State
  destination_name: string
  route_name: string | null
  source: string
  reason: string | null
  created_at: Date
  decided_at: Date | null
  answer_ms: number | null
  returns: { days: number; most_percent: number; accept_after_hours: number | null }
  log: Output<typeof leadDeliveries.getLeadDelivery>['log']
}

async function list(context: Context, asked: Parsed<typeof leadDeliveries.listLeadDeliveries>) {
  const { destination_id = null, route_id = null, lead_id, state = null, limit, cursor } = asked
  const { company_id } = actorOf(context)
  const ofLead = lead_id === undefined ? sql`true` : sql`d.lead_id = any(${idsWithMerged(company_id, lead_id)})`
  const { rows } = await sql<Row>`
    select d.*, n.name as destination_name, n.returns from lead_deliveries d
    join lead_destinations n on n.company_id = ${company_id} and n.id = d.destination_id
    where d.company_id = ${company_id} and (${destination_id}::uuid is null or d.destination_id = ${destination_id}::uuid)
      and (${route_id}::uuid is null or d.route_id = ${route_id}::uuid) and ${ofLead}
      and (${state}::text is null or d.state = ${state}::text or ${state}::text = 'returned' and d.returned_at is not null)
      and (${cursor === undefined}::boolean or d.id < ${cursor === undefined ? null : readIdCursor(cursor)}::uuid)
    order by d.id desc limit ${limit + 1}`.execute(context.db)
  const page = pageFrom(rows, limit)
  return { items: await shown(context, page.rows), next_cursor: page.next_cursor }
}

export async function find(context: Context, id: string, company_id = actorOf(context).company_id) {
  const { rows } = await sql<Row>`
    select d.*, n.name as destination_name, n.returns from lead_deliveries d
    join lead_destinations n on n.company_id = ${company_id} and n.id = d.destination_id
    where d.company_id = ${company_id} and d.id = ${id}`.execute(context.db)
  if (!rows[0]) throw new AppError('not_found', 'Delivery not found. List the deliveries to get their IDs.')
  return rows[0]
}

async function shown(context: Context, rows: Row[]): Promise<Shown[]> {
  const titles = await leadTitles(context, rows)
  return rows.map((row) => ({
    id: row.id,
    lead_id: row.lead_id,
    lead_title: titles.get(row.lead_id) ?? null,
    source: row.source,
    destination_id: row.destination_id,
    destination_name: row.destination_name,
    route_id: row.route_id,
    route_name: row.route_name,
    state: row.state,
    // Often in the words of the destination.
    reason: titles.has(row.lead_id) ? row.reason : null,
    price: Number(row.price),
    attempts: row.attempts,
    answer_ms: row.answer_ms,
    created_at: row.created_at.toISOString(),
    decided_at: iso(row.decided_at),
    returned_at: iso(row.returned_at),
  }))
}
