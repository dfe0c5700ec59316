// Reads what is measured and grouped by, and checks it against the fields that the caller may read.
import {
  type aggregates,
  type FieldMeasure,
  mostGroups,
  type Period,
  readGrouping,
  readMeasure,
} from '../../../contract/aggregates.ts'
import type { FieldType } from '../../../contract/built-in/field-types.ts'
import { checkPath } from '../../../contract/filter/check-path.ts'
import { holds } from '../../../contract/filter/fields.ts'
import { hasFaults, type Resolved, type Step } from '../../../contract/filter/index.ts'
import type { Parsed } from '../../../contract/operation.ts'
import { refused } from '../../kernel/app-error.ts'
import { type Actor, actorOf, type Context } from '../../kernel/context.ts'
import { type Conditions, conditionsFor, resolvedFilter } from '../read/conditions.ts'
import { findObject } from '../rights/rights.ts'
import { type ScopedField, scopeOf } from '../rights/scope.ts'
import { builtInInUse, type ObjectSchema, type Schema, schemaOf } from '../schema/schema.ts'

/** `unconverted`: how many records have an amount without a rate. No one asks for it by name. */
export type Measure =
  | { text: string; name: FieldMeasure | 'unconverted'; field: ScopedField }
  | { text: string; name: 'count' }
/** `steps`: the field, or a relation and a field of the record that it links to. */
export type Dimension = {
  path: string
  steps: Step[]
  field: ScopedField
  period: Period | undefined
  /** A record can have several values, and so belong to several groups. */
  isMulti: boolean
  /** Only this part of the value counts. */
  part?: 'domain'
}
export type Order = { by: 'key' | Measure; descending: boolean }
export type Asking = {
  context: Context
  actor: Actor
  schema: Schema
  object: ObjectSchema
  resolved: Resolved | undefined
  conditions: Conditions
}
export type Question = {
  measures: Measure[]
  dimensions: Dimension[]
  order: Order
  top: number | undefined
  fill: boolean
  /** Pairs of two groupings are ordered and ranked as groups of their own. Otherwise the first grouping decides. */
  isByPair?: boolean
  /** Left out: the filters of groups are not needed. */
  hasFilters?: boolean
}
type Input = Parsed<typeof aggregates.aggregateRecords>

export async function readQuestion(context: Context, input: Input): Promise<{ asking: Asking; question: Question }> {
  const actor = actorOf(context)
  const schema = await schemaOf(context.db, actor)
  const object = findObject(schema, actor, input.object)
  const measures = [...new Set(input.measures)].map((text, i) => measureOf(schema, actor, object, text, i))
  const dimensions = input.group_by.map((text, i) => dimensionOf(schema, actor, object, text, i))
  const order = orderOf(input, measures)
  const resolved = await resolvedFilter(context, schema, object, input.filter as never, context.now)
  const conditions = conditionsFor(context, schema, object, resolved)
  return {
    asking: { context, actor, schema, object, resolved, conditions },
    question: { measures, dimensions, order, top: input.top, fill: input.fill },
  }
}

const numbers: FieldType[] = ['number', 'money']
const times: FieldType[] = ['date', 'datetime']
const measurable: Record<FieldMeasure, (field: ScopedField, object: ObjectSchema) => boolean> = {
  sum: ({ type }) => numbers.includes(type),
  average: ({ type }) => numbers.includes(type),
  min: ({ type }) => numbers.includes(type) || times.includes(type),
  max: ({ type }) => numbers.includes(type) || times.includes(type),
  distinct: (field) => isGroupable(field) && !isList(field),
  filled: () => true,
  weighted: ({ key, type }, object) => {
    const probability = probabilityOf(object)
    return probability !== undefined && probability.key !== key && numbers.includes(type)
  },
  sum_not_lost: ({ type }, object) => statusOf(object) !== undefined && numbers.includes(type),
}

/** The probability of a deal; undefined for other objects. */
export const probabilityOf = (object: ObjectSchema) =>
  object.built_in_key === 'deals' ? builtInInUse(object, 'probability') : undefined

/** The status of a deal; undefined for other objects. */
export const statusOf = (object: ObjectSchema) =>
  object.built_in_key === 'deals' ? builtInInUse(object, 'status') : undefined

export const isList = ({ type, multi, many }: ScopedField) => type === 'multi_select' || Boolean(multi || many)
const isGroupable = ({ key, type, from }: ScopedField) =>
  key !== 'id' && type !== 'money' && type !== 'long_text' && type !== 'file' && !from

function measureOf(schema: Schema, actor: Actor, object: ObjectSchema, text: string, i: number): Measure {
  const read = readMeasure(text)
  if (read.name === 'count') return { text, name: 'count' }
  const place = `measures.${i}`
  const { field } = stepsOf(schema, actor, object, read.field, place)[0]! as { field: ScopedField }
  if (!measurable[read.name](field, object)) {
    const others = (Object.keys(measurable) as FieldMeasure[]).filter((name) => measurable[name](field, object))
    const valid = others.map((name) => `${name}(${field.key})`).join(', ')
    throw refused(place, `${field.key} holds ${holds[field.type]}, so ${text} cannot be computed. Use one of: ${valid}`)
  }
  return { text, name: read.name, field }
}

function dimensionOf(schema: Schema, actor: Actor, object: ObjectSchema, text: string, i: number): Dimension {
  const { path, period } = readGrouping(text)
  const place = `group_by.${i}`
  const steps = stepsOf(schema, actor, object, path, place)
  const [field, through] = steps.map((step) => step.field as ScopedField).toReversed() as [ScopedField, ScopedField?]
  if (field.part === 'domain') {
    const whole = through!
    return { path, steps: steps.slice(0, -1), field: whole, period: undefined, isMulti: isList(whole), part: 'domain' }
  }
  if (field.part) throw refused(place, `Group by ${through!.key}: the labels are names`)
  if (!isGroupable(field) || (through && field.type === 'relation'))
    throw refused(place, `Records cannot be grouped by ${path}, which holds ${holds[field.type]}. Use another field`)
  const isTime = times.includes(field.type)
  if (period && !isTime) throw refused(place, `${path} holds ${holds[field.type]}. Group by ${path} without a period`)
  return { path, steps, field, period: isTime ? (period ?? 'day') : undefined, isMulti: isList(field) }
}

/** A path through a relation that links to many records has no single value. */
function stepsOf(schema: Schema, actor: Actor, object: ObjectSchema, path: string, place: string): Step[] {
  const objects = scopeOf(schema, actor)
  const names = path.split('.').map(() => ({}))
  const spots = { whole: {}, names, op: {}, values: [], bare: [], notation: 'json' as const }
  const [first] = path.split('.')
  const many = objects[object.key]?.fields.find(({ key }) => key === first)
  if (names.length > 1 && many?.many)
    throw refused(place, `${first} links to many records. Use a relation to a single record, or ${first} itself`)
  const steps = checkPath(path, [object.key], { objects }, spots)
  if (!hasFaults(steps)) {
    const { key, stage } = steps.at(-1)!.field as ScopedField
    if (!stage) return steps
    throw refused(place, `${key} is only for filters. Use another field`)
  }
  throw refused(place, steps.faults[0]!.message.replace(/\.$/, ''))
}

function orderOf({ order }: Input, measures: Measure[]): Order {
  const descending = order.startsWith('-')
  const text = order.replace(/^-/, '')
  if (text === 'key') return { by: 'key', descending }
  const by = measures.find((measure) => measure.text === text)
  if (by) return { by, descending }
  const valid = ['key', ...measures.map((measure) => measure.text)].join(', ')
  throw refused('order', `The groups cannot be ordered by ${text}. Use one of: ${valid}`)
}

export const tooManyGroups = () =>
  refused(
    'group_by',
    `There are more than ${mostGroups.toLocaleString('en')} groups. Set top, narrow the filter, or group by a longer period or another field`,
  )
