// In which order the destinations of a route are tried.
import { sql } from 'kysely'
import type { Target } from '../../contract/lead-routes.ts'
import type { Route } from './route.ts'
import type { Work } from './routing-state.ts'

/** Stays the same for a lead. */
export async function orderOf({ routing, db }: Work, { id, mode, targets }: Route): Promise<Target[]> {
  if (mode !== 'weighted' && mode !== 'in_turn') return targets
  if (routing.plan?.route_id !== id) {
    const { rows } = await sql<{ turns: string }>`update lead_routes set turns = turns + 1
      where company_id = ${routing.company_id} and id = ${id} returning turns`.execute(db)
    const turn = Number(rows[0]?.turns ?? 1) - 1
    routing.plan = { route_id: id, order: planned(mode, targets, turn).map((target) => target.destination_id) }
  }
  const { order } = routing.plan!
  return targets.toSorted((a, b) => order.indexOf(a.destination_id) - order.indexOf(b.destination_id))
}

/** Weights are kept exactly: of 10 leads with weights 7 and 3, 7 and 3 begin there. */
export function planned(mode: 'weighted' | 'in_turn', targets: Target[], turn: number): Target[] {
  const slots = mode === 'weighted' ? mixed(targets) : targets
  const at = targets.indexOf(slots[turn % slots.length]!)
  return [...targets.slice(at), ...targets.slice(0, at)]
}

const known = new WeakMap<Target[], Target[]>()

/** Each target as often as its weight, evenly mixed: the one whose share is furthest behind is next. */
function mixed(targets: Target[]): Target[] {
  const cached = known.get(targets)
  if (cached) return cached
  const total = targets.reduce((sum, { weight }) => sum + weight, 0)
  const credit = targets.map(() => 0)
  const slots = Array.from({ length: total }, () => {
    for (const [place, { weight }] of targets.entries()) credit[place]! += weight
    const best = credit.indexOf(Math.max(...credit))
    credit[best]! -= total
    return targets[best]!
  })
  known.set(targets, slots)
  return slots
}
