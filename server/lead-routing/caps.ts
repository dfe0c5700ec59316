// Caps. A lead counts before it is sent, by one conditional update, so that they hold with several processes. It no longer
// counts if it is rejected.
import { sql } from 'kysely'
import type { Caps, Target } from '../../contract/lead-routes.ts'
import type { Db } from '../platform/db.ts'
import { exceeds, sum, toCents } from './cents.ts'
import type { Windows } from './schedule.ts'

export type CapKey = { company_id: string; route_id: string; destination_id: string }
export type Uses = {
  hour: number
  day: number
  month: number
  total: number
  day_spent: number
  month_spent: number
  total_spent: number
}

/** What a lead counts towards the budget until its price is known. */
export const reservedFor = ({ price, max_price }: Target) => toCents(max_price ?? price)

/**
 * The part of a statement that counts one more lead, if the caps leave room for it. `from`: what must have a row, too. A
 * lead that costs more than the whole budget never fits.
 */
export function counting(
  { company_id, route_id, destination_id }: CapKey,
  caps: Caps,
  price: number,
  windows: Windows,
  from: string,
) {
  const { hour, day, month } = windows
  const budgetOf = (per: Caps['budget_per']) => (caps.budget_per === per ? caps.budget : null)
  return sql`
    insert into lead_route_uses as u (company_id, route_id, destination_id, hour, hour_used, day, day_used, day_spent,
      month, month_used, month_spent, total_used, total_spent)
    select ${company_id}, ${route_id}::uuid, ${destination_id}::uuid, ${hour}, 1, ${day}, 1, ${price}::numeric,
      ${month}, 1, ${price}::numeric, 1, ${price}::numeric
    from ${sql.raw(from)} where coalesce(${price}::numeric <= ${caps.budget}::numeric, true)
    on conflict (company_id, route_id, destination_id) do update set
      hour_used = case when u.hour = ${hour} then u.hour_used else 0 end + 1, hour = ${hour},
      day_used = case when u.day = ${day} then u.day_used else 0 end + 1,
      day_spent = case when u.day = ${day} then u.day_spent else 0 end + ${price}::numeric, day = ${day},
      month_used = case when u.month = ${month} then u.month_used else 0 end + 1,
      month_spent = case when u.month = ${month} then u.month_spent else 0 end + ${price}::numeric, month = ${month},
      total_used = u.total_used + 1, total_spent = u.total_spent + ${price}::numeric
    where coalesce(case when u.hour = ${hour} then u.hour_used else 0 end < ${caps.hour}::int, true)
      and coalesce(case when u.day = ${day} then u.day_used else 0 end < ${caps.day}::int, true)
      and coalesce(case when u.month = ${month} then u.month_used else 0 end < ${caps.month}::int, true)
      and coalesce(u.total_used < ${caps.total}::int, true)
      and coalesce(case when u.day = ${day} then u.day_spent else 0 end + ${price}::numeric <= ${budgetOf('day')}::numeric, true)
      and coalesce(case when u.month = ${month} then u.month_spent else 0 end + ${price}::numeric <= ${budgetOf('month')}::numeric, true)
      and coalesce(u.total_spent + ${price}::numeric <= ${budgetOf('total')}::numeric, true)
    returning u.*`
}

/** `leads`: -1 gives back a lead; 0 corrects only what it costs. Windows that have passed are left alone. */
export async function correct(tx: Db, place: CapKey, windows: Windows, leads: -1 | 0, spent: number) {
  if (!leads && !spent) return
  const { hour, day, month } = windows
  await sql`
    update lead_route_uses set
      hour_used = hour_used + case when hour = ${hour} then ${leads}::int else 0 end,
      day_used = day_used + case when day = ${day} then ${leads}::int else 0 end,
      day_spent = day_spent + case when day = ${day} then ${spent}::numeric else 0 end,
      month_used = month_used + case when month = ${month} then ${leads}::int else 0 end,
      month_spent = month_spent + case when month = ${month} then ${spent}::numeric else 0 end,
      total_used = total_used + ${leads}::int, total_spent = total_spent + ${spent}::numeric
    where company_id = ${place.company_id} and route_id = ${place.route_id} and destination_id = ${place.destination_id}`.execute(
    tx,
  )
}

/** What is used of the windows that are open now. */
export async function usesOf(db: Db, company_id: string, route_id: string | null) {
  const { rows } = await sql<Record<string, string> & { route_id: string; destination_id: string }>`
    select * from lead_route_uses where company_id = ${company_id} and (${route_id}::uuid is null or route_id = ${route_id}::uuid)`.execute(
    db,
  )
  return rows
}

export type StoredUses = Awaited<ReturnType<typeof usesOf>>[number]

export function usedIn(row: StoredUses | undefined, windows: Windows): Uses {
  const within = (window: keyof Windows, figure: string) =>
    row && row[window] === windows[window] ? Number(row[`${window}_${figure}`]) : 0
  return {
    hour: within('hour', 'used'),
    day: within('day', 'used'),
    month: within('month', 'used'),
    day_spent: within('day', 'spent'),
    month_spent: within('month', 'spent'),
    total: Number(row?.total_used ?? 0),
    total_spent: Number(row?.total_spent ?? 0),
  }
}

/** The cap that is reached; undefined if none is. The same rule as in `counting`. */
export function reachedCap(caps: Caps, uses: Uses, price: number) {
  for (const window of ['hour', 'day', 'month', 'total'] as const) {
    const cap = caps[window]
    if (cap !== null && uses[window] >= cap) return { window, cap, used: uses[window] }
  }
  const spent = uses[`${caps.budget_per}_spent`]
  if (caps.budget !== null && exceeds(sum(spent, price), caps.budget))
    return { window: 'budget' as const, cap: caps.budget, used: spent }
  return undefined
}

/** The cap that the fewest leads are left of; undefined if there is none. */
export function leastLeft(caps: Caps, uses: Uses) {
  const left = (['hour', 'day', 'month', 'total'] as const).flatMap((window) =>
    caps[window] === null ? [] : [{ window, cap: caps[window], left: Math.max(caps[window] - uses[window], 0) }],
  )
  return left.toSorted((a, b) => a.left - b.left)[0]
}
