// A sorted list in stretches that an index holds in their order, read one after the other until the page is full:
// the records that have a value, then those without one.
import type { Actor } from '../../kernel/context.ts'
import type { Params } from '../../kernel/statement.ts'
import { readable, rightsFor } from '../rights/rights.ts'
import type { Field, ObjectSchema, Schema } from '../schema/schema.ts'
import { isLinked } from './compile.ts'
import { foldedTitle, type Order, plainSort, type Sort } from './page.ts'

export type Stretch = {
  order: Order
  /** What a cursor in this stretch remembers, as SQL. */
  keys: string[]
  from: (params: Params) => string
  where: (params: Params) => string[]
  /** Whether a cursor that remembers this stands here. */
  holds: (value: unknown) => boolean
}

const records = () => 'records r'

export function stretchesOf(schema: Schema, actor: Actor, sorts: Sort[]): Stretch[] {
  const [sort] = sorts
  const { index } = sorts.length === 1 ? sort! : {}
  if (index?.kind === 'value') return byValue(sort!)
  if (index?.kind === 'choice') return byChoice(sort!, index.options)
  if (index?.kind === 'related') return byRelated(schema, actor, sort!, index.field)
  const order = { sorts, idsDescending: sorts.at(-1)?.descending ?? true }
  return [{ order, keys: sorts.map(({ key }) => key), from: records, where: () => [], holds: () => true }]
}

const newestFirst = { sorts: [], idsDescending: true }

function byValue(sort: Sort): Stretch[] {
  const full = { sorts: [{ ...sort, isFull: true }], idsDescending: sort.descending }
  const having = { order: full, where: () => [`${sort.sql} is not null`], holds: (value: unknown) => value !== null }
  const empty = { order: newestFirst, where: () => [`${sort.sql} is null`], holds: (value: unknown) => value === null }
  return [having, empty].map((stretch) => ({ ...stretch, keys: [sort.key], from: records }))
}

function byChoice({ key, descending }: Sort, options: string[]): Stretch[] {
  const stretch = { order: { sorts: [], idsDescending: descending }, keys: [key], from: records }
  const each = (descending ? options.toReversed() : options).map((option) => ({
    ...stretch,
    where: () => [`${key} = '${option}'`],
    holds: (value: unknown) => value === option,
  }))
  const others = `(${key} is null or ${key} <> all(array[${options.map((one) => `'${one}'`).join(', ')}]::text[]))`
  return [...each, { ...stretch, where: () => [others], holds: (value) => !options.includes(value as string) }]
}

/** The linked records in the order of their titles, each with those that link to it. */
function byRelated(schema: Schema, actor: Actor, { descending }: Sort, field: Field): Stretch[] {
  const target = schema.objects.get(field.to_objects![0]!)!
  const isReadable = !target.archived_at && rightsFor(actor, target.key).read !== 'none'
  const [title, id] = [foldedTitle('t'), 't.id']
  const sorts = [plainSort(title, 'text', descending, true), plainSort(id, 'uuid', descending, true)]
  const linked: Stretch = {
    order: { sorts, idsDescending: descending },
    keys: [title, id],
    from: (params) => linkedRecords(actor, params, field),
    where: (params) => targetConditions(actor, params, target),
    holds: (value) => value !== null,
  }
  const unlinked: Stretch = {
    order: newestFirst,
    keys: ['null'],
    from: records,
    where: (params) => (isReadable ? [`(${isLinked(schema, actor, params, field)}) is not true`] : []),
    holds: (value) => value === null,
  }
  return isReadable ? [linked, unlinked] : [unlinked]
}

/** `offset 0` keeps PostgreSQL from choosing another order of joining, which would read everything for one page. */
function linkedRecords(actor: Actor, params: Params, field: Field) {
  const company = params.add(actor.company_id, 'uuid')
  return `records t cross join lateral (select l.from_id from links l where l.company_id = ${company} and l.to_id = t.id
      and l.field_id = ${params.add(field.id, 'uuid')} offset 0) l
    cross join lateral (select * from records x where x.company_id = ${company} and x.id = l.from_id offset 0) r`
}

function targetConditions(actor: Actor, params: Params, target: ObjectSchema) {
  const limit = readable(actor, target, 't', params)
  const is = [
    `t.company_id = ${params.add(actor.company_id, 'uuid')}`,
    `t.object_id = ${params.add(target.id, 'uuid')}`,
  ]
  return [...is, 't.deleted_at is null', ...(limit ? [limit] : [])]
}
