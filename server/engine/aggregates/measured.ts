// The statements: measures of all matching records, in total and by group.
import { mostGroups } from '../../../contract/aggregates.ts'
import type { Step } from '../../../contract/filter/index.ts'
import { Params, run } from '../../kernel/statement.ts'
import type { Buckets } from './buckets.ts'
import { type Kept, keySql } from './keys.ts'
import { columnOf, isNotLost, isUnconverted, type Value } from './measures.ts'
import { type Asking, type Dimension, type Measure, tooManyGroups } from './question.ts'

/** `keys`: as SQL compares them. `place`: of the first key, or of the pair, in the order of a measure, if it was ranked. */
export type Row = { keys: (string | null)[]; isOther: boolean; values: Value[]; place?: number }
export type Measured = { totals: Row; groups: Row[] }
/** A dimension with the buckets of its periods and, once they are known, the groups that are kept. */
export type Grouping = { dimension: Dimension; buckets: Buckets | undefined; kept?: Kept }
/** The first groups by a measure. `width`: how many keys make a group that is ranked. `isRest`: all others become one. */
export type Rank = { measure: Measure; descending: boolean; most: number; width: number; isRest: boolean }

type SqlRow = Record<string, string | boolean | null>

/**
 * Reads the records once: their groups first, then totals, ranks and the rest from those. A record that is in several
 * groups, or a distinct count, does not allow that.
 */
export async function measured(
  asking: Asking,
  groupings: Grouping[],
  measures: Measure[],
  rank?: Rank,
): Promise<Measured> {
  const isOnce =
    groupings.every(({ dimension }) => !dimension.isMulti) && measures.every(({ name }) => name !== 'distinct')
  const rows = isOnce
    ? await fromGroups(asking, groupings, measures, rank)
    : await fromRecords(asking, groupings, measures, rank)
  const isTotal = (row: Row) => !row.keys.length
  const groups = groupings.length ? rows.filter((row) => !isTotal(row)) : []
  if (groups.length > mostGroups) throw tooManyGroups()
  return { totals: rows.find(isTotal)!, groups }
}

async function fromGroups(asking: Asking, groupings: Grouping[], measures: Measure[], rank: Rank | undefined) {
  const params = new Params()
  const columns = [...measures, ...(rank ? [rank.measure] : [])].map((measure) => columnOf(asking, measure, params))
  const inner = innerSql(
    asking,
    groupings,
    columns.map(({ value }) => value),
    params,
  )
  const keys = groupings.map((_, i) => `k${i}`)
  const parts = columns.map(({ parts }, i) => parts!(`x.v${i}`).map((sql, j) => ({ sql, name: `p${i}_${j}` })))
  const merged = columns.map(({ merged }, i) => merged!(...parts[i]!.map(({ name }) => `g.${name}`)))
  const by = (names: string[]) => (names.length ? ` group by ${names.join(', ')}` : '')
  const grouped = `select ${[...keys.map((key) => `x.${key}`), ...parts.flat().map(({ sql, name }) => `${sql} as ${name}`)].join(', ')}
    from (${inner}) x${by(keys.map((key) => `x.${key}`))}`
  const width = rank?.width ?? 1
  const top = keys.slice(0, width)
  const topOf = top.map((key) => `g.${key}`).join(', ')
  const ranked =
    rank &&
    `, f as materialized (select ${topOf}, row_number() over (order by ${merged.at(-1)} ${rank.descending ? 'desc' : 'asc'} nulls last, ${topOf}) as place
      from g group by ${topOf} order by place limit ${rank.most})`
  const first = top.map((key) => (rank?.isRest ? `case when f.place is not null then g.${key} end` : `g.${key}`))
  const place = rank ? ['f.place', 'f.place is null'] : ['null::int', 'false']
  const names = [...first, ...keys.slice(width).map((key) => `g.${key}`)]
  const values = merged.slice(0, measures.length).map((sql, i) => `(${sql})::text as m${i}`)
  const shown = [...names.map((name, i) => `${name} as k${i}`), `${place[0]} as place`, `${place[1]} as o`, ...values]
  const total = [...names.map(() => 'null'), 'null', 'null', ...values]
  const rows = await run<SqlRow>(
    asking.context.db,
    `with g as materialized (${grouped})${ranked ?? ''}
    ${keys.length ? `(select false as is_total, ${shown.join(', ')} from g${rank ? ` left join f on ${areSame('f', 'g', top)}` : ''}${by([...names, ...(rank ? ['f.place'] : [])])} limit ${mostGroups + 1}) union all` : ''}
    select true as is_total, ${total.join(', ')} from g`,
    params,
  )
  return rows.map((row): Row => {
    const isRest = Boolean(rank?.isRest && row.o)
    return {
      keys: row.is_total ? [] : groupings.map((_, i) => row[`k${i}`] as string | null),
      isOther: isRest && !row.is_total,
      values: measures.map((_, i) => columns[i]!.read(row[`m${i}`] as string | null)),
      ...(rank && row.place && { place: Number(row.place) }),
    }
  })
}

/** Null equals null here, in a form that PostgreSQL can hash. */
const areSame = (a: string, b: string, keys: string[]) =>
  keys
    .map(
      (key) =>
        `coalesce(${a}.${key}, '') = coalesce(${b}.${key}, '') and (${a}.${key} is null) = (${b}.${key} is null)`,
    )
    .join(' and ')

/** Ranks first, then measures again with the groups that are kept. */
async function fromRecords(asking: Asking, groupings: Grouping[], measures: Measure[], rank: Rank | undefined) {
  if (rank && rank.width > 1) return fromPairs(asking, groupings, measures, rank)
  const keys = rank ? (await rankedKeys(asking, groupings.slice(0, 1), rank)).map(([key = null]) => key) : undefined
  const kept = rank?.isRest ? { keys: keys!.filter((key) => key !== null), hasEmpty: keys!.includes(null) } : undefined
  const [first, ...others] = groupings
  const rows = groupings.length
    ? await selected(asking, [{ ...first!, ...(kept && { kept }) }, ...others], measures)
    : []
  const totals = await selected(asking, [], measures)
  const placed = rows.map((row): Row => {
    const place = row.isOther || !keys ? -1 : keys.indexOf(row.keys[0]!)
    return place < 0 ? row : { ...row, place }
  })
  return [...placed, ...totals]
}

async function fromPairs(asking: Asking, groupings: Grouping[], measures: Measure[], rank: Rank) {
  const pairs = await rankedKeys(asking, groupings, rank)
  return [...(await selected(asking, groupings, measures, pairs)), ...(await selected(asking, [], measures))]
}

/** `pairs`: those that are kept; a record counts once in the rest, however many other pairs it is in. */
async function selected(asking: Asking, groupings: Grouping[], measures: Measure[], pairs?: (string | null)[][]) {
  const params = new Params()
  const columns = measures.map((measure) => columnOf(asking, measure, params))
  const needed = columns.map(({ value }) => value)
  const inner = pairs
    ? pairedSql(asking, groupings, needed, pairs, params)
    : innerSql(asking, groupings, needed, params)
  const names = [...namesOf(groupings), ...(pairs ? ['x.o'] : [])]
  const values = columns.map(({ sql }, i) => `(${sql(`x.v${i}`)})::text as m${i}`)
  const rows = await run<SqlRow>(
    asking.context.db,
    `select ${[...names, ...values].join(', ')} from (${inner}) x${names.length ? ` group by ${names.join(', ')}` : ''} limit ${mostGroups + 1}`,
    params,
  )
  return rows.map(
    (row): Row => ({
      keys: groupings.map((_, i) => row[`k${i}`] as string | null),
      isOther: Boolean(row.o),
      values: columns.map(({ read }, i) => read(row[`m${i}`] as string | null)),
    }),
  )
}

/** The records with the keys of kept pairs; all others belong to the rest. */
function pairedSql(
  asking: Asking,
  groupings: Grouping[],
  values: string[],
  pairs: (string | null)[][],
  params: Params,
) {
  const keys = groupings.map((_, i) => `k${i}`)
  const lists = keys.map((_, i) =>
    params.add(
      pairs.map((pair) => pair[i]),
      'text[]',
    ),
  )
  const columns = [
    'x.id',
    ...keys.map((key) => `case when f.n is not null then x.${key} end as ${key}`),
    'f.n is null as o',
    ...values.map((_, i) => `x.v${i}`),
  ]
  return `select distinct ${columns.join(', ')} from (${innerSql(asking, groupings, values, params, [], ['r.id'])}) x
    left join unnest(${lists.join(', ')}) with ordinality f(${[...keys, 'n'].join(', ')}) on ${areSame('f', 'x', keys)}`
}

async function rankedKeys(asking: Asking, groupings: Grouping[], { measure, descending, most }: Rank) {
  const params = new Params()
  const column = columnOf(asking, measure, params)
  const inner = innerSql(asking, groupings, [column.value], params)
  const keys = groupings.map((_, i) => `x.k${i}`).join(', ')
  const rows = await run<Record<string, string | null>>(
    asking.context.db,
    `select ${keys} from (${inner}) x group by ${keys}
      order by ${column.sql('x.v0')} ${descending ? 'desc' : 'asc'} nulls last, ${keys} limit ${most}`,
    params,
  )
  return rows.map((row) => groupings.map((_, i) => row[`k${i}`] ?? null))
}

const namesOf = (groupings: Grouping[]) => [
  ...groupings.map((_, i) => `x.k${i}`),
  ...(groupings.some(({ kept }) => kept) ? ['x.o'] : []),
]

/** The records with their keys (k0, k1), whether the first belongs to the rest (o), and what is measured (v0, v1, ...). */
function innerSql(
  asking: Asking,
  groupings: Grouping[],
  values: string[],
  params: Params,
  more: string[] = [],
  also: string[] = [],
) {
  const keys = groupings.map(({ dimension, buckets, kept }, i) =>
    keySql(asking, dimension, buckets?.bucket, kept, `g${i}`, params),
  )
  const columns = [
    ...also,
    ...keys.map(({ key }, i) => `${key} as k${i}`),
    ...(groupings.some(({ kept }) => kept) ? [`${keys[0]!.isOther} as o`] : []),
    ...values.map((value, i) => `${value} as v${i}`),
  ]
  const where = [...asking.conditions(params), ...more].join(' and ')
  return `select ${columns.join(', ') || '1'} from records r ${keys.map(({ join }) => join).join(' ')} where ${where}`
}

export type Unconverted = { keys: (string | null)[]; isOther: boolean; currency: string; count: number; sum: number }

/** Amounts without a rate, by group and currency. */
export async function unconverted(
  asking: Asking,
  groupings: Grouping[],
  measure: Extract<Measure, { field: unknown }>,
) {
  const params = new Params()
  const step: Step = { objects: [asking.object.key], field: measure.field }
  const key = params.add(measure.field.key, 'text')
  const values = [`r.values -> ${key} ->> 'currency'`, `(r.values -> ${key} ->> 'amount')::numeric`]
  const inner = innerSql(asking, groupings, values, params, [
    isUnconverted(asking, step, params),
    ...(measure.name === 'sum_not_lost' ? [isNotLost(asking, params)] : []),
  ])
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
