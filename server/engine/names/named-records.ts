// Finds records by id, title or unique value: all names of a call in one query, each through an index.

import { asFilterField, comparable, fold, nearestNames } from '../../../contract/filter/index.ts'
import { isId } from '../../../contract/shared/ids.ts'
import { type Actor, actorOf, type Reader } from '../../kernel/context.ts'
import { Params, run } from '../../kernel/statement.ts'
import { openAmong, ownOnly, readableAmong } from '../rights/readable-among.ts'
import type { ObjectSchema, Schema } from '../schema/schema.ts'
import { uniqueKeys } from '../values/to-row.ts'
import { objectsIn, rowById } from './find-titles.ts'
import { type Match, mostMatches } from './match.ts'
import { keptInstead } from './merged.ts'

/** `objects`: the objects to search; none means all. */
export type Named = { objects: string[]; text: string }
/** `n`: the index of the name. */
type Probe = { n: number; of: string; text: string }
type Row = { n: number; id: string; object_id: string; title: string }

const matchColumns = 'r.id, r.object_id, r.title'
/** The expression of the title index. */
const foldedTitle = `(left(r.match ->> 'title', 200) collate "C")`

/**
 * Only the title index has this order, so PostgreSQL uses it even for a table without statistics.
 * For the same reason equality is written as a range, and each object is searched separately.
 */
const inOrderOfTitles = (company: string, where: string[], way: 'asc' | 'desc', limit: number) =>
  `select ${matchColumns} from records r where r.company_id = ${company} and r.object_id = w.of and r.deleted_at is null
    and ${where.join(' and ')} order by ${foldedTitle} ${way}, r.id ${way} limit ${limit}`

/** For each name, the matching records that the caller may read. The ID of a merged record stands for the kept one. */
export async function recordsNamed(context: Reader, schema: Schema, names: Named[]): Promise<Match[][]> {
  const found = await recordsCalled(context, schema, names)
  const missing = names.flatMap(({ text }, n) => (isId(text) && !found[n]!.length ? text.toLowerCase() : []))
  const kept = await keptInstead(context.db, actorOf(context).company_id, missing)
  const merged = names.flatMap(({ objects, text }, n) => {
    const id = found[n]!.length ? undefined : kept.get(text.toLowerCase())
    return id ? [{ n, objects, text: id }] : []
  })
  if (!merged.length) return found
  const instead = await recordsCalled(context, schema, merged)
  for (const [i, { n }] of merged.entries()) found[n] = instead[i]!
  return found
}

async function recordsCalled(context: Reader, schema: Schema, names: Named[]): Promise<Match[][]> {
  const actor = actorOf(context)
  const probes = { ids: [] as Probe[], titles: [] as Probe[], uniques: [] as Probe[] }
  for (const [n, { objects, text }] of names.entries()) {
    const targets = targetsIn(schema, actor, objects)
    if (isId(text)) probes.ids.push({ n, of: text, text })
    else probes.titles.push(...targets.map(({ id }) => ({ n, of: id, text: foldedName(text) })))
    // The IDs of other systems may look like ours.
    probes.uniques.push(...targets.flatMap((object) => uniquesOf(schema, object, text, n)))
  }
  const params = new Params()
  const company = params.add(actor.company_id, 'uuid')
  const objects = objectsIn(schema)
  const parts = [
    ...(probes.ids.length ? [byId(params, company, probes.ids, readableAmong(actor, objects, 'r', params))] : []),
    ...(probes.titles.length ? [byTitle(params, company, probes.titles, ownOnly(actor, objects, 'r', params))] : []),
    ...(probes.uniques.length ? [byUnique(params, company, probes.uniques, ownOnly(actor, objects, 'r', params))] : []),
  ]
  const rows = parts.length ? await run<Row>(context.db, parts.join(' union all '), params) : []
  const byName = Map.groupBy(rows, ({ n }) => n)
  return names.map(({ objects }, n) => {
    const isTarget = ({ object_id }: Row) => !objects.length || objects.includes(schema.byId.get(object_id)!.key)
    const matches = new Map((byName.get(n) ?? []).filter(isTarget).map(({ id, title }) => [id, { id, title }]))
    return [...matches.values()].slice(0, mostMatches)
  })
}

const byId = (params: Params, company: string, probes: Probe[], visible: string) =>
  `select w.n, ${matchColumns} from ${probesOf(params, probes)} cross join lateral (${rowById(company, 'w.of')}) r
    where r.deleted_at is null and ${visible}`

const byTitle = (params: Params, company: string, probes: Probe[], own: string[]) => {
  const isTitle = [`${foldedTitle} between left(w.text, 200) and left(w.text, 200)`, `r.match ->> 'title' = w.text`]
  return `select w.n, ${matchColumns} from ${probesOf(params, probes)}
    cross join lateral (${inOrderOfTitles(company, [...isTitle, ...own], 'asc', mostMatches)}) r`
}

const byUnique = (params: Params, company: string, probes: Probe[], own: string[]) =>
  `select w.n, ${matchColumns} from ${probesOf(params, probes)}
    cross join lateral (select u.record_id from unique_values u
      where u.company_id = ${company} and u.field_id = w.of and u.key = w.text limit 1) u
    cross join lateral (${rowById(company, 'u.record_id')}) r
    where ${['r.deleted_at is null', ...own].join(' and ')}`

const targetsIn = (schema: Schema, actor: Actor, objects: string[]) =>
  openAmong(actor, objectsIn(schema)).filter(({ key }) => !objects.length || objects.includes(key))

/** What a record of the object has one of if this is its name: its title comes first, then unique values. */
export const namingKeys = (schema: Schema, object: ObjectSchema, text: string) => [
  `title ${foldedName(text)}`,
  ...uniquesOf(schema, object, text, 0).map(({ of, text: key }) => `${of} ${key}`),
]

/** A name as titles are compared: without regard to case, accents and extra spaces. */
export const foldedName = (text: string) => fold(text.trim().replace(/\s+/g, ' '))

const probesOf = (params: Params, probes: Probe[]) => {
  const column = (of: (probe: Probe) => unknown, cast: string) => params.add(probes.map(of), `${cast}[]`)
  return `unnest(${column(({ n }) => n, 'int')}, ${column(({ of }) => of, 'uuid')}, ${column(({ text }) => text, 'text')}) w(n, of, text)`
}

function uniquesOf(schema: Schema, object: ObjectSchema, text: string, n: number): Probe[] {
  const fields = object.fields.filter(({ is_unique }) => is_unique)
  return fields.flatMap((field) =>
    uniqueKeys(field, comparable(asFilterField(field), text, schema)).map((key) => ({ n, of: field.id, text: key })),
  )
}

/** On either side of a name in the order of titles. */
const mostNeighbors = 20

/** The titles most similar to each name, among its neighbors in the title index. The cost does not grow with the data. */
export async function nearestTitles(context: Reader, schema: Schema, names: Named[]): Promise<string[][]> {
  if (!names.length) return []
  const actor = actorOf(context)
  const params = new Params()
  const company = params.add(actor.company_id, 'uuid')
  const probes = names.flatMap(({ objects, text }, n) =>
    targetsIn(schema, actor, objects)
      .filter(isNamed)
      .map(({ id }) => ({ n, of: id, text: foldedName(text) })),
  )
  const own = ownOnly(actor, objectsIn(schema), 'r', params)
  const side = (sign: '>=' | '<', way: 'asc' | 'desc') =>
    `(${inOrderOfTitles(company, [`${foldedTitle} ${sign} left(w.text, 200)`, ...own], way, mostNeighbors)})`
  const rows = await run<{ n: number; title: string }>(
    context.db,
    `select w.n, r.title from ${probesOf(params, probes)}
      cross join lateral (${side('>=', 'asc')} union all ${side('<', 'desc')}) r`,
    params,
  )
  const byName = Map.groupBy(rows, ({ n }) => n)
  return names.map(({ text }, n) => {
    const titles = new Set((byName.get(n) ?? []).map(({ title }) => title))
    return nearestNames(
      text,
      [...titles].map((key) => ({ key })),
    )
  })
}

/** The title of a note or activity is its first words, which no one uses as a name. */
const isNamed = ({ byKey, builtIn }: ObjectSchema) =>
  ['title', 'name', 'first_name', 'last_name'].some((key) => byKey.has(builtIn.get(key)?.key ?? key))
