// Compiles a resolved filter to SQL. Names come from the company's schema, values are always parameters.
import { fold, type Interval, type Resolved, type Step, type Test } from '../../../contract/filter/index.ts'
import { isId } from '../../../contract/shared/ids.ts'
import type { Actor } from '../../kernel/context.ts'
import { escapeLike, type Params } from '../../kernel/statement.ts'
import { openAmong } from '../rights/readable-among.ts'
import { readable } from '../rights/rights.ts'
import { type ScopedField, scopeOf } from '../rights/scope.ts'
import type { Field, ObjectSchema, Schema } from '../schema/schema.ts'
import type { SystemField } from '../schema/system-fields.ts'
import { containsAll } from '../search/conditions.ts'
import { termsOf } from '../search/terms.ts'
import { cut, isCut } from '../values/to-row.ts'

type Compiling = { schema: Schema; actor: Actor; params: Params; depth: number }
type Here = { alias: string }

export function compile(schema: Schema, actor: Actor, params: Params, resolved: Resolved) {
  return node({ schema, actor, params, depth: 0 }, resolved, { alias: 'r' })
}

/** The record links to a record that is not in the trash and that the caller may read. */
export const isLinked = (
  schema: Schema,
  actor: Actor,
  params: Params,
  field: Field,
  where: (alias: string) => string = () => 'true',
) => {
  const object = schema.byId.get(field.object_id)!
  const scoped = scopeOf(schema, actor)[object.key]?.fields.find(({ key }) => key === field.key)
  const step = scoped && { objects: [object.key], field: scoped }
  return step
    ? related({ schema, actor, params, depth: 0 }, [step], { alias: 'r' }, ({ alias }) => where(alias), false)
    : 'false'
}

// SQL's unknown counts as false in a filter. `is not true` at every `not` makes sure of that.
function node(compiling: Compiling, resolved: Resolved, here: Here): string {
  if (resolved.kind === 'not') return `(${node(compiling, resolved.part, here)}) is not true`
  if (resolved.kind === 'and' || resolved.kind === 'or') {
    if (!resolved.parts.length) return resolved.kind === 'and' ? 'true' : 'false'
    return `(${resolved.parts.map((part) => node(compiling, part, here)).join(` ${resolved.kind} `)})`
  }
  if (resolved.kind === 'search')
    return containsAll(termsOf(resolved.text, compiling.schema), here.alias, compiling.params)
  if (resolved.kind === 'any') {
    const where = (there: Here) => node(compiling, resolved.where, there)
    return related(compiling, resolved.path, here, where, isSelective(resolved.where))
  }
  const { path, test } = resolved as Extract<Resolved, { kind: 'test' }>
  const last = path.at(-1)!
  const where = (there: Here) => testOf(compiling, last, test, there)
  return related(compiling, path.slice(0, -1), here, where, isSelective(resolved))
}

/** Whether the condition probably matches few records. Affects only the speed. */
function isSelective(resolved: Resolved): boolean {
  if (resolved.kind === 'and') return resolved.parts.some(isSelective)
  if (resolved.kind === 'or') return resolved.parts.every(isSelective)
  if (resolved.kind === 'not') return false
  if (resolved.kind === 'test') return resolved.test.kind !== 'within' && resolved.test.kind !== 'present'
  return true
}

/**
 * A record at the end of these relations, readable and not in the trash, meets the condition. `isPrivateToo`: also one that
 * is not the caller's own; only for conditions about the link itself.
 */
function related(
  compiling: Compiling,
  [step, ...rest]: Step[],
  here: Here,
  where: (there: Here) => string,
  isFew: boolean,
  isPrivateToo = false,
): string {
  if (!step) return where(here)
  const { schema } = compiling
  const { to } = step.field
  const objects = (to?.length ? to : [...schema.objects.keys()])
    .map((key) => schema.objects.get(key)!)
    .filter((object) => !object.archived_at)
  const conditions = directionsOf(compiling, step).map((direction) => {
    const alias = `r${++compiling.depth}`
    const isMatch = [
      `${alias}.company_id = ${companyOf(compiling)}`,
      `${alias}.deleted_at is null`,
      isPrivateToo ? openObjectsOf(compiling, objects, alias) : objectsOf(compiling, objects, alias),
      related(compiling, rest, { alias }, where, isFew),
    ].join(' and ')
    return linked(compiling, here, direction, { alias, conditions: isMatch, isFew: isFew || rest.length > 0 })
  })
  return conditions.length === 1 ? conditions[0]! : `(${conditions.join(' or ') || 'false'})`
}

const companyOf = ({ actor, params }: Compiling) => params.add(actor.company_id, 'uuid')

type Direction = { ids: string[]; near: 'from_id' | 'to_id'; far: 'from_id' | 'to_id' }
type Far = { alias: string; conditions: string; isFew: boolean }

/**
 * Collects the ids at this end of the links once, in a hash table for all rows. `is true` and `offset 0` keep PostgreSQL
 * from turning this into joins, whose order it guesses badly without statistics: right after an import, a join took
 * 30 s for a hundred records.
 */
function linked(compiling: Compiling, here: Here, { ids, near, far }: Direction, there: Far) {
  const { params, depth } = compiling
  const link = `l${depth}`
  const ofFields = `${link}.company_id = ${companyOf(compiling)} and ${link}.field_id = any(${params.add(ids, 'uuid[]')})`
  const records = `records ${there.alias} where ${there.conditions}`
  const collected = there.isFew
    ? `select k${depth}.id from (select ${there.alias}.id from ${records} offset 0) f${depth} cross join lateral
      (select ${link}.${near} as id from links ${link} where ${ofFields} and ${link}.${far} = f${depth}.id offset 0) k${depth}`
    : `select ${link}.${near} from links ${link} where ${ofFields} and (${link}.${far} in (select ${there.alias}.id from ${records})) is true`
  return `(${here.alias}.id in (${collected})) is true`
}

/** Forward, backward or both: the same name can be a relation of one object and the backward relation of another. */
function directionsOf(compiling: Compiling, step: Step): Direction[] {
  const fields = fieldsOf(compiling, step).map(({ field }) => field)
  const forward = fields.flatMap((field) => field.own?.id ?? [])
  const backward = fields.flatMap((field) => field.from?.map(({ id }) => id) ?? [])
  const directions: Direction[] = [
    { ids: [...new Set(forward)], near: 'from_id', far: 'to_id' },
    { ids: [...new Set(backward)], near: 'to_id', far: 'from_id' },
  ]
  return directions.filter(({ ids }) => ids.length)
}

/** The field of this step in each of its objects. */
function fieldsOf({ schema, actor }: Compiling, { objects, field }: Step) {
  const [only] = objects
  if (objects.length === 1) return [{ object: schema.objects.get(only!)!, field: field as ScopedField }]
  const scope = scopeOf(schema, actor)
  return objects.flatMap((key) => {
    const scoped = scope[key]?.fields.find((candidate) => candidate.key === field.key) as ScopedField | undefined
    return scoped ? [{ object: schema.objects.get(key)!, field: scoped }] : []
  })
}

function objectsOf({ actor, params }: Compiling, objects: ObjectSchema[], alias: string) {
  const each = objects.map((object) => {
    const limit = readable(actor, object, alias, params)
    const isObject = `${alias}.object_id = ${params.add(object.id, 'uuid')}`
    return limit ? `(${isObject} and ${limit})` : isObject
  })
  return `(${each.join(' or ') || 'false'})`
}

const openObjectsOf = ({ actor, params }: Compiling, objects: ObjectSchema[], alias: string) =>
  `${alias}.object_id = any(${params.add(
    openAmong(actor, objects).map(({ id }) => id),
    'uuid[]',
  )})`

function testOf(compiling: Compiling, step: Step, test: Test, { alias }: Here): string {
  const fields = fieldsOf(compiling, step)
  if (fields.length === 1) return fieldTest(compiling, fields[0]!, test, alias)
  const parts = fields.map(
    (field) =>
      `(${alias}.object_id = ${compiling.params.add(field.object.id, 'uuid')} and ${fieldTest(compiling, field, test, alias)})`,
  )
  return `(${parts.join(' or ') || 'false'})`
}

type FieldOfObject = { object: ObjectSchema; field: ScopedField }

function fieldTest(compiling: Compiling, { object, field }: FieldOfObject, test: Test, alias: string) {
  const { params } = compiling
  const { system, own, type } = field
  if (type === 'relation') return relationTest(compiling, { objects: [object.key], field }, test, alias)
  if (field.duplicates) return duplicateTest(compiling, object, test, alias)
  if (field.stage) return enteredTest(compiling, field.stage, test, alias)
  if (system?.column === 'title') return ownTest(params, foldedTitle, test, alias)
  return system ? systemTest(params, system, test, alias) : ownTest(params, own!, test, alias)
}

/**
 * A link to a record in the trash does not count. One to a record that is not the caller's own does, because they see that
 * there is one; but which records link here is not theirs to know.
 */
function relationTest(compiling: Compiling, step: Step, test: Test, alias: string): string {
  const { params } = compiling
  const { own } = step.field as ScopedField
  const linkedTo = (condition: (there: Here) => string, isFew = true) =>
    related(compiling, [step], { alias }, condition, isFew, own !== undefined)
  if (test.kind !== 'oneOf' && test.kind !== 'allOf') return linkedTo(() => 'true', false)
  const ids = test.values.map(String).filter(isId)
  if (test.kind === 'allOf' && ids.length < test.values.length) return 'false'
  const isOneOf = (wanted: string[]) => linkedTo((there) => `${there.alias}.id = any(${params.add(wanted, 'uuid[]')})`)
  const live = test.kind === 'oneOf' ? isOneOf(ids) : ids.map((id) => isOneOf([id])).join(' and ')
  return own ? `(${hasIds(params, own, ids, test.kind, alias)} and ${live})` : `(${live})`
}

/** Uses the index of values, which quickly finds the few records that link to these ids. */
function hasIds(params: Params, { key }: Field, ids: string[], kind: 'oneOf' | 'allOf', alias: string) {
  if (kind === 'allOf') return `${alias}.match @> ${params.add(JSON.stringify({ [key]: ids }), 'jsonb')}`
  const shapes = ids.map((id) => JSON.stringify({ [key]: [id] }))
  return `${alias}.match @> any(${params.add(shapes, 'jsonb[]')})`
}

/** From the history of the deal. A time in it is enough. */
function enteredTest(compiling: Compiling, stage: string, test: Test, alias: string) {
  const { params } = compiling
  const entered = [
    `h.company_id = ${companyOf(compiling)}`,
    `h.stage = ${params.add(stage, 'text')}`,
    ...(test.kind === 'within' ? [within(params, 'h.entered_at', test.intervals, 'timestamptz')] : []),
  ]
  return `(${alias}.id in (select h.record_id from stage_changes h where ${entered.join(' and ')})) is true`
}

/** Only duplicates that the caller may read count. */
function duplicateTest(compiling: Compiling, object: ObjectSchema, test: Test, alias: string) {
  const { params, actor } = compiling
  if (test.kind !== 'oneOf') return 'true'
  const company = companyOf(compiling)
  const limit = readable(actor, object, 'o', params)
  const isReadable =
    limit && ` and p.other_id in (select o.id from records o where o.company_id = ${company} and ${limit})`
  const found = `(${alias}.id in (select p.record_id from duplicate_pairs p where p.company_id = ${company}
    and p.object_id = ${params.add(object.id, 'uuid')} and p.dismissed_at is null${isReadable})) is true`
  return test.values.map(String).includes('true') ? found : `not ${found}`
}

/** Titles are compared like other text: the folded title is one of the comparable values. */
const foldedTitle = { key: 'title', type: 'text', is_multi: false, slot: null } as Field

function systemTest(params: Params, { column, cast }: SystemField, test: Test, alias: string) {
  const value = `${alias}.${column}`
  if (test.kind === 'present') return `${value} is not null`
  if (test.kind === 'within') return within(params, value, test.intervals, cast)
  if (test.kind === 'oneOf' || test.kind === 'allOf') {
    const wanted = cast === 'uuid' ? test.values.filter((value) => isId(String(value))) : test.values
    return `${value} = any(${params.add(wanted, `${cast}[]`)})`
  }
  return textTest(params, `${value}::text`, test)
}

function ownTest(params: Params, field: Field, test: Test, alias: string): string {
  if (field.slot) return slotTest(params, field, test, alias)
  const value = () => `${alias}.match -> ${params.add(field.key, 'text')}`
  if (test.kind === 'present') return `${value()} is not null`
  if (test.kind === 'oneOf') {
    const shapes = test.values.map((item) => JSON.stringify({ [field.key]: isList(field) ? [item] : item }))
    return `${alias}.match @> any(${params.add(shapes, 'jsonb[]')})`
  }
  if (test.kind === 'allOf')
    return `${alias}.match @> ${params.add(JSON.stringify({ [field.key]: test.values }), 'jsonb')}`
  const list = isList(field)
  const text = list ? 'v' : `(${alias}.match ->> ${params.add(field.key, 'text')})`
  const condition =
    test.kind === 'within'
      ? within(params, isNumeric(field) ? `${text}::numeric` : `${text} collate "C"`, test.intervals, castOf(field))
      : textTest(params, text, test)
  const exact = list ? `exists (select 1 from jsonb_array_elements_text(${value()}) v where ${condition})` : condition
  return hinted(params, alias, test, exact)
}

const isList = ({ type, is_multi }: Field) => is_multi || type === 'multi_select'
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
    const isEqual = equals(params, column, values.map(cut), cast)
    if (!values.some(isCut)) return isEqual
    return `(${isEqual} and ${equals(params, whole(), values, 'text')})`
  }
  return hinted(params, alias, test, textTest(params, whole(), test))
}

/**
 * The subselect hides the value from the planner, so that PostgreSQL keeps one plan that reads the index of this column
 * (sorted by value, then id). Planning every time would take longer than the query.
 */
const equals = (params: Params, column: string, values: string[], cast: string) =>
  values.length === 1
    ? `${column} = (select ${params.add(values[0], cast)})`
    : `${column} = any(${params.add(values, `${cast}[]`)})`

/** Adds a condition on the search text, which contains every text value and has a trigram index. */
function hinted(params: Params, alias: string, test: Test, exact: string) {
  if (test.kind !== 'contains' || [...test.text].length < 3) return exact
  return `(${alias}.search like ${params.add(`%${escapeLike(fold(test.text))}%`)} and ${exact})`
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

// PostgreSQL has no year 0, but in some time zones the first days of year 1 start there.
const storable = (limit: string | number, cast: string) =>
  cast === 'timestamptz' && String(limit) < '0001' ? '-infinity' : limit

function textTest(params: Params, value: string, test: Test): string {
  if (test.kind === 'oneOf' || test.kind === 'allOf')
    return `${value} = any(${params.add(test.values.map(String), 'text[]')})`
  if (test.kind === 'within' || test.kind === 'present') return `${value} is not null`
  const text = escapeLike((test as { text: string }).text)
  const pattern = { contains: `%${text}%`, startsWith: `${text}%`, endsWith: `%${text}` }[test.kind]
  return `${value} like ${params.add(pattern)}`
}
