// Pairs of records that are probably the same, for lists and filters. Each is stored in both directions.
import type { Context } from '../../kernel/context.ts'
import { actorOf } from '../../kernel/context.ts'
import { Params, rowsOf, run } from '../../kernel/statement.ts'
import { type Db, transaction } from '../../platform/db.ts'
import type { ObjectSchema } from '../schema/schema.ts'
import { type Stored, storedColumns } from '../values/from-row.ts'
import { factsOf, kindOf } from './facts.ts'
import { type Found, findDuplicates } from './find.ts'

type Pair = { record_id: string; other_id: string; score: number; reasons: string[] }

/** Finds the duplicates of these records again. Pairs that someone has dismissed stay dismissed. */
export async function updatePairs(db: Db, company_id: string, object: ObjectSchema, ids: string[], now: Date) {
  if (!kindOf(object)) return
  const records = await liveRecords(db, company_id, object, ids)
  const wanted = records.map(({ id, values }) => ({ id, facts: factsOf(object, values) }))
  const found = await findDuplicates(db, company_id, object, wanted)
  const pairs = records.flatMap(({ id }, i) => found[i]!.flatMap((one) => inBothDirections(id, one)))
  await transaction(db, async (tx) => {
    await dropOpen(tx, company_id, ids, pairs)
    if (pairs.length) await add(tx, company_id, object.id, pairs, now)
  })
}

async function liveRecords(db: Db, company_id: string, object: ObjectSchema, ids: string[]) {
  const params = new Params()
  return run<Stored>(
    db,
    `select ${storedColumns} from records r where r.company_id = ${params.add(company_id, 'uuid')}
      and r.id = any(${params.add(ids, 'uuid[]')}) and r.object_id = ${params.add(object.id, 'uuid')} and r.deleted_at is null`,
    params,
  )
}

const inBothDirections = (id: string, { record, score, reasons }: Found): Pair[] => [
  { record_id: id, other_id: record.id, score, reasons },
  { record_id: record.id, other_id: id, score, reasons },
]

/** Of records that are no longer alike. */
async function dropOpen(tx: Db, company_id: string, ids: string[], kept: Pair[]) {
  const params = new Params()
  const [company, these] = [params.add(company_id, 'uuid'), params.add(ids, 'uuid[]')]
  const keys = params.add(
    kept.map(({ record_id, other_id }) => `${record_id} ${other_id}`),
    'text[]',
  )
  const isLeft = `t.company_id = ${company} and t.dismissed_at is null and t.record_id || ' ' || t.other_id <> all(${keys})`
  await run(tx, `delete from duplicate_pairs t where ${isLeft} and ${isOfThese('t', company, these)}`, params)
}

/** Either direction, each by the primary key. */
const isOfThese = (alias: string, company: string, ids: string) =>
  `(${alias}.record_id = any(${ids}) or ${alias}.other_id = any(${ids}) and ${alias}.record_id = any(array(
    select s.other_id from duplicate_pairs s where s.company_id = ${company} and s.record_id = any(${ids}))))`

async function add(tx: Db, company_id: string, object_id: string, pairs: Pair[], now: Date) {
  const unique = new Map(pairs.map((pair) => [`${pair.record_id} ${pair.other_id}`, pair]))
  // In one order, so that two that do this at the same time do not wait for each other in a circle.
  const rows = [...unique.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, pair]) => pair)
  const params = new Params()
  const columns = [params.add(company_id, 'uuid'), params.add(object_id, 'uuid'), params.add(now, 'timestamptz')]
  await run(
    tx,
    `insert into duplicate_pairs (company_id, object_id, found_at, record_id, other_id, score, reasons)
      select ${columns.join(', ')}, x.record_id, x.other_id, x.score, x.reasons from ${rowsOf('duplicate_pairs', rows)(params)} x
      on conflict (company_id, record_id, other_id) do update set score = excluded.score, reasons = excluded.reasons`,
    params,
  )
}

/** Of records that are moved to the trash, together with that change. */
export function dropPairs(context: Context, ids: string[]) {
  if (!ids.length) return
  context.write((params) => {
    const [company, these] = [params.add(actorOf(context).company_id, 'uuid'), params.add(ids, 'uuid[]')]
    return `delete from duplicate_pairs t where t.company_id = ${company} and t.dismissed_at is null
      and ${isOfThese('t', company, these)}`
  })
}

/** The pairs of records that are permanently deleted, as part of that statement. */
export const purgedPairs = (company: string, ids: string) =>
  `delete from duplicate_pairs t where t.company_id = ${company} and ${isOfThese('t', company, ids)}`
