// A resolved filter as SQL. Names come from the company's own metadata, values only as parameters.
import type { Comparable, Interval, Resolved, Step, Test } from '../../contract/filter/index.ts'
import type { Actor } from '../kernel/context.ts'
import type { Field, ObjectSchema, Schema } from '../objects/schema.ts'
import type { Params } from './params.ts'
import { readable } from './rights.ts'
import type { ScopedField } from './scope.ts'
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
  const { schema, actor, params } = compiling
  const depth = ++compiling.depth
  const [link, alias] = [`l${depth}`, `r${depth}`]
  const { own, from, to } = step.field as ScopedField
  const objects = (to?.length ? to : [...schema.objects.keys()]).map((key) => schema.objects.get(key)!)
  const there = { alias, objects: objects.map((object) => object.key) }
  const company = params.add(actor.company_id, 'uuid')
  const ids = from ? from.map((field) => field.id) : relationIds(schema, step, own)
  const [near, far] = from ? ['to_id', 'from_id'] : ['from_id', 'to_id']
  return `exists (select 1 from links ${link} join records ${alias} on ${alias}.company_id = ${link}.company_id
    and ${alias}.id = ${link}.${far} and ${alias}.deleted_at is null
    where ${link}.company_id = ${company} and ${link}.${near} = ${here.alias}.id
    and ${link}.field_id = any(${params.add(ids, 'uuid[]')})
    and ${objectsOf(compiling, objects, alias)} and ${along(compiling, rest, there, then)})`
}

/** After a relation to several objects, the same name is a field of each. */
function relationIds(schema: Schema, { objects, field }: Step, own: Field | undefined) {
  const all = objects.flatMap((key) => schema.objects.get(key)?.byKey.get(field.key)?.id ?? [])
  return all.length ? all : own ? [own.id] : []
}

function objectsOf({ actor, params }: Compiling, objects: ObjectSchema[], alias: string) {
  const each = objects.map((object) => {
    const limit = readable(actor, object, alias, params)
    const is = `${alias}.object_id = ${params.add(object.id, 'uuid')}`
    return limit ? `(${is} and ${limit})` : is
  })
  return `(${each.join(' or ') || 'false'})`
}

function testOf(compiling: Compiling, { objects, field }: Step, test: Test, { alias }: Here): string {
  const { system, from } = field as ScopedField
  if (from) return relationTest(compiling, from, test, alias)
  if (system?.column === 'title') return ownTest(compiling.params, foldedTitle, test, alias)
  if (system) return systemTest(compiling.params, system, test, alias)
  const { schema, params } = compiling
  const fields = objects.map((key) => ({
    object: schema.objects.get(key)!,
    own: schema.objects.get(key)?.byKey.get(field.key),
  }))
  const [only] = fields
  if (fields.length === 1) return ownTest(params, only!.own!, test, alias)
  const parts = fields.flatMap(({ object, own }) =>
    own ? `(${alias}.object_id = ${params.add(object.id, 'uuid')} and ${ownTest(params, own, test, alias)})` : [],
  )
  return `(${parts.join(' or ') || 'false'})`
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
  const value = () => `${alias}.match -> ${params.add(field.key, 'text')}`
  if (test.kind === 'present') {
    return field.type === 'relation' ? `jsonb_array_length(${value()}) > 0` : `${value()} is not null`
  }
  if (field.slot) return slotTest(params, field, test, `${alias}.${field.slot}`)
  if (test.kind === 'oneOf') {
    const shapes = test.values.map((one) => JSON.stringify({ [field.key]: isList(field) ? [one] : one }))
    return `${alias}.match @> any(${params.add(shapes, 'jsonb[]')})`
  }
  if (test.kind === 'allOf')
    return `${alias}.match @> ${params.add(JSON.stringify({ [field.key]: test.values }), 'jsonb')}`
  if (!isList(field)) {
    const text = `(${alias}.match ->> ${params.add(field.key, 'text')})`
    if (test.kind === 'within')
      return within(
        params,
        isNumeric(field) ? `${text}::numeric` : `${text} collate "C"`,
        test.intervals,
        castOf(field),
      )
    return hinted(params, alias, test, textTest(params, text, test))
  }
  const one =
    test.kind === 'within'
      ? within(params, isNumeric(field) ? 'v::numeric' : 'v collate "C"', test.intervals, castOf(field))
      : textTest(params, 'v', test)
  return hinted(params, alias, test, `exists (select 1 from jsonb_array_elements_text(${value()}) v where ${one})`)
}

const isList = ({ type, is_multi }: Field) => is_multi || type === 'multi_select' || type === 'relation'
const isNumeric = ({ type }: Field) => type === 'number' || type === 'money'
const castOf = (field: Field) => (isNumeric(field) ? 'numeric' : 'text')

function slotTest(params: Params, field: Field, test: Test, column: string): string {
  const cast = castOf(field)
  if (test.kind === 'within') return within(params, column, test.intervals, cast)
  if (test.kind === 'oneOf' || test.kind === 'allOf') {
    const values = test.values.map(String)
    return values.length === 1
      ? `${column} = ${params.add(values[0], cast)}`
      : `${column} = any(${params.add(values, `${cast}[]`)})`
  }
  return textTest(params, column, test)
}

/** Every text value is part of the record's search text, which has an index for parts of words. */
function hinted(params: Params, alias: string, test: Test, exact: string) {
  if (test.kind !== 'contains' || [...test.text].length < 3) return exact
  return `(${alias}.search like ${params.add(`%${escaped(test.text)}%`)} and ${exact})`
}

function relationTest({ params, actor }: Compiling, from: Field[], test: Test, alias: string) {
  const company = params.add(actor.company_id, 'uuid')
  const fields = params.add(
    from.map((field) => field.id),
    'uuid[]',
  )
  const ids = (values: Comparable[]) =>
    params.add(
      values.filter((one) => uuid.test(String(one))),
      'uuid[]',
    )
  const links = `select 1 from links k where k.company_id = ${company} and k.to_id = ${alias}.id and k.field_id = any(${fields})`
  if (test.kind === 'allOf') {
    return `(select count(distinct k.from_id) from links k where k.company_id = ${company} and k.to_id = ${alias}.id
      and k.field_id = any(${fields}) and k.from_id = any(${ids(test.values)})) = ${params.add(test.values.length, 'int')}`
  }
  return test.kind === 'oneOf' ? `exists (${links} and k.from_id = any(${ids(test.values)}))` : `exists (${links})`
}

function within(params: Params, value: string, intervals: Interval[], cast: string) {
  const signs = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const
  const each = intervals.map((interval) => {
    const bounds = Object.entries(interval) as [keyof typeof signs, string | number][]
    return `(${bounds.map(([bound, limit]) => `${value} ${signs[bound]} ${params.add(limit, cast)}`).join(' and ') || 'true'})`
  })
  return `(${each.join(' or ') || 'false'})`
}

function textTest(params: Params, value: string, test: Test): string {
  if (test.kind === 'oneOf' || test.kind === 'allOf')
    return `${value} = any(${params.add(test.values.map(String), 'text[]')})`
  if (test.kind === 'within' || test.kind === 'present') return `${value} is not null`
  const text = escaped((test as { text: string }).text)
  const pattern = { contains: `%${text}%`, startsWith: `${text}%`, endsWith: `%${text}` }[test.kind]
  return `${value} like ${params.add(pattern)}`
}

const escaped = (text: string) => text.replace(/[\\%_]/g, '\\$&')
