// Shows duplicates: of all records of an object in groups, of one record, or of values that are about to be written.
import { sql } from 'kysely'
import type { duplicates } from '../../../contract/duplicates.ts'
import type { Output, Parsed } from '../../../contract/operation.ts'
import { mostMerged } from '../../../contract/records.ts'
import { isId } from '../../../contract/shared/ids.ts'
import { actorOf } from '../../kernel/context.ts'
import { readCursor, writeCursor } from '../../kernel/cursor.ts'
import type { Handlers } from '../../kernel/run.ts'
import { Params, rowsOf, run } from '../../kernel/statement.ts'
import { certainFrom, likenessOf } from '../duplicates/compare.ts'
import { factsOf } from '../duplicates/facts.ts'
import { describeFound, findDuplicates, refuseIncomparable, seenDuplicates } from '../duplicates/find.ts'
import { resolveReferences } from '../names/resolve-references.ts'
import { recordsById } from '../read/by-id.ts'
import { allows, isOwn, readable, refuse, refuseForeign, rightsFor } from '../rights/rights.ts'
import type { Target } from '../schema/target.ts'
import type { Stored, Values } from '../values/from-row.ts'
import { readValues } from '../values/read-values.ts'
import { readingFor, refuseFaults } from '../write/input.ts'
import { noSuchRecord } from '../write/lock.ts'
import { targetOf } from './target.ts'

type Answer = Output<typeof duplicates.getDuplicates>
type Input = Omit<Parsed<typeof duplicates.getDuplicates>, 'object'>
type Item = Answer['items'][number]

export const duplicateOperations: Handlers<typeof duplicates> = {
  async getDuplicates(context, { object, ...input }) {
    const target = await targetOf(context, object)
    refuseIncomparable(target.object)
    if (input.is_dismissed) return dismissed(target, input)
    if (input.id) return ofRecord(target, input.id, input.likeness)
    return input.values ? ofValues(target, input.values, input.likeness) : groups(target, input)
  },

  async dismissDuplicates(context, { object, id, others, is_dismissed }) {
    const target = await targetOf(context, object)
    const rows = await recordsById(context, target.object, [id, ...others])
    for (const [i, one] of [id, ...others].entries())
      if (!rows.has(one)) throw await noSuchRecord(target, i ? `others.${i - 1}` : 'id', one)
    refuseUneditable(target, rows.get(id)!)
    const different = others.filter((other) => other !== id)
    await (is_dismissed ? dismiss : takeBack)(target, id, different)
    return { dismissed: is_dismissed ? different.length : 0 }
  },
}

const onePage = (items: Item[]): Answer => ({ items, next_cursor: null, total: items.length })

function refuseUneditable({ context, object }: Target, record: Stored) {
  const actor = actorOf(context)
  const { edit } = rightsFor(actor, object.key)
  if (!allows(edit, isOwn(actor, object, record)))
    throw (edit === 'own' ? refuseForeign : refuse)(actor, 'change', object)
}

async function ofRecord(target: Target, id: string, likeness: Input['likeness']) {
  const { context, object } = target
  const record = (await recordsById(context, object, [id])).get(id)
  if (!record) throw await noSuchRecord(target, 'id', id)
  const { company_id } = actorOf(context)
  const params = new Params()
  const known = await run<{ other_id: string }>(
    context.db,
    `select other_id from duplicate_pairs where company_id = ${params.add(company_id, 'uuid')}
      and record_id = ${params.add(id, 'uuid')} and dismissed_at is not null`,
    params,
  )
  const different = new Set(known.map(({ other_id }) => other_id))
  const item = await found(target, record.values, likeness, id, (other) => !different.has(other))
  return onePage([{ ...item, id, title: record.title }])
}

/** What can be read of the values is compared, because a form asks while people type. */
async function ofValues(target: Target, given: Values, likeness: Input['likeness']) {
  const { schema, object } = target
  const { values, faults } = readValues(schema, object, given, 'values', readingFor(target))
  if (!Object.keys(values).length) refuseFaults(faults)
  const resolved = await resolveReferences(target, [{ values, path: 'values' }])
  return onePage([await found(target, resolved.values[0]!, likeness)])
}

async function found(
  { context, object }: Target,
  values: Values,
  likeness: Input['likeness'],
  id?: string,
  isWanted: (id: string) => boolean = () => true,
): Promise<Item> {
  const wanted = [{ id, facts: factsOf(object, values) }]
  const [all] = await findDuplicates(context.db, actorOf(context).company_id, object, wanted)
  const some = all!.filter((one) => isWanted(one.record.id) && (likeness !== 'certain' || one.likeness === 'certain'))
  const { visible, hidden } = seenDuplicates(context, object, some)
  return { id: null, title: null, duplicates: visible.slice(0, mostMerged).map(describeFound), hidden }
}

type Pair = { record_id: string; other_id: string; score: number; reasons: string[] }

/**
 * A group is a record with the likely duplicates that were created after it. A record that is also a duplicate of an older
 * one starts no group; once that one is merged, what is left of its duplicates is found again.
 */
async function groups(target: Target, { likeness, limit, cursor }: Input): Promise<Answer> {
  const { context, object } = target
  const actor = actorOf(context)
  const params = new Params()
  const company = params.add(actor.company_id, 'uuid')
  const least = likeness === 'certain' ? ` and p.score >= ${certainFrom}` : ''
  const isReadable = (column: string) => {
    const limited = readable(actor, object, 'o', params)
    return limited && ` and p.${column} in (select o.id from records o where o.company_id = ${company} and ${limited})`
  }
  const open = `p.company_id = ${company} and p.object_id = ${params.add(object.id, 'uuid')} and p.dismissed_at is null`
  const after = cursor ? readCursor(cursor, placeIn) : undefined
  const isAfter = after
    ? `where (-score, record_id) > (${params.add(-after.score, 'int')}, ${params.add(after.id, 'uuid')})`
    : ''
  const oldest = await run<{ record_id: string; score: number; total: number }>(
    context.db,
    `with oldest as materialized (
      select p.record_id, max(p.score)::int as score from duplicate_pairs p
      where ${open}${least}${isReadable('record_id')}${isReadable('other_id')}
      group by p.record_id having bool_and(p.other_id > p.record_id))
    select record_id, score, (select count(*) from oldest)::int as total from oldest ${isAfter}
    order by -score, record_id limit ${limit + 1}`,
    params,
  )
  const page = oldest.slice(0, limit)
  const last = page.at(-1)
  return {
    items: await groupsOf(
      target,
      page.map(({ record_id }) => record_id),
      likeness,
    ),
    next_cursor: oldest.length > limit && last ? writeCursor(`${last.score} ${last.record_id}`) : null,
    total: oldest[0]?.total ?? 0,
  }
}

function placeIn(text: string) {
  const [, score, id] = /^(\d{1,3}) (\S+)$/.exec(text) ?? []
  return id && isId(id) ? { score: Number(score), id } : undefined
}

async function groupsOf(target: Target, ids: string[], likeness: Input['likeness']): Promise<Item[]> {
  if (!ids.length) return []
  const { context, object } = target
  const params = new Params()
  const pairs = await run<Pair>(
    context.db,
    `select record_id, other_id, score, reasons from duplicate_pairs where company_id = ${params.add(actorOf(context).company_id, 'uuid')}
      and record_id = any(${params.add(ids, 'uuid[]')}) and dismissed_at is null order by score desc, other_id`,
    params,
  )
  const wanted = pairs.filter(({ score }) => likeness !== 'certain' || score >= certainFrom)
  const rows = await recordsById(context, object, [...new Set([...ids, ...wanted.map(({ other_id }) => other_id)])])
  const byRecord = Map.groupBy(wanted, ({ record_id }) => record_id)
  return ids.flatMap((id): Item[] => {
    const record = rows.get(id)
    const all = byRecord.get(id) ?? []
    const seen = all.filter(({ other_id }) => rows.has(other_id))
    if (!record || !seen.length) return []
    return [{ id, title: record.title, duplicates: described(seen, rows), hidden: all.length - seen.length }]
  })
}

const described = (pairs: Pair[], rows: Map<string, Stored>) =>
  pairs.slice(0, mostMerged).map(({ other_id, score, reasons }) => ({
    id: other_id,
    title: rows.get(other_id)!.title,
    likeness: likenessOf(score) === 'certain' ? ('certain' as const) : ('likely' as const),
    score,
    reasons,
  }))

async function dismissed(target: Target, { id, limit, cursor }: Input): Promise<Answer> {
  const { context, object } = target
  const { company_id } = actorOf(context)
  const from = cursor ? readCursor(cursor, (text) => (/^\d{1,6}$/.test(text) ? Number(text) : undefined)) : 0
  const { rows } = await sql<Pair & { dismissed_by: string; total: number }>`
    select record_id, other_id, score, reasons, dismissed_by, count(*) over ()::int as total from duplicate_pairs
    where company_id = ${company_id} and object_id = ${object.id} and dismissed_at is not null
      and ${id ? sql`record_id = ${id}` : sql`record_id < other_id`}
    order by dismissed_at desc, record_id, other_id offset ${from} limit ${limit + 1}`.execute(context.db)
  const page = rows.slice(0, limit)
  const known = await recordsById(context, object, [
    ...new Set(page.flatMap(({ record_id, other_id }) => [record_id, other_id])),
  ])
  const items = page.flatMap(({ dismissed_by, ...pair }): Item[] => {
    const record = known.get(pair.record_id)
    if (!record || !known.has(pair.other_id)) return []
    return [{ id: record.id, title: record.title, duplicates: described([pair], known), hidden: 0, dismissed_by }]
  })
  const next_cursor = rows.length > limit ? writeCursor(String(from + limit)) : null
  return { items, next_cursor, total: rows[0]?.total ?? 0 }
}

const both = (id: string, others: string[]) =>
  others.flatMap((other) => [
    { record_id: id, other_id: other },
    { record_id: other, other_id: id },
  ])

async function dismiss({ context, object }: Target, id: string, others: string[]) {
  if (!others.length) return
  const { company_id, user_id } = actorOf(context)
  const params = new Params()
  const shared = [
    params.add(company_id, 'uuid'),
    params.add(object.id, 'uuid'),
    params.add(context.now, 'timestamptz'),
    params.add(user_id, 'uuid'),
  ]
  await run(
    context.db,
    `insert into duplicate_pairs (company_id, object_id, found_at, dismissed_by, dismissed_at, record_id, other_id, score, reasons)
      select ${shared.join(', ')}, ${shared[2]}, x.record_id, x.other_id, 0, '{}' from ${rowsOf('duplicate_pairs', both(id, others))(params)} x
      on conflict (company_id, record_id, other_id) do update
      set dismissed_at = excluded.dismissed_at, dismissed_by = excluded.dismissed_by`,
    params,
  )
  changed(context, object, id)
}

/** They are compared again, and open pages hear of it. */
const changed = (context: Target['context'], object: Target['object'], id: string) =>
  context.emit('record.comparison_changed', { object: object.key, record_ids: [id] })

async function takeBack({ context, object }: Target, id: string, others: string[]) {
  if (!others.length) return
  const params = new Params()
  const company = params.add(actorOf(context).company_id, 'uuid')
  const [one, these] = [params.add(id, 'uuid'), params.add(others, 'uuid[]')]
  await run(
    context.db,
    `update duplicate_pairs set dismissed_at = null, dismissed_by = null where company_id = ${company}
      and (record_id = ${one} and other_id = any(${these}) or other_id = ${one} and record_id = any(${these}))`,
    params,
  )
  changed(context, object, id)
}
