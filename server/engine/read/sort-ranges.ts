// Divides a sorted list into stretches that an index can deliver in order, such as records with a value, then records
// without one. They are read one after the other until the page is full.
import type { Actor } from '../../kernel/context.ts'
import type { Params } from '../../kernel/statement.ts'
import { objectsIn, rowById } from '../names/find-titles.ts'
import { openAmong, readableAmong } from '../rights/readable-among.ts'
import { readable } from '../rights/rights.ts'
import type { Field, ObjectSchema, Schema } from '../schema/schema.ts'
import { isLinked } from './filter-to-sql.ts'
import { type Linked, type Order, plainSort, type Sort } from './page.ts'

export type Stretch = {
  order: Order
  /** The SQL expressions that a cursor in this stretch stores. */
  keys: string[]
  from: (params: Params) => string
  where: (params: Params) => string[]
  /** Whether a cursor with this value belongs to this stretch. */
  holds: (value: unknown) => boolean
}

const records = () => 'records r'

export function stretchesOf(schema: Schema, actor: Actor, sorts: Sort[]): Stretch[] {
  const [sort] = sorts
  const { index } = sorts.length === 1 ? sort! : {}
  if (index?.kind === 'value') return byValue(sort!)
  if (index?.kind === 'choice') return byChoice(sort!, index.options)
  if (index?.kind === 'related') return byRelated(schema, actor, sort!, index)
  const order = { sorts, idsDescending: sorts.at(-1)?.descending ?? true }
  const from = (params: Params) =>
    ['records r', ...sorts.flatMap(({ linked }) => (linked ? [linkedValue(schema, actor, params, linked)] : []))].join(
      ' ',
    )
  return [{ order, keys: sorts.map(({ key }) => key), from, where: () => [], holds: () => true }]
}

/** What the caller may not read of a record must not affect the order or appear in a cursor. */
function linkedValue(
  schema: Schema,
  actor: Actor,
  params: Params,
  { field, name, value }: NonNullable<Sort['linked']>,
) {
  const company = params.add(actor.company_id, 'uuid')
  return `left join lateral (select ${value('t')} as value from links l cross join lateral (${rowById(company, 'l.to_id')}) t
    where l.company_id = ${company} and l.from_id = r.id and l.field_id = ${params.add(field.id, 'uuid')}
      and t.deleted_at is null and ${readableAmong(actor, objectsIn(schema), 't', params)} limit 1) ${name} on true`
}

const newestFirst = { sorts: [], idsDescending: true }

/** These records in this order, then all others. */
export function bestFirst(ids: string[]): Stretch[] {
  const place = plainSort('k.place', 'bigint', false, true)
  const ranked: Stretch = {
    order: { sorts: [place], idsDescending: false },
    keys: ['k.place'],
    from: (params) => `unnest(${params.add(ids, 'uuid[]')}) with ordinality k(id, place) join records r on r.id = k.id`,
    where: () => [],
    holds: (value) => value !== null,
  }
  const others: Stretch = {
    order: newestFirst,
    keys: ['null'],
    from: records,
    where: (params) => [`r.id <> all(${params.add(ids, 'uuid[]')})`],
    holds: (value) => value === null,
  }
  return [ranked, others]
}

function byValue(sort: Sort): Stretch[] {
  const full = { sorts: [{ ...sort, isFull: true }], idsDescending: sort.descending }
  const filled = { order: full, where: () => [`${sort.sql} is not null`], holds: (value: unknown) => value !== null }
  const empty = { order: newestFirst, where: () => [`${sort.sql} is null`], holds: (value: unknown) => value === null }
  return [filled, empty].map((stretch) => ({ ...stretch, keys: [sort.key], from: records }))
}

function byChoice({ key, descending }: Sort, options: string[]): Stretch[] {
  const stretch = { order: { sorts: [], idsDescending: descending }, keys: [key], from: records }
  const each = (descending ? options.toReversed() : options).map((option) => ({
    ...stretch,
    where: () => [`${key} = '${option}'`],
    holds: (value: unknown) => value === option,
  }))
  const others = `(${key} is null or ${key} <> all(array[${options.map((option) => `'${option}'`).join(', ')}]::text[]))`
  return [...each, { ...stretch, where: () => [others], holds: (value) => !options.includes(value as string) }]
}

/** Reads the linked records in the order of their titles or values and, for each, the records that link to it. */
function byRelated(schema: Schema, actor: Actor, { descending }: Sort, { field, value, cast }: Linked): Stretch[] {
  const target = schema.objects.get(field.to_objects![0]!)!
  const isReadable = openAmong(actor, objectsIn(schema)).includes(target)
  const isByTitle = cast === undefined
  const [sorted, id] = [isByTitle ? value('t') : 't.value', 't.id']
  const sorts = [plainSort(sorted, cast ?? 'text', descending, true), plainSort(id, 'uuid', descending, true)]
  const linked: Stretch = {
    order: { sorts, idsDescending: descending },
    keys: [sorted, id],
    from: (params) =>
      linkedRecords(actor, params, field, isByTitle ? 'records t' : inOrder(actor, params, target, value, descending)),
    where: (params) => (isByTitle ? targetConditions(actor, params, target, 't') : []),
    holds: (value) => value !== null,
  }
  const hasValue = (alias: string) => (isByTitle ? 'true' : `${value(alias)} is not null`)
  const unlinked: Stretch = {
    order: newestFirst,
    keys: ['null'],
    from: records,
    where: (params) => (isReadable ? [`(${isLinked(schema, actor, params, field, hasValue)}) is not true`] : []),
    holds: (value) => value === null,
  }
  return isReadable ? [linked, unlinked] : [unlinked]
}

/** `offset 0` keeps PostgreSQL from choosing another join order, which would read all records for one page. */
function linkedRecords(actor: Actor, params: Params, field: Field, targets: string) {
  const company = params.add(actor.company_id, 'uuid')
  return `${targets} cross join lateral (select l.from_id from links l where l.company_id = ${company} and l.to_id = t.id
      and l.field_id = ${params.add(field.id, 'uuid')} offset 0) l
    cross join lateral (select * from records x where x.company_id = ${company} and x.id = l.from_id offset 0) r`
}

/** Sorted first, so that only as many are followed as a page needs. */
function inOrder(
  actor: Actor,
  params: Params,
  target: ObjectSchema,
  value: (alias: string) => string,
  descending: boolean,
) {
  const conditions = [...targetConditions(actor, params, target, 'o'), `${value('o')} is not null`].join(' and ')
  const way = descending ? 'desc' : 'asc'
  return `(select o.id, ${value('o')} as value from records o where ${conditions} order by 2 ${way}, 1 ${way}) t`
}

function targetConditions(actor: Actor, params: Params, target: ObjectSchema, alias: string) {
  const limit = readable(actor, target, alias, params)
  return [
    `${alias}.company_id = ${params.add(actor.company_id, 'uuid')}`,
    `${alias}.object_id = ${params.add(target.id, 'uuid')}`,
    `${alias}.deleted_at is null`,
    ...(limit ? [limit] : []),
  ]
}
