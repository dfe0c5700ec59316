// A resolved filter as SQL. Names come from the company's own metadata, values only as parameters.
import { fold, type Interval, type Resolved, type Step, type Test } from '../../contract/filter/index.ts'
import type { Actor } from '../kernel/context.ts'
import type { Params } from '../kernel/statement.ts'
import type { Field, ObjectSchema, Schema } from '../objects/schema.ts'
import { readable } from './rights.ts'
import { cut, isCut } from './row.ts'
import { type ScopedField, scopeOf } from './scope.ts'
import type { SystemField } from './system-fields.ts'

type Compiling = { schema: Schema; actor: Actor; params: Params; depth: number }
type Here = { alias: string; objects: string[] }

export function compile(schema: Schema, actor: Actor, params: Params, resolved: Resolved, object: ObjectSchema) {
  return node({ schema, actor, params, depth: 0 }, resolved, { alias: 'r', objects: [object.key] })
}

// Inside, SQL's unknown counts as false; `is not true` at every `not` keeps that exact.
function node(compiling: Compiling, resolved: Resolved, here: Here): string {
  if (resolved.kind === 'not') return `(${node(compiling, resolved.part, here)}) is not true`
  if (resolved.kind === 'and' || resolved.kind === 'or') {
    if (!resolved.parts.length) return resolved.kind === 'and' ? 'true' : 'false'
    return `(${resolved.parts.map((part) => node(compiling, part, here)).join(` ${resolved.kind} `)})`
  }
  if (resolved.kind === 'search') return search(compiling, resolved.terms, here)
  if (resolved.kind === 'any') {
    return along(compiling, resolved.path, here, (there) => node(compiling, resolved.where, there))
  }
  const { path, test } = resolved as Extract<Resolved, { kind: 'test' }>
  const last = path.at(-1)!
  return along(compiling, path.slice(0, -1), here, (there) => testOf(compiling, last, test, there))
}

function search({ params }: Compiling, terms: string[], { alias }: Here) {
  const parts = terms.map((term) => `${alias}.search like ${params.add(`%${escaped(term)}%`)}`)
  return parts.length ? `(${parts.join(' and ')})` : 'true'
}

/** There is a readable record at the end of these relations of which this holds. */
function along(compiling: Compiling, [step, ...rest]: Step[], here: Here, then: (there: Here) => string): string {
  if (!step) return then(here)
  const { schema } = compiling
  const { to } = step.field
  const objects = (to?.length ? to : [...schema.objects.keys()])
    .map((key) => schema.objects.get(key)!)
    .filter((object) => !object.archived_at)
  const ways = waysOf(compiling, step).map(({ ids, near, far }) => {
    const depth = ++compiling.depth
    const [link, alias] = [`l${depth}`, `r${depth}`]
    const there = { alias, objects: objects.map((object) => object.key) }
    return `exists (select 1 from links ${link} join records ${alias} on ${alias}.company_id = ${link}.company_id
    and ${alias}.id = ${link}.${far} and ${alias}.deleted_at is null
    where ${link}.company_id = ${companyOf(compiling)} and ${link}.${near} = ${here.alias}.id
    and ${link}.field_id = any(${compiling.params.add(ids, 'uuid[]')})
    and ${objectsOf(compiling, objects, alias)} and ${along(compiling, rest, there, then)})`
  })
  return ways.length === 1 ? ways[0]! : `(${ways.join(' or ') || 'false'})`
}

/**
 * As a value that is not known while planning: PostgreSQL takes a company that it has no figures about for one row,
 * and then joins all with all, which takes a minute for sixty records.
 */
const companyOf = ({ actor, params }: Compiling) => `(select ${params.add(actor.company_id, 'uuid')})`

/** Forwards, backwards, or both: of several objects, one may have a relation by the name of those that lead to another. */
function waysOf(compiling: Compiling, step: Step) {
  const fields = fieldsOf(compiling, step).map(({ field }) => field)
  const own = fields.flatMap((field) => field.own?.id ?? [])
  const from = fields.flatMap((field) => field.from?.map(({ id }) => id) ?? [])
  const ways = [
    { ids: [...new Set(own)], near: 'from_id', far: 'to_id' },
    { ids: [...new Set(from)], near: 'to_id', far: 'from_id' },
  ]
  return ways.filter(({ ids }) => ids.length)
}

/** The field of this step as each of its objects has it. */
function fieldsOf({ schema, actor }: Compiling, { objects, field }: Step) {
  const [only] = objects
  if (objects.length === 1) return [{ object: schema.objects.get(only!)!, field: field as ScopedField }]
  const scope = scopeOf(schema, actor)
  return objects.flatMap((key) => {
    const own = scope[key]?.fields.find((one) => one.key === field.key) as ScopedField | undefined
    return own ? [{ object: schema.objects.get(key)!, field: own }] : []
  })
}

function objectsOf({ actor, params }: Compiling, objects: ObjectSchema[], alias: string) {
  const each = objects.map((object) => {
    const limit = readable(actor, object, alias, params)
    const is = `${alias}.object_id = ${params.add(object.id, 'uuid')}`
    return limit ? `(${is} and ${limit})` : is
  })
  return `(${each.join(' or ') || 'false'})`
}

function testOf(compiling: Compiling, step: Step, test: Test, { alias }: Here): string {
  const fields = fieldsOf(compiling, step)
  if (fields.length === 1) return fieldTest(compiling, fields[0]!.field, test, alias)
  const parts = fields.map(
    ({ object, field }) =>
      `(${alias}.object_id = ${compiling.params.add(object.id, 'uuid')} and ${fieldTest(compiling, field, test, alias)})`,
  )
  return `(${parts.join(' or ') || 'false'})`
}

function fieldTest(compiling: Compiling, { system, from, own }: ScopedField, test: Test, alias: string) {
  const { params } = compiling
  if (from) return backwardsTest(compiling, from, test, alias)
  if (system?.column === 'title') return ownTest(params, foldedTitle, test, alias)
  return system ? systemTest(params, system, test, alias) : ownTest(params, own!, test, alias)
}

/** Titles are compared as other text is: the folded one stands among the comparable values. */
const foldedTitle = { key: 'title', type: 'text', is_multi: false, slot: null } as Field

function systemTest(params: Params, { column, cast }: SystemField, test: Test, alias: string) {
  const value = `${alias}.${column}`
  if (test.kind === 'present') return `${value} is not null`
  if (test.kind === 'within') return within(params, value, test.intervals, cast)
  if (test.kind === 'oneOf' || test.kind === 'allOf') {
    const wanted = cast === 'uuid' ? test.values.filter((one) => uuid.test(String(one))) : test.values
    return `${value} = any(${params.add(wanted, `${cast}[]`)})`
  }
  return textTest(params, `${value}::text`, test)
}
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

function ownTest(params: Params, field: Field, test: Test, alias: string): string {
  if (field.slot) return slotTest(params, field, test, alias)
  const value = () => `${alias}.match -> ${params.add(field.key, 'text')}`
  if (test.kind === 'present') {
    return field.type === 'relation' ? `jsonb_array_length(${value()}) > 0` : `${value()} is not null`
  }
  if (test.kind === 'oneOf') {
    const shapes = test.values.map((one) => JSON.stringify({ [field.key]: isList(field) ? [one] : one }))
    return `${alias}.match @> any(${params.add(shapes, 'jsonb[]')})`
  }
  if (test.kind === 'allOf')
    return `${alias}.match @> ${params.add(JSON.stringify({ [field.key]: test.values }), 'jsonb')}`
  const list = isList(field)
  const text = list ? 'v' : `(${alias}.match ->> ${params.add(field.key, 'text')})`
  const one =
    test.kind === 'within'
      ? within(params, isNumeric(field) ? `${text}::numeric` : `${text} collate "C"`, test.intervals, castOf(field))
      : textTest(params, text, test)
  const exact = list ? `exists (select 1 from jsonb_array_elements_text(${value()}) v where ${one})` : one
  return hinted(params, alias, test, exact)
}

const isList = ({ type, is_multi }: Field) => is_multi || type === 'multi_select' || type === 'relation'
const isNumeric = ({ type }: Field) => type === 'number' || type === 'money'
const castOf = (field: Field) => (isNumeric(field) ? 'numeric' : 'text')

function slotTest(params: Params, field: Field, test: Test, alias: string): string {
  const [column, cast] = [`${alias}.${field.slot}`, castOf(field)]
  if (test.kind === 'present')
    return `(${column} is not null or ${alias}.match -> ${params.add(field.key, 'text')} is not null)`
  if (test.kind === 'within') return within(params, column, test.intervals, cast)
  const whole = () => `coalesce(${alias}.match ->> ${params.add(field.key, 'text')}, ${column})`
  if (test.kind === 'oneOf' || test.kind === 'allOf') {
    const values = test.values.map(String)
    const is = equals(params, column, values.map(cut), cast)
    if (!values.some(isCut)) return is
    return `(${is} and ${equals(params, whole(), values, 'text')})`
  }
  return hinted(params, alias, test, textTest(params, whole(), test))
}

/**
 * As a value that is not known while planning: PostgreSQL then keeps one plan, which reads the index of this column,
 * where the rows of one value lie in the order of their ids. To plan each time takes longer than to answer.
 */
const equals = (params: Params, column: string, values: string[], cast: string) =>
  values.length === 1
    ? `${column} = (select ${params.add(values[0], cast)})`
    : `${column} = any(${params.add(values, `${cast}[]`)})`

/** Every text value is part of the record's search text, which has an index for parts of words. */
function hinted(params: Params, alias: string, test: Test, exact: string) {
  if (test.kind !== 'contains' || [...test.text].length < 3) return exact
  return `(${alias}.search like ${params.add(`%${escaped(fold(test.text))}%`)} and ${exact})`
}

/** About the readable records that lead here. */
function backwardsTest(compiling: Compiling, from: Field[], test: Test, alias: string) {
  const { schema, params } = compiling
  const object = schema.byId.get(from[0]!.object_id)!
  const fields = params.add(
    from.map((field) => field.id),
    'uuid[]',
  )
  const leading = `from links k join records b on b.company_id = k.company_id and b.id = k.from_id and b.deleted_at is null
    where k.company_id = ${companyOf(compiling)} and k.to_id = ${alias}.id and k.field_id = any(${fields})
    and ${objectsOf(compiling, [object], 'b')}`
  if (test.kind !== 'oneOf' && test.kind !== 'allOf') return `exists (select 1 ${leading})`
  const ids = params.add(
    test.values.filter((one) => uuid.test(String(one))),
    'uuid[]',
  )
  if (test.kind === 'oneOf') return `exists (select 1 ${leading} and k.from_id = any(${ids}))`
  return `(select count(distinct k.from_id) ${leading} and k.from_id = any(${ids})) = ${params.add(test.values.length, 'int')}`
}

function within(params: Params, value: string, intervals: Interval[], cast: string) {
  const signs = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const
  const each = intervals.map((interval) => {
    const bounds = Object.entries(interval) as [keyof typeof signs, string | number][]
    const limits = bounds.map(([bound, limit]) => `${value} ${signs[bound]} ${params.add(storable(limit, cast), cast)}`)
    return `(${limits.join(' and ') || 'true'})`
  })
  return `(${each.join(' or ') || 'false'})`
}

// PostgreSQL has no year 0, where the first days of the year 1 begin in some zones.
const storable = (limit: string | number, cast: string) =>
  cast === 'timestamptz' && String(limit) < '0001' ? '-infinity' : limit

function textTest(params: Params, value: string, test: Test): string {
  if (test.kind === 'oneOf' || test.kind === 'allOf')
    return `${value} = any(${params.add(test.values.map(String), 'text[]')})`
  if (test.kind === 'within' || test.kind === 'present') return `${value} is not null`
  const text = escaped((test as { text: string }).text)
  const pattern = { contains: `%${text}%`, startsWith: `${text}%`, endsWith: `%${text}` }[test.kind]
  return `${value} like ${params.add(pattern)}`
}

const escaped = (text: string) => text.replace(/[\\%_]/g, '\\$&')
