// Notes on the lead itself what became of it, so that lists, filters, history, webhooks and dashboards know it.
import { sql } from 'kysely'
import { idsWithMerged, keptInstead } from '../engine/names/merged.ts'
import { builtInInUse, schemaOf } from '../engine/schema/schema.ts'
import { type Stored, storedColumns } from '../engine/values/from-row.ts'
import { saveChanges } from '../engine/write/save.ts'
import { changedRecord } from '../engine/write/update.ts'
import { contextFor } from '../kernel/act-as.ts'
import { actorOf, type Context, type Principal } from '../kernel/context.ts'
import { Params, run } from '../kernel/statement.ts'
import { type Db, isOutdatedSchema, transaction } from '../platform/db.ts'
import { sum } from './cents.ts'

type Lead = { company_id: string; lead_id: string }
type Draft = Record<string, unknown>
/** By built-in key; `owner` too. Undefined changes nothing. */
type Change = (tx: Db, context: Context) => Promise<Draft | undefined>

/** Changes a lead as the given rule. What `change` emits is stored in the same transaction. */
export async function changeLead(db: Db, lead: Lead, rule: Principal, now: Date, change: Change): Promise<void> {
  for (let attempt = 1; ; attempt++)
    try {
      return await transaction(db, (tx) => changeLeadIn(tx, lead, rule, now, change))
    } catch (error) {
      if (!isOutdatedSchema(error) || attempt >= 5) throw error
    }
}

/** In a transaction of the caller. `id`: of the change, if not a new one. */
export async function changeLeadIn(
  tx: Db,
  { company_id, lead_id }: Lead,
  rule: Principal,
  now: Date,
  change: Change,
  id?: string,
): Promise<void> {
  const task = { company_id, principal: rule, task: 'sendLead', now, notes: id ? { id } : {} }
  const { context, write } = await contextFor(tx, task)
  const schema = await schemaOf(tx, actorOf(context))
  const leads = schema.builtIn.get('leads')
  const lead =
    leads && !leads.archived_at
      ? await lockLead(tx, company_id, leads.id, await keptLead(tx, { company_id, lead_id }))
      : undefined
  const draft = await change(tx, context)
  if (lead && draft) {
    const target = { context, schema, object: leads! }
    const values = Object.entries(draft).flatMap(([key, value]) => {
      const field = key === 'owner' ? { key } : builtInInUse(leads!, key)
      return field ? [[field.key, value]] : []
    })
    await saveChanges(target, [changedRecord(target, lead, Object.fromEntries(values), 'lead').change], false)
  }
  await write()
}

async function lockLead(tx: Db, company_id: string, object_id: string, lead_id: string) {
  const params = new Params()
  const rows = await run<Stored>(
    tx,
    `select ${storedColumns} from records r where r.company_id = ${params.add(company_id, 'uuid')}
      and r.object_id = ${params.add(object_id, 'uuid')} and r.id = ${params.add(lead_id, 'uuid')}
      and r.deleted_at is null for update`,
    params,
  )
  return rows[0]
}

/** A lead that was merged passes its outcome on to the lead that was kept. */
const keptLead = async (tx: Db, { company_id, lead_id }: Lead) =>
  (await keptInstead(tx, company_id, [lead_id])).get(lead_id) ?? lead_id

/** The figures of a lead from its deliveries. Undefined if it was never sent. */
export async function figuresOf(tx: Db, { company_id, lead_id }: Lead, currency: string, isNotTaken = false) {
  const id = await keptLead(tx, { company_id, lead_id })
  const { rows } = await sql<{
    state: string
    price: string
    decided_at: Date | null
    returned_at: Date | null
    name: string
  }>`
    select d.state, d.price, d.decided_at, d.returned_at, n.name from lead_deliveries d
    join lead_destinations n on n.company_id = ${company_id} and n.id = d.destination_id
    where d.company_id = ${company_id} and d.lead_id = any(${idsWithMerged(company_id, id)})
      and d.state in ('accepted', 'unknown') order by d.decided_at`.execute(tx)
  const accepted = rows.filter(({ state, returned_at }) => state === 'accepted' && !returned_at)
  const isUnknown = rows.some(({ state }) => state === 'unknown')
  const isReturned = rows.some(({ returned_at }) => returned_at)
  const revenue = sum(...accepted.map(({ price }) => Number(price)))
  const sending = accepted.length
    ? 'delivered'
    : isUnknown
      ? 'unknown'
      : isReturned
        ? 'returned'
        : isNotTaken
          ? 'not_taken'
          : undefined
  if (!sending) return undefined
  return {
    sending,
    delivered_to: accepted.length ? accepted.map(({ name }) => name) : null,
    delivered_at: accepted[0]?.decided_at?.toISOString() ?? null,
    revenue: accepted.length && revenue ? { amount: revenue.toFixed(2), currency } : null,
  }
}
