// Finds the records that are probably the same as others, by the keys that they share.

import { inSentence } from '../../../contract/shared/in-sentence.ts'
import { AppError } from '../../kernel/app-error.ts'
import { actorOf, type Reader } from '../../kernel/context.ts'
import { Params, run } from '../../kernel/statement.ts'
import type { Db } from '../../platform/db.ts'
import { allows, isOwn, rightsFor } from '../rights/rights.ts'
import type { ObjectSchema } from '../schema/schema.ts'
import { type Stored, storedColumns } from '../values/from-row.ts'
import type { Comparison, Facts } from './compare.ts'
import { compare, factsOf, kindOf } from './facts.ts'
import { keysOf, leastWeight } from './keys.ts'

/**
 * `id`: of a stored record, which is not a duplicate of itself. `record`: a new one, which may be a duplicate of another that
 * is wanted before it.
 */
export type Wanted = { facts: Facts; id?: string | undefined; record?: Stored }
export type Found = Comparison & { record: Stored }

/** A key that more records have says nothing: a common name, or the address of a reception. */
const mostHolders = 50
const mostCompared = 50

/** For each, its duplicates among the records of this object, the likeliest first. The caller's rights are not considered. */
export async function findDuplicates(
  db: Db,
  company_id: string,
  object: ObjectSchema,
  wanted: Wanted[],
): Promise<Found[][]> {
  const kind = kindOf(object)
  if (!kind || !wanted.length) return wanted.map(() => [])
  const keys = wanted.map(({ facts }) => keysOf(object, facts))
  const holders = await holdersOf(db, company_id, new Set(keys.flat().map(({ key }) => key)))
  const candidates = wanted.map(({ id, record }, i) => {
    const alike = mostAlike(keys[i]!, holders, id)
    if (record) for (const { key } of keys[i]!) holders.set(key, [...(holders.get(key) ?? []), record.id])
    return alike
  })
  const fresh = wanted.flatMap(({ record }) => record ?? [])
  const stored = new Set(candidates.flat()).difference(new Set(fresh.map(({ id }) => id)))
  const records = await recordsOf(db, company_id, object, stored)
  for (const record of fresh) records.set(record.id, record)
  const factsById = new Map([...records].map(([id, { values }]) => [id, factsOf(object, values)]))
  return wanted.map(({ facts }, i) =>
    candidates[i]!.flatMap((id): Found[] => {
      const record = records.get(id)
      const comparison = record && compare(kind, facts, factsById.get(id)!)
      return comparison && comparison.likeness !== 'different' ? [{ ...comparison, record }] : []
    }).sort((a, b) => b.score - a.score || (a.record.id < b.record.id ? -1 : 1)),
  )
}

async function holdersOf(db: Db, company_id: string, keys: Set<string>) {
  if (!keys.size) return new Map<string, string[]>()
  const params = new Params()
  const rows = await run<{ key: string; record_id: string }>(
    db,
    `select w.key::text as key, d.record_id from unnest(${params.add([...keys], 'bigint[]')}) w(key) cross join lateral (
      select k.record_id from duplicate_keys k where k.company_id = ${params.add(company_id, 'uuid')} and k.key = w.key
      limit ${mostHolders + 1}) d`,
    params,
  )
  return new Map([...Map.groupBy(rows, ({ key }) => key)].map(([key, list]) => [key, list.map((row) => row.record_id)]))
}

/** The records that share most with it, at most as many as are worth comparing. */
function mostAlike(keys: ReturnType<typeof keysOf>, holders: Map<string, string[]>, id: string | undefined) {
  const weights = new Map<string, number>()
  for (const { key, weight } of keys) {
    const ids = holders.get(key) ?? []
    if (ids.length <= mostHolders)
      for (const other of ids) if (other !== id) weights.set(other, (weights.get(other) ?? 0) + weight)
  }
  const sorted = [...weights]
    .filter(([, weight]) => weight >= leastWeight)
    .sort(([a, one], [b, two]) => two - one || (a < b ? -1 : 1))
  return sorted.slice(0, mostCompared).map(([other]) => other)
}

async function recordsOf(db: Db, company_id: string, object: ObjectSchema, ids: Set<string>) {
  if (!ids.size) return new Map<string, Stored>()
  const params = new Params()
  const rows = await run<Stored>(
    db,
    `select ${storedColumns} from records r where r.company_id = ${params.add(company_id, 'uuid')}
      and r.id = any(${params.add([...ids], 'uuid[]')}) and r.object_id = ${params.add(object.id, 'uuid')} and r.deleted_at is null`,
    params,
  )
  return new Map(rows.map((row) => [row.id, row]))
}

/** What the caller may know of duplicates: those that they may read, and how many others there are. */
export function seenDuplicates({ actor }: Pick<Reader, 'actor'>, object: ObjectSchema, found: Found[]) {
  const reader = actorOf({ actor })
  const { read } = rightsFor(reader, object.key)
  const visible = found.filter(({ record }) => allows(read, isOwn(reader, object, record)))
  return { visible, hidden: found.length - visible.length }
}

export const describeFound = ({ record: { id, title }, likeness, score, reasons }: Found) => ({
  id,
  title,
  likeness: likeness as 'certain' | 'likely',
  score,
  reasons,
})

export function refuseIncomparable(object: ObjectSchema) {
  if (!kindOf(object))
    throw new AppError('invalid_input', `Kith does not look for duplicates among ${inSentence(object.label_plural)}.`, {
      errors: [{ path: 'object', message: 'Records of this object are not compared' }],
    })
}
