// Finds records by what someone types and ranks them: the same for the palette, lists, REST and agents.
import { fold } from '../../../contract/filter/index.ts'
import { type Actor, actorOf, type Reader } from '../../kernel/context.ts'
import { escapeLike, Params, run } from '../../kernel/statement.ts'
import { objectsIn, rowById } from '../names/find-titles.ts'
import { openAmong, ownOnly, readableAmong } from '../rights/readable-among.ts'
import { isVisible } from '../rights/rights.ts'
import type { ObjectSchema, Schema } from '../schema/schema.ts'
import {
  matches,
  matchesAll,
  matchesAllUnindexed,
  matchesNearly,
  missingShare,
  rankOf,
  ranks,
  titleLine,
} from './conditions.ts'
import { isShort, type Term, termsOf } from './terms.ts'

export type Found = {
  id: string
  object_id: string
  title: string
  values: Record<string, unknown>
  rank: number
  /** The organization whose name has one of the terms. */
  organization?: { field_id: string; title: string }
}

type SearchQuery = { actor: Actor; objects: ObjectSchema[]; terms: SearchTerm[]; phrase: string; limit: number }
/** `commonIn`: the objects in which so many records have the term that an index does not help. */
type SearchTerm = Term & { commonIn: Set<string> }

/** These rank first, because people usually search for names. */
const isFirst = ({ built_in_key: key }: ObjectSchema) => key === 'people' || key === 'organizations'

/** With fewer matches than this, a term may be missing or have a typo. */
const enough = 5
/** How many matches of each object are ranked. With more, those that begin with the words and the newest are added. */
const mostRanked = 300
const mostNewest = 2000
const mostOrganizations = 100

export async function find(context: Reader, schema: Schema, objects: ObjectSchema[], text: string, limit: number) {
  const asked = await ask(context, schema, objects, text, limit)
  if (!asked) return []
  const { terms } = asked
  const exact = await findAll(context, asked)
  const linked = terms.length > 1 && exact.length < limit ? await findByOrganization(context, schema, asked) : []
  const found = inOrder(asked, [...exact, ...linked])
  if (found.length >= enough || terms.every(isShort)) return found
  return inOrder(asked, [...found, ...(await findLoosely(context, asked))])
}

/** The best of those that have every term, for a list that shows all of them. */
export async function findBest(context: Reader, schema: Schema, object: ObjectSchema, text: string, limit: number) {
  const asked = await ask(context, schema, [object], text, limit)
  return asked ? (await findAll(context, asked)).map(({ id }) => id) : []
}

async function ask(context: Reader, schema: Schema, objects: ObjectSchema[], text: string, limit: number) {
  const actor = actorOf(context)
  const open = openAmong(actor, objects)
  const terms = termsOf(text, schema)
  if (!terms.length || !open.length) return undefined
  return { actor, ...(await sampled(context, actor, open, terms)), phrase: phraseOf(text), limit }
}

const phraseOf = (text: string) => fold(text.trim().replace(/\s+/g, ' '))

/** Each list is sorted already; equal ranks keep their order. */
function inOrder({ objects, limit }: SearchQuery, found: Found[]) {
  const first = new Set(objects.filter(isFirst).map(({ id }) => id))
  const late = ({ object_id }: Found) => (first.has(object_id) ? 0 : 1)
  const best = new Map<string, Found>()
  for (const one of found) if (!best.has(one.id)) best.set(one.id, one)
  return [...best.values()].sort((a, b) => a.rank - b.rank || late(a) - late(b)).slice(0, limit)
}

/** The newest records of each object tell how common a term is. Objects without records are left out. */
const mostSampled = 300
const common = 0.05 * mostSampled

async function sampled(
  context: Reader,
  actor: Actor,
  all: ObjectSchema[],
  terms: Term[],
): Promise<Pick<SearchQuery, 'objects' | 'terms'>> {
  const params = new Params()
  const counts = terms.map((term) => `(count(*) filter (where ${matches(term, 'r.search', params)}))::int`)
  const rows = await run<{ id: string; counts: number[] }>(
    context.db,
    `select o.id, array[${counts.join(', ')}] as counts from unnest(${idsOf(all, params)}) o(id)
      cross join lateral (select r.search from records r where ${ofObject(actor, '', params)}
        order by r.created_at desc, r.id desc limit ${mostSampled}) r group by o.id`,
    params,
  )
  const objects = all.filter(({ id }) => rows.some((row) => row.id === id))
  const asking = terms.map((term, i) => {
    const commonIn = rows.filter(({ counts }) => counts[i]! > common).map(({ id }) => id)
    // One character has no trigram to find it by.
    const isTiny = term.forms.every((form) => [...form].length < 2)
    return { ...term, commonIn: new Set(isTiny ? objects.map(({ id }) => id) : commonIn) }
  })
  return { objects, terms: asking }
}

const idsOf = (objects: ObjectSchema[], params: Params) =>
  params.add(
    objects.map(({ id }) => id),
    'uuid[]',
  )

/** Every term is in the record itself. */
async function findAll(context: Reader, asked: SearchQuery) {
  const { objects, terms } = asked
  const isCommon = ({ id }: ObjectSchema) => terms.every(({ commonIn }) => commonIn.has(id))
  const rare = { ...asked, objects: objects.filter((object) => !isCommon(object)) }
  const found = await select(context, rare, [byIndex(terms)])
  const isFull = new Set(found.filter(({ ranked }) => ranked >= mostRanked).map(({ object_id }) => object_id))
  const often = { ...asked, objects: objects.filter((object) => isCommon(object) || isFull.has(object.id)) }
  return inOrder(asked, [...(await select(context, often, [byTitle, amongNewest])), ...found])
}

/** Reads the records of the object `o.id`, or of all of `among`. */
type Source = (asked: SearchQuery, own: string, params: Params, among?: string) => string

const columns = 'r.id, r.object_id, r.title, r.values, r.owner_id, r.last_activity_at, r.search'

/** The object as a list is the expression of the index of search texts. `near`: terms that may have a typo. */
const byIndex =
  (terms: SearchTerm[], near: SearchTerm[] = []): Source =>
  ({ actor }, own, params, among) => {
    const rare = terms.filter(({ commonIn }) => !commonIn.size)
    const indexed = rare.length || near.length ? rare : terms
    const conditions = [
      ...near.map((term) => matchesNearly(term, 'r', params) ?? matches(term, 'r.search', params)),
      matchesAll(indexed, 'r', params),
      matchesAllUnindexed(
        terms.filter((term) => !indexed.includes(term)),
        'r',
        params,
      ),
    ]
    return `select ${columns} from records r where r.company_id = ${params.add(actor.company_id, 'uuid')}
      and array[r.object_id] ${among ? `&& ${among}` : '@> array[o.id]'} and r.deleted_at is null and ${conditions.join(' and ')}${own}
      limit ${mostRanked}`
  }

const ofObject = ({ company_id }: Actor, own: string, params: Params) =>
  `r.company_id = ${params.add(company_id, 'uuid')} and r.object_id = o.id and r.deleted_at is null${own}`

/** The expression and the order of the index of titles, which is read from the words on and by no other way. */
const byTitle: Source = ({ actor, phrase, limit }, own, params) => {
  const title = `(left(r.match ->> 'title', 200) collate "C")`
  const from = params.add(phrase.slice(0, 100), 'text')
  return `select ${columns} from records r where ${ofObject(actor, own, params)} and ${title} >= ${from}
    and ${title} < ${from} || chr(1114111) order by ${title}, r.id limit ${limit}`
}

/** In the order of the index of creation times, for the same reason. */
const amongNewest: Source = ({ actor, terms }, own, params) =>
  `select ${columns} from (select * from records r where ${ofObject(actor, own, params)}
    order by r.created_at desc, r.id desc limit ${mostNewest}) r
    where ${matchesAll(terms, 'r', params)} limit ${mostRanked}`

/** `isTogether`: the sources read all objects at once, which is faster, and a common one may leave no room for others. */
async function select(
  context: Reader,
  asked: SearchQuery,
  sources: Source[],
  { rankBy = rankOf, isTogether = false }: { rankBy?: Ranking; isTogether?: boolean } = {},
) {
  const { actor, objects, terms, phrase, limit } = asked
  if (!objects.length || !sources.length) return []
  const params = new Params()
  const ids = idsOf(objects, params)
  const own = ownOnly(actor, objects, 'r', params)
    .map((condition) => ` and ${condition}`)
    .join('')
  const each = sources
    .map((source) => `(${source(asked, own, params, isTogether ? ids : undefined)})`)
    .join(' union all ')
  return run<Found & { ranked: number }>(
    context.db,
    `select r.id, r.object_id, r.title, r.values, ${rankBy(terms, phrase, 'r', params)} as rank,
      (count(*) over (partition by r.object_id))::int as ranked
      from ${isTogether ? '' : `unnest(${ids}) o(id) cross join lateral `}(${each}) r
      order by rank, ${orderAmongEqual(asked, params)} limit ${limit}`,
    params,
  )
}

type Ranking = (terms: Term[], phrase: string, alias: string, params: Params) => string

/** Ranking: people and organizations, the caller's records, titles that start with the terms, whole words, last activity. */
function orderAmongEqual({ objects, actor, phrase }: SearchQuery, params: Params) {
  const first = objects.filter(isFirst).map(({ id }) => id)
  return `(r.object_id = any(${params.add(first, 'uuid[]')})) desc,
    (r.owner_id is not distinct from ${params.add(actor.user_id, 'uuid')}) desc,
    (r.search like ${params.add(` ${escapeLike(phrase)}%`)}) desc,
    (${titleLine('r')} like ${params.add(`% ${escapeLike(phrase)} %`)}) desc, r.last_activity_at desc nulls last, r.id desc`
}

/** Some terms are in the record and the others in the name of its organization: "anna acme" finds Anna of Acme. */
async function findByOrganization(context: Reader, schema: Schema, asked: SearchQuery): Promise<Found[]> {
  const { actor, terms, objects, limit } = asked
  const organizations = openAmong(actor, objectsIn(schema)).find(({ built_in_key: key }) => key === 'organizations')
  const fields = objects.flatMap((object) =>
    object.fields.filter(
      (field) => organizations && field.to_objects?.includes(organizations.key) && isVisible(actor, field),
    ),
  )
  const named = terms.filter((term) => !isShort(term) && (term.kind === 'text' || term.kind === 'domain'))
  if (!organizations || !fields.length || !named.length) return []
  const params = new Params()
  const company = params.add(actor.company_id, 'uuid')
  const among = params.add([organizations.id], 'uuid[]')
  const ownOrganizations = ownOnly(actor, [organizations], 'r', params).map((condition) => ` and ${condition}`)
  const each = named.map(
    (term) => `(select r.id, r.title, ${titleLine('r')} as name from records r
      where r.company_id = ${company} and array[r.object_id] @> ${among} and r.deleted_at is null
        and ${matches(term, 'r.search', params)}${ownOrganizations.join('')} limit ${mostOrganizations})`,
  )
  const ids = fields.map(({ id }) => id)
  const own = terms.map((term) => matches(term, 'r.search', params))
  const both = terms.map((term, i) => `(${own[i]} or ${matches(term, 'o.name', params)})`)
  const rows = await run<Found & { field_id: string; organization_title: string }>(
    context.db,
    `select r.id, r.object_id, r.title, r.values, ${ranks.title} as rank, r.field_id, r.organization_title from (
      select distinct on (r.id) ${columns}, l.field_id, o.title as organization_title
      from (select distinct id, title, name from (${each.join(' union all ')}) o) o
      cross join lateral (select l.from_id, l.field_id from links l where l.company_id = ${company} and l.to_id = o.id
        and l.field_id = any(${params.add(ids, 'uuid[]')}) limit ${mostOrganizations}) l
      cross join lateral (${rowById(company, 'l.from_id')}) r
      where r.deleted_at is null and ${readableAmong(actor, objects, 'r', params)}
        and (${own.join(' or ')}) and ${both.join(' and ')}) r
      order by ${orderAmongEqual(asked, params)} limit ${limit}`,
    params,
  )
  return rows.map(({ field_id, organization_title: title, ...row }) => ({ ...row, organization: { field_id, title } }))
}

/** With so many terms, one of them can be missing, but typos are not looked for. */
const mostMistyped = 4

/** A term is missing, one has a typo, or all have. */
function findLoosely(context: Reader, asked: SearchQuery) {
  const { terms, objects } = asked
  const without = (left: SearchTerm) => terms.filter((term) => term !== left)
  const isTelling = (term: SearchTerm) => !isShort(term) && !objects.some(({ id }) => term.commonIn.has(id))
  const missing = terms.filter((left) => without(left).some(isTelling))
  // What many records have is no typo.
  const mistyped = terms.length > mostMistyped ? [] : terms.filter((term) => isTelling(term) && term.kind === 'text')
  const sources = [
    ...missing.map((left) => byIndex(without(left))),
    ...mistyped.map((term) => byIndex(without(term), [term])),
    ...(mistyped.length > 1
      ? [
          byIndex(
            terms.filter((term) => !mistyped.includes(term)),
            mistyped,
          ),
        ]
      : []),
  ]
  const rankBy: Ranking = (terms, _, alias, params) => `${ranks.looser} + ${missingShare(terms, alias, params)}`
  return select(context, asked, sources, { rankBy, isTogether: true })
}
