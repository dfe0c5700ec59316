// Merges duplicates that are certain, for companies that want this. Everything that it merges can be undone, and is then
// left alone.
import { sql } from 'kysely'
import { asFilterField, comparable } from '../../../contract/filter/index.ts'
import { mostMerged } from '../../../contract/records.ts'
import { own } from '../../../contract/shared/own.ts'
import { actAs } from '../../kernel/act-as.ts'
import { AppError } from '../../kernel/app-error.ts'
import { type Actor, actorOf, bySystem, type Context, type Principal } from '../../kernel/context.ts'
import { smallestId } from '../../kernel/first-id.ts'
import { type Db, isUniqueViolation, transaction } from '../../platform/db.ts'
import { certainFrom, foldedEmail } from '../duplicates/compare.ts'
import { idsWithMerged } from '../names/merged.ts'
import { type Field, readSchema } from '../schema/schema.ts'
import type { Target } from '../schema/target.ts'
import type { Stored } from '../values/from-row.ts'
import { uniqueKeys } from '../values/to-row.ts'
import { lock } from '../write/lock.ts'
import { linkingTo } from './merge-links.ts'
import { planMerge, saveMerge } from './merge-plan.ts'

/** Records that are kept, for each time pairs are read. */
const step = 100
/** A person decides about duplicates to which more records link: moving these takes a job, which belongs to a user. */
const mostMoved = 1000
const operation = 'mergeRecords'
const principal: Principal = { kind: 'system', id: null, name: 'Kith' }

type Pairs = { record_id: string; others: string[] }

/** `record_ids`: only duplicates of these. Returns how many records were merged into others. */
export async function mergeCertain(
  db: Db,
  company_id: string,
  object_id: string,
  now: Date,
  record_ids?: string[],
): Promise<number> {
  if (!(await isWanted(db, company_id, object_id))) return 0
  const among = record_ids && (await withCertain(db, company_id, record_ids))
  let merged = 0
  for (let after: string | undefined = smallestId; after; ) {
    const found: Pairs[] = await certainPairs(db, company_id, object_id, after, among)
    for (const pairs of found) merged += await mergePairs(db, { company_id, object_id, now }, pairs)
    after = found.length === step ? found.at(-1)!.record_id : undefined
  }
  return merged
}

async function isWanted(db: Db, company_id: string, object_id: string) {
  const { rows } =
    await sql`select 1 from companies c join objects o on o.company_id = ${company_id} and o.id = ${object_id}
    where c.id = ${company_id} and o.key = any(c.merge_certain) and o.archived_at is null`.execute(db)
  return rows.length > 0
}

/** These records and their certain duplicates: any of them may be the one that was created first. */
async function withCertain(db: Db, company_id: string, record_ids: string[]) {
  const { rows } = await sql<{ id: string }>`
    select p.other_id as id from duplicate_pairs p where p.company_id = ${company_id}
      and p.record_id = any(${record_ids}::uuid[]) and p.dismissed_at is null and p.score >= ${certainFrom}`.execute(db)
  return rows.length ? [...record_ids, ...rows.map(({ id }) => id)] : []
}

/** Each record with its certain duplicates that are younger. Without pairs that were merged before: someone undid that. */
async function certainPairs(db: Db, company_id: string, object_id: string, after: string, among: string[] | undefined) {
  const { rows } = await sql<Pairs>`
    select p.record_id, array_agg(p.other_id order by p.other_id) as others from duplicate_pairs p
    join records r on r.company_id = ${company_id} and r.id = p.record_id and r.deleted_at is null
    join records o on o.company_id = ${company_id} and o.id = p.other_id and o.deleted_at is null
    where p.company_id = ${company_id} and p.object_id = ${object_id} and p.record_id > ${after}
      and ${among ? sql`p.record_id = any(${among}::uuid[])` : sql`true`}
      and p.dismissed_at is null and p.score >= ${certainFrom} and (r.created_at, r.id) < (o.created_at, o.id)
      and not exists (select from record_merges m where m.company_id = ${company_id}
        and m.merged_id = p.record_id and m.kept_id = p.other_id)
      and not exists (select from record_merges m where m.company_id = ${company_id}
        and m.merged_id = p.other_id and m.kept_id = p.record_id)
    group by p.record_id order by p.record_id limit ${step}`.execute(db)
  return rows
}

type Place = { company_id: string; object_id: string; now: Date }

/** In a transaction of its own, so that each merge can be undone alone. */
async function mergePairs(db: Db, { company_id, object_id, now }: Place, { record_id: id, others }: Pairs) {
  try {
    return await transaction(db, async (tx) => {
      const company = tx.selectFrom('companies').select('schema_version').where('id', '=', company_id)
      const { schema_version } = await company.executeTakeFirstOrThrow()
      const actor = actorFor(company_id, schema_version)
      return actAs(tx, { actor, principal, task: operation, now }, async (context) => {
        const schema = await readSchema(tx, company_id)
        return mergeAlike({ context, schema, object: schema.byId.get(object_id)! }, id, others)
      })
    })
  } catch (error) {
    // For example, a field that is required now. A person can still merge them.
    if (error instanceof AppError || isUniqueViolation(error)) return 0
    throw error
  }
}

/** An Admin has asked for it, so Kith may merge what an Admin may. */
const actorFor = (company_id: string, schema_version: number): Actor => ({
  ...bySystem(company_id, schema_version, operation).actor!,
  is_admin: true,
})

async function mergeAlike(target: Target, id: string, others: string[]) {
  const { context, object } = target
  const rows = await lock(target, [id, ...others])
  const kept = rows.get(id)
  if (!kept) return 0
  const group = [kept]
  for (const other of others.flatMap((one) => rows.get(one) ?? []).slice(0, mostMerged))
    if (await isAlike(target, group, other)) group.push(other)
  const merge = group.slice(1).map((row) => row.id)
  if (!merge.length) return 0
  const linking = await linkingTo(target, { id, merge }, mostMoved)
  if (linking.length > mostMoved) return 0
  await saveMerge(target, { id, merge }, await planMerge(target, { id, merge }), linking, false)
  const { change_set_id } = context
  context.emit('duplicates.merged', { object: object.key, count: merge.length, change_set_id })
  return merge.length
}

async function isAlike(target: Target, group: Stored[], other: Stored) {
  for (const one of group)
    if ((await differ(target, one, other)) || (await wereParted(target.context, one.id, other.id))) return false
  return true
}

/** Whether someone said that they are different, or undid their merge: of them, or of records that were merged into them. */
async function wereParted({ db, ...context }: Context, one: string, other: string) {
  const { company_id } = actorOf(context)
  const { rows } = await sql`
    select 1 from unnest(${idsWithMerged(company_id, one)}) a(id) cross join unnest(${idsWithMerged(company_id, other)}) b(id)
    where exists (select from duplicate_pairs p where p.company_id = ${company_id}
        and p.record_id = a.id and p.other_id = b.id and p.dismissed_at is not null)
      or exists (select from record_merges m where m.company_id = ${company_id} and m.merged_id = a.id and m.kept_id = b.id)
      or exists (select from record_merges m where m.company_id = ${company_id} and m.merged_id = b.id and m.kept_id = a.id)
    limit 1`.execute(db)
  return rows.length > 0
}

/**
 * Whether two records have nothing in common in a unique field that both have filled. If it holds a single value, that keeps
 * them apart; lists are joined, unless a person typed one of the values.
 */
async function differ(target: Target, one: Stored, other: Stored) {
  for (const field of target.object.fields.filter(({ is_unique }) => is_unique)) {
    const [keys, others] = [keysIn(target, field, one), keysIn(target, field, other)]
    if (!keys.length || !others.length || keys.some((key) => others.includes(key))) continue
    if (!field.is_multi || (await isTyped(target.context, field, [one.id, other.id]))) return true
  }
  return false
}

/** Two spellings of an address that reach the same mailbox are one value. */
function keysIn({ schema }: Target, field: Field, { values }: Stored) {
  const keys = uniqueKeys(field, comparable(asFilterField(field), own(values, field.key), schema))
  return field.type === 'email' ? keys.map(foldedEmail) : keys
}

/** In the web app: what programs, imports and forms wrote was not typed. */
async function isTyped({ db, ...context }: Context, { key }: Field, ids: string[]) {
  const { company_id } = actorOf(context)
  const { rows } = await sql`select 1 from changes c
    join change_sets s on s.company_id = ${company_id} and s.id = c.change_set_id and s.door = 'web'
    where c.company_id = ${company_id} and c.record_id = any(${ids}::uuid[]) and c.fields ? ${key} limit 1`.execute(db)
  return rows.length > 0
}
