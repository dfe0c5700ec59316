// The statements: measures of all matching records, in total and by group.
import { mostGroups } from '../../../contract/aggregates.ts'
import type { Step } from '../../../contract/filter/index.ts'
import { Params, run } from '../../kernel/statement.ts'
import { compile } from '../read/filter-to-sql.ts'
import { isoTime } from '../values/from-row.ts'
import type { Buckets } from './buckets.ts'
import { type Kept, keySql, valueSql } from './keys.ts'
import { type Asking, type Dimension, type Measure, type Order, tooManyGroups } from './question.ts'

export type Value = number | string | null
/** `keys`: as SQL compares them. */
export type Row = { keys: (string | null)[]; isOther: boolean; values: Value[] }
export type Measured = { totals: Row; groups: Row[] }
/** A dimension with the buckets of its periods and, after ranking, the groups that are kept. */
export type Grouping = { dimension: Dimension; buckets: Buckets | undefined; kept?: Kept }

type Column = { value: string; sql: (value: string) => string; read: (text: string | null) => Value }
type SqlRow = Record<string, string | boolean | null>

const plain = (value: string) => value
const asNumber = (text: string | null) => (text === null ? null : Number(text))

/** What each measure needs of a record, and how it is computed from that. */
function columnOf(asking: Asking, measure: Measure, params: Params): Column {
  if (measure.name === 'count') return { value: 'true', sql: () => 'count(*)', read: asNumber }
  const { name, field } = measure
  const step: Step = { objects: [asking.object.key], field }
  if (name === 'filled') {
    const isFilled = compile(asking.schema, asking.actor, params, {
      kind: 'test',
      path: [step],
      test: { kind: 'present' },
    })
    return { value: isFilled, sql: (value) => `count(*) filter (where ${value})`, read: asNumber }
  }
  if (name === 'distinct') {
    const dimension = { path: field.key, steps: [step], field, period: undefined, isMulti: false }
    const { join, key } = keySql(asking, dimension, undefined, undefined, 'd', params)
    const value = join ? `(select d.k from (select 1) one ${join})` : key
    return { value, sql: (value) => `count(distinct ${value})`, read: asNumber }
  }
  const value = valueSql(asking, step, 'r', plain, params)
  const isNumber = field.type === 'number' || field.type === 'money'
  const read = isNumber ? asNumber : field.system ? (text: string | null) => text && isoTime(text) : plainText
  if (name === 'sum') return { value, sql: (value) => `coalesce(sum(${value}), 0)`, read }
  if (name === 'average') return { value, sql: (value) => `round(avg(${value}), 6)`, read }
  return { value, sql: (value) => `${name}(${value})`, read }
}

const plainText = (text: string | null) => text

/** Totals and groups in one pass, unless a record can be in several groups: it must count once in the totals. */
export async function measured(asking: Asking, groupings: Grouping[], measures: Measure[]): Promise<Measured> {
  const isOnce = groupings.every(({ dimension }) => !dimension.isMulti)
  const rows = await selected(asking, groupings, measures, isOnce)
  const isTotal = (row: Row) => row.keys.length === 0
  const totals = isOnce ? rows.find(isTotal) : (await selected(asking, [], measures, false))[0]
  const groups = rows.filter((row) => !isTotal(row))
  if (groups.length > mostGroups) throw tooManyGroups()
  return { totals: totals!, groups: groupings.length ? groups : [] }
}

async function selected(asking: Asking, groupings: Grouping[], measures: Measure[], withTotals: boolean) {
  const params = new Params()
  const columns = measures.map((measure) => columnOf(asking, measure, params))
  const inner = innerSql(
    asking,
    groupings,
    columns.map(({ value }) => value),
    params,
  )
  const names = namesOf(groupings)
  const sets = withTotals ? `grouping sets ((${names.join(', ')}), ())` : names.join(', ')
  const isTotal = withTotals && names.length ? `grouping(${names[0]}) = 1` : String(!names.length)
  const values = columns.map(({ sql }, i) => `(${sql(`x.v${i}`)})::text as m${i}`)
  const rows = await run<SqlRow>(
    asking.context.db,
    `select ${[...names, `${isTotal} as is_total`, ...values].join(', ')} from (${inner}) x${names.length ? ` group by ${sets}` : ''} limit ${mostGroups + 2}`,
    params,
  )
  return rows.map(
    (row): Row => ({
      keys: row.is_total ? [] : groupings.map((_, i) => row[`k${i}`] as string | null),
      isOther: Boolean(row.o),
      values: columns.map(({ read }, i) => read(row[`m${i}`] as string | null)),
    }),
  )
}

const namesOf = (groupings: Grouping[]) => [
  ...groupings.map((_, i) => `x.k${i}`),
  ...(groupings.some(({ kept }) => kept) ? ['x.o'] : []),
]

/** The records with their keys (k0, k1), whether the first belongs to the rest (o), and what is measured (v0, v1, ...). */
function innerSql(asking: Asking, groupings: Grouping[], values: string[], params: Params, more: string[] = []) {
  const keys = groupings.map(({ dimension, buckets, kept }, i) =>
    keySql(asking, dimension, buckets?.bucket, kept, `g${i}`, params),
  )
  const columns = [
    ...keys.map(({ key }, i) => `${key} as k${i}`),
    ...(groupings.some(({ kept }) => kept) ? [`${keys[0]!.isOther} as o`] : []),
    ...values.map((value, i) => `${value} as v${i}`),
  ]
  const where = [...asking.conditions(params), ...more].join(' and ')
  return `select ${columns.join(', ') || '1'} from records r ${keys.map(({ join }) => join).join(' ')} where ${where}`
}

/** The keys of the first grouping in the order of a measure. */
export async function ranked(
  asking: Asking,
  grouping: Grouping,
  { by, descending }: Order,
  measure: Measure,
  most: number,
) {
  const params = new Params()
  const column = columnOf(asking, by === 'key' ? measure : by, params)
  const inner = innerSql(asking, [grouping], [column.value], params)
  const way = by === 'key' || descending ? 'desc' : 'asc'
  const rows = await run<{ k0: string | null }>(
    asking.context.db,
    `select x.k0 from (${inner}) x group by x.k0 order by ${column.sql('x.v0')} ${way} nulls last, x.k0 limit ${most}`,
    params,
  )
  return rows.map(({ k0 }) => k0)
}

export type Unconverted = { keys: (string | null)[]; isOther: boolean; currency: string; count: number; sum: number }

/** Amounts without a rate, by group and currency. They have no comparable form, so no measure contains them. */
export async function unconverted(
  asking: Asking,
  groupings: Grouping[],
  measure: Extract<Measure, { field: unknown }>,
) {
  const params = new Params()
  const step: Step = { objects: [asking.object.key], field: measure.field }
  const amount = valueSql(asking, step, 'r', plain, params)
  const key = params.add(measure.field.key, 'text')
  const values = [`r.values -> ${key} ->> 'currency'`, `(r.values -> ${key} ->> 'amount')::numeric`]
  const inner = innerSql(asking, groupings, values, params, [`${amount} is null and r.match -> ${key} is not null`])
  const names = [...namesOf(groupings), 'x.v0']
  const rows = await run<SqlRow>(
    asking.context.db,
    `select ${names.join(', ')}, count(*)::text as count, sum(x.v1)::text as sum from (${inner}) x group by ${names.join(', ')} order by x.v0`,
    params,
  )
  return rows.map(
    (row): Unconverted => ({
      keys: groupings.map((_, i) => row[`k${i}`] as string | null),
      isOther: Boolean(row.o),
      currency: String(row.v0),
      count: Number(row.count),
      sum: Number(row.sum),
    }),
  )
}
