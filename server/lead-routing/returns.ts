// Partners return leads that they should not have got: by the link that came with the lead, or by someone here.
import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { leadDeliveries, returnStates } from '../../contract/lead-deliveries.ts'
import { returnReasons } from '../../contract/lead-destinations.ts'
import type { Output, Parsed } from '../../contract/operation.ts'
import type { Entry } from '../engine/built-in/leads/trace.ts'
import { AppError } from '../kernel/app-error.ts'
import { actorOf, type Context } from '../kernel/context.ts'
import { escapeHtml } from '../kernel/html.ts'
import { pageFrom, readIdCursor } from '../kernel/page.ts'
import type { Handlers } from '../kernel/run.ts'
import type { Db } from '../platform/db.ts'
import { dayMs, hourMs, iso } from '../platform/times.ts'
import type { Vault } from '../platform/vault.ts'
import { find } from './delivery-operations.ts'
import { leadTitles } from './lead-titles.ts'
import { readReturnLink } from './return-link.ts'
import { windowsAt } from './schedule.ts'
import { changeLeadIn, figuresOf } from './update-lead.ts'

type Own = 'returnLead' | 'listLeadReturns' | 'decideLeadReturn' | 'getReturnPage' | 'returnByLink'
type LeadReturn = Output<typeof leadDeliveries.returnLead>
type Reason = (typeof returnReasons)[number]
type Found = Awaited<ReturnType<typeof find>>

export const reasonWords: Record<Reason, string> = {
  bad_contact: 'The contact details are wrong',
  duplicate: 'We already know this person',
  wrong_area: 'Not in our area',
  wrong_kind: 'Not what we agreed on',
  no_consent: 'The person did not agree to be contacted',
  other: 'Another reason',
}

export const returnOperations = (services: { vault: Vault }): Handlers<Pick<typeof leadDeliveries, Own>> => ({
  async returnLead(context, { id, reason, text }) {
    const delivery = await find(context, id)
    const return_id = await request(context, delivery, { reason, text, via: 'api' })
    return findReturn(context, return_id)
  },

  listLeadReturns: list,

  async decideLeadReturn(context, { id, state }) {
    const before = await findReturn(context, id)
    if (before.state !== 'waiting') throw new AppError('conflict', `This return was already ${before.state}.`)
    const { company_id, user_id } = actorOf(context)
    await decide(context.db, { company_id, id }, state, user_id, context.now)
    context.emit('lead_sending.changed', {})
    context.audit('lead_return.decided', { target_id: id, data: { state } })
    return findReturn(context, id)
  },

  async getReturnPage(context, { token }) {
    const delivery = await byLink(context, services.vault, token)
    await refuseImpossible(context, delivery)
    const day = await localDay(context, delivery)
    const choices = returnReasons.map(
      (reason) => `<option value="${reason}">${escapeHtml(reasonWords[reason])}</option>`,
    )
    return {
      title: 'Return a lead',
      html: `<p>This lead was sent to ${escapeHtml(delivery.destination_name)} on ${day}.</p>
<form method="post">
<p><label>Reason<br><select name="reason" required>${choices.join('')}</select></label></p>
<p><label>Details<br><textarea name="text" rows="4" maxlength="2000"></textarea></label></p>
<button type="submit">Return the lead</button>
</form>`,
    }
  },

  async returnByLink(context, { token, reason, text }) {
    const delivery = await byLink(context, services.vault, token)
    const id = await request(context, delivery, { reason, text, via: 'link' })
    const { rows } = await sql<{ state: string }>`select state from lead_returns
      where company_id = ${delivery.company_id} and id = ${id}`.execute(context.db)
    const words = rows[0]?.state === 'accepted' ? 'The return was accepted.' : 'We will review it.'
    return { title: 'Return a lead', html: `<p>Thank you. ${words}</p>` }
  },
})

async function byLink(context: Context, vault: Vault, token: string) {
  const named = readReturnLink(vault, token, context.now)
  const found =
    named &&
    (await find(context, named.id, named.company_id).catch((error) => {
      if (error instanceof AppError && error.code === 'not_found') return undefined
      throw error
    }))
  if (!found) throw new AppError('not_found', 'This link has expired or is incomplete.')
  return found
}

/** When it was sent, as clocks of the company show it. */
async function localDay({ db }: Context, { company_id, created_at }: Found) {
  const company = db.selectFrom('companies').select('time_zone').where('id', '=', company_id)
  return windowsAt(created_at, (await company.executeTakeFirstOrThrow()).time_zone).day
}

async function refuseImpossible(context: Context, delivery: Found) {
  const { company_id, id, state, decided_at, created_at, returns, returned_at } = delivery
  const refuse = (words: string) => new AppError('conflict', words)
  if (state !== 'accepted') throw refuse('Only accepted leads can be returned.')
  if (returned_at) throw refuse('This lead was already returned.')
  const { rows } = await sql<{ state: LeadReturn['state'] }>`select state from lead_returns
    where company_id = ${company_id} and delivery_id = ${id}`.execute(context.db)
  if (rows[0]) throw refuse(requested[rows[0].state])
  const days = (context.now.getTime() - (decided_at ?? created_at).getTime()) / dayMs
  if (days > returns.days) throw refuse(`Leads can be returned within ${returns.days} days. This one is older.`)
  await refuseTooMany(context, delivery)
}

const requested: Record<LeadReturn['state'], string> = {
  waiting: 'The return of this lead was already requested and is being reviewed.',
  accepted: 'This lead was already returned.',
  declined: 'The return of this lead was declined.',
}

type ReturnRequest = { reason: Reason; text: string; via: 'link' | 'api' }

/** Two requests for one lead are one, by a unique index. */
async function request(context: Context, delivery: Found, { reason, text, via }: ReturnRequest) {
  const { company_id, destination_id, lead_id, returns } = delivery
  await refuseImpossible(context, delivery)
  if (reason === 'other' && !text)
    throw new AppError('invalid_input', 'Enter a reason.', {
      errors: [{ path: 'text', message: 'Enter a reason' }],
    })
  const id = randomUUIDv7()
  const after = returns.accept_after_hours
  const accepts_at = after === null ? null : new Date(context.now.getTime() + after * hourMs)
  const row = { company_id, id, delivery_id: delivery.id, destination_id, lead_id, reason, text, via }
  const inserted = await context.db
    .insertInto('lead_returns')
    .values({ ...row, state: 'waiting', requested_at: context.now, accepts_at })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (!inserted.numInsertedOrUpdatedRows) throw new AppError('conflict', 'This lead was already returned.')
  context.emit('lead.return_requested', { return_id: id }, company_id)
  context.emit('lead_sending.changed', {}, company_id)
  if (after === 0) await decide(context.db, { company_id, id }, 'accepted', null, context.now)
  return id
}

/** Of the leads that the destination took in the last 30 days. One is always allowed. */
async function refuseTooMany({ db, now }: Context, { company_id, destination_id, returns }: Found) {
  const since = new Date(now.getTime() - 30 * dayMs)
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${company_id} ${destination_id} returns`}, 24))`.execute(
    db,
  )
  const { rows } = await sql<{ taken: number; returned: number }>`
    select (select count(*)::int from lead_deliveries d where d.company_id = ${company_id}
        and d.destination_id = ${destination_id} and d.state = 'accepted' and d.created_at > ${since}) as taken,
      (select count(*)::int from lead_returns r where r.company_id = ${company_id}
        and r.destination_id = ${destination_id} and r.state <> 'declined' and r.requested_at > ${since}) as returned`.execute(
    db,
  )
  const { taken, returned } = rows[0]!
  const most = Math.max(1, Math.floor((taken * returns.most_percent) / 100))
  if (returned >= most)
    throw new AppError(
      'conflict',
      `At most ${returns.most_percent}% of the leads from the last 30 days can be returned, and this limit has been reached.`,
    )
}

/** In a transaction of the caller. The revenue of an accepted return is reversed. */
export async function decide(
  tx: Db,
  { company_id, id }: { company_id: string; id: string },
  state: 'accepted' | 'declined',
  user_id: string | null,
  now: Date,
) {
  const { rows } = await sql<{ delivery_id: string; lead_id: string; currency: string }>`
    update lead_returns r set state = ${state}, decided_at = ${now}, decided_by = ${user_id}, accepts_at = null
    from companies c where r.company_id = ${company_id} and r.id = ${id} and r.state = 'waiting' and c.id = ${company_id}
    returning r.delivery_id, r.lead_id, c.currency`.execute(tx)
  const [found] = rows
  if (!found || state === 'declined') return
  const { delivery_id, lead_id, currency } = found
  const rule = { kind: 'rule' as const, id: null, name: 'Lead sending' }
  await changeLeadIn(tx, { company_id, lead_id }, rule, now, async () => {
    const { rows: names } = await sql<{ name: string; routing_id: string }>`
      update lead_deliveries d set returned_at = ${now} from lead_destinations n
      where d.company_id = ${company_id} and d.id = ${delivery_id} and n.company_id = ${company_id} and n.id = d.destination_id
      returning n.name, d.routing_id`.execute(tx)
    const entry: Entry = { at: now.toISOString(), what: 'returned', delivery_id, destination: names[0]?.name ?? '' }
    await sql`update lead_routings set trace = trace || ${JSON.stringify([entry])}::jsonb
      where company_id = ${company_id} and id = ${names[0]?.routing_id ?? null}`.execute(tx)
    return figuresOf(tx, { company_id, lead_id }, currency)
  })
}

type Row = {
  id: string
  delivery_id: string
  lead_id: string
  destination_id: string
  destination_name: string
  reason: Reason
  text: string
  via: 'link' | 'api'
  state: (typeof returnStates)[number]
  price: string
  requested_at: Date
  accepts_at: Date | null
  decided_at: Date | null
  decided_by_name: string | null
}

async function list(context: Context, asked: Parsed<typeof leadDeliveries.listLeadReturns>) {
  const { limit, cursor } = asked
  const rows = await rowsOf(
    context,
    { ...asked, before: cursor === undefined ? null : readIdCursor(cursor) },
    limit + 1,
  )
  const page = pageFrom(rows, limit)
  return { items: await shown(context, page.rows), next_cursor: page.next_cursor }
}

async function findReturn(context: Context, id: string) {
  const [row] = await rowsOf(context, { id }, 1)
  if (!row) throw new AppError('not_found', 'Return not found. List the returns to get their IDs.')
  return (await shown(context, [row]))[0]!
}

type ReturnInput = {
  id?: string
  state?: string | undefined
  destination_id?: string | undefined
  before?: string | null
}

async function rowsOf(context: Context, { id, state, destination_id, before = null }: ReturnInput, limit: number) {
  const { company_id } = actorOf(context)
  const { rows } = await sql<Row>`
    select b.*, d.price, n.name as destination_name, u.name as decided_by_name from lead_returns b
    join lead_deliveries d on d.company_id = ${company_id} and d.id = b.delivery_id
    join lead_destinations n on n.company_id = ${company_id} and n.id = b.destination_id
    left join users u on u.company_id = ${company_id} and u.id = b.decided_by
    where b.company_id = ${company_id} and (${id ?? null}::uuid is null or b.id = ${id ?? null}::uuid)
      and (${state ?? null}::text is null or b.state = ${state ?? null}::text)
      and (${destination_id ?? null}::uuid is null or b.destination_id = ${destination_id ?? null}::uuid)
      and (${before}::uuid is null or b.id < ${before}::uuid)
    order by b.id desc limit ${limit}`.execute(context.db)
  return rows
}

async function shown(context: Context, rows: Row[]): Promise<LeadReturn[]> {
  const titles = await leadTitles(context, rows)
  return rows.map((row) => ({
    id: row.id,
    delivery_id: row.delivery_id,
    lead_id: row.lead_id,
    lead_title: titles.get(row.lead_id) ?? null,
    destination_id: row.destination_id,
    destination_name: row.destination_name,
    reason: row.reason,
    text: titles.has(row.lead_id) ? row.text : '',
    via: row.via,
    state: row.state,
    price: Number(row.price),
    decided_by_name: row.decided_by_name,
    requested_at: row.requested_at.toISOString(),
    accepts_at: iso(row.accepts_at),
    decided_at: iso(row.decided_at),
  }))
}
