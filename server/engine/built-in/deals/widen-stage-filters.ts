// Filters that name a stage which several pipelines shared go on finding the deals of all of them.
import type { Condition, Filter, Value } from '../../../../contract/filter/index.ts'
import { fold, hasFaults, parse, print } from '../../../../contract/filter/index.ts'
import type { Db } from '../../../platform/db.ts'
import type { DealFields } from './backfill-stage-history.ts'

/** A stage, and the keys of those that were made of it, its own included. */
export type SharedStage = { key: string; label: string; keys: string[] }

export async function widenStageFilters(db: Db, { company_id, deals, stage }: DealFields, shared: SharedStage[]) {
  if (!shared.length) return
  for (const table of ['views', 'subscriptions'] as const) {
    const rows = await db
      .selectFrom(table)
      .select(['id', 'object_id', 'filter'])
      .where('company_id', '=', company_id)
      .where('filter', 'is not', null)
      .execute()
    for (const { id, object_id, filter } of rows) {
      const parsed = filter ? parse(filter) : undefined
      if (!parsed || hasFaults(parsed)) continue
      const widen = (one: Filter, isOfDeals: boolean): Filter => {
        if ('and' in one) return { and: one.and.map((part) => widen(part, isOfDeals)) }
        if ('or' in one) return { or: one.or.map((part) => widen(part, isOfDeals)) }
        if ('not' in one) return { not: widen(one.not, isOfDeals) }
        if ('any' in one) return { ...one, where: widen(one.where, one.any === deals.key) }
        if ('none' in one) return { ...one, where: widen(one.where, one.none === deals.key) }
        return 'field' in one && isOfDeals && one.field === stage.key ? widened(one, shared) : one
      }
      const text = print(widen(parsed.tree, object_id === deals.id))
      if (text === print(parsed.tree)) continue
      await db
        .updateTable(table)
        .set({ filter: text })
        .where('company_id', '=', company_id)
        .where('id', '=', id)
        .execute()
    }
  }
}

const lists = { eq: 'in', ne: 'not_in', in: 'in', not_in: 'not_in' } as const

function widened(condition: Condition, shared: SharedStage[]): Condition {
  const op = condition.op in lists ? lists[condition.op as keyof typeof lists] : undefined
  const values = [condition.value ?? []].flat()
  const keysOf = (value: Value) =>
    shared.find(({ key, label }) => typeof value === 'string' && [fold(key), fold(label)].includes(fold(value)))?.keys
  if (!op || !values.some(keysOf)) return condition
  return { ...condition, op, value: [...new Set(values.flatMap((value) => keysOf(value) ?? [value]))] }
}
