// What each measure needs of a record, and how it is computed from that.
import type { Step } from '../../../contract/filter/index.ts'
import type { Params } from '../../kernel/statement.ts'
import { compile } from '../read/filter-to-sql.ts'
import { scopeOf } from '../rights/scope.ts'
import type { Field } from '../schema/schema.ts'
import { isoTime } from '../values/from-row.ts'
import { keySql, valueSql } from './keys.ts'
import { type Asking, type Measure, probabilityOf, statusOf } from './question.ts'

export type Value = number | string | null

/**
 * `value`: of a record. `sql`: the measure of many values. `parts`: what can be computed for some of the records, from
 * which `merged` gets the measure of all; a distinct count has none.
 */
export type Column = {
  value: string
  sql: (value: string) => string
  parts?: (value: string) => string[]
  merged?: (...parts: string[]) => string
  read: (text: string | null) => Value
}

const asNumber = (text: string | null) => (text === null ? null : Number(text))
const asText = (text: string | null) => text
const added = (part: string) => `coalesce(sum(${part}), 0)`

export function columnOf(asking: Asking, measure: Measure, params: Params): Column {
  if (measure.name === 'count') return counting('true', () => 'count(*)')
  const { name, field } = measure
  const step: Step = { objects: [asking.object.key], field }
  if (name === 'filled') {
    const test = { kind: 'present' } as const
    const isFilled = compile(asking.schema, asking.actor, params, { kind: 'test', path: [step], test })
    return counting(isFilled, (value) => `count(*) filter (where ${value})`)
  }
  if (name === 'distinct') {
    const dimension = { path: field.key, steps: [step], field, period: undefined, isMulti: false }
    const { join, key } = keySql(asking, dimension, undefined, undefined, 'd', params)
    const value = join ? `(select d.k from (select 1) one ${join})` : key
    return { value, sql: (value) => `count(distinct ${value})`, read: asNumber }
  }
  if (name === 'unconverted')
    return counting(isUnconverted(asking, step, params), (value) => `count(*) filter (where ${value})`)
  const plain = valueSql(asking, step, 'r', (value) => value, params)
  const value =
    name === 'weighted'
      ? `${plain} * ${ownSql(asking, probabilityOf(asking.object)!, params)} / 100`
      : name === 'sum_not_lost'
        ? `case when ${isNotLost(asking, params)} then ${plain} end`
        : plain
  const isNumber = field.type === 'number' || field.type === 'money'
  const read = isNumber ? asNumber : field.system ? (text: string | null) => text && isoTime(text) : asText
  if (name === 'sum' || name === 'weighted' || name === 'sum_not_lost')
    return { value, read, sql: (value) => added(value), parts: (value) => [`sum(${value})`], merged: added }
  if (name === 'average')
    return {
      value,
      read,
      sql: (value) => `round(avg(${value}), 6)`,
      parts: (value) => [`sum(${value})`, `count(${value})`],
      merged: (sum, count) => `round(sum(${sum}) / nullif(sum(${count}), 0), 6)`,
    }
  const outermost = (value: string) => `${name}(${value})`
  return { value, read, sql: outermost, parts: (value) => [outermost(value)], merged: outermost }
}

/** An amount without a rate. It has no comparable form, so no other measure contains it. */
export const isUnconverted = (asking: Asking, step: Step, params: Params) =>
  `${valueSql(asking, step, 'r', (value) => value, params)} is null and r.match -> ${params.add(step.field.key, 'text')} is not null`

export const isNotLost = (asking: Asking, params: Params) =>
  `coalesce(${ownSql(asking, statusOf(asking.object)!, params)}, '') <> 'lost'`

function ownSql(asking: Asking, { key }: Field, params: Params) {
  const { schema, actor, object } = asking
  const field = scopeOf(schema, actor)[object.key]!.fields.find((one) => one.key === key)!
  return valueSql(asking, { objects: [object.key], field }, 'r', (value) => value, params)
}

const counting = (value: string, sql: Column['sql']): Column => ({
  value,
  sql,
  parts: (value) => [sql(value)],
  merged: added,
  read: asNumber,
})
