// Answers a question about numbers: measures, ranks, fills in and names the groups.
import { mostGroups } from '../../../contract/aggregates.ts'
import { type Filter, print } from '../../../contract/filter/index.ts'
import { bucketsOf } from './buckets.ts'
import { emptyKeys } from './fill.ts'
import { type Named, named } from './labels.ts'
import { type Grouping, measured, type Rank, type Row, type Unconverted, unconverted } from './measured.ts'
import type { Value } from './measures.ts'
import { type Asking, type Dimension, type Measure, type Question, tooManyGroups } from './question.ts'

type MoneyMeasure = Extract<Measure, { field: unknown }>

export async function answered(asking: Asking, question: Question) {
  const { measures, dimensions } = question
  const groupings: Grouping[] = []
  for (const dimension of dimensions) groupings.push({ dimension, buckets: await bucketsOf(asking, dimension) })
  const summed = summedMoney(measures)
  const checks = summed.map(({ field }): Measure => ({ text: '', name: 'unconverted', field }))
  const { totals, groups } = await measured(asking, groupings, [...measures, ...checks], rankOf(question))
  const ranked = new Map<string | null, number>(
    groups.flatMap(({ keys, place }) => (place === undefined ? [] : [[keys[0]!, place] as const])),
  )
  const isByPair = question.isByPair ?? false
  if (question.top !== undefined && groupings[0] && !isByPair) {
    const keys = [...ranked.keys()]
    groupings[0] = { ...groupings[0], kept: { keys: keys.filter((key) => key !== null), hasEmpty: ranked.has(null) } }
  }
  const isWhole = !isByPair || question.top === undefined
  const rows = question.fill && isWhole ? filled(asking, question, groupings, groups) : groups
  const incomplete = summed.filter((_, i) => Number(totals.values[measures.length + i]) > 0)
  const rests = await unconvertedOf(asking, groupings, incomplete)
  const names: Map<string | null, Named>[] = []
  for (const [i, grouping] of groupings.entries()) {
    const keys = rows.map(({ keys }) => keys[i]!)
    names.push(await named(asking, grouping, keys))
  }
  const isMoney = measures.some((measure) => 'field' in measure && measure.field.type === 'money')
  const isTimed = dimensions.some(({ field }) => field.type === 'datetime')
  const isRest = (row: Row, i: number) => row.isOther && (i === 0 || isByPair)
  const filterOfRest = isByPair ? exceptPairs(rows, names, groupings) : undefined
  const shown = (row: Row) => ({
    keys: row.keys.map((key, i) => (isRest(row, i) ? null : names[i]!.get(key)!.key)),
    labels: row.keys.map((key, i) => (isRest(row, i) ? 'Other' : names[i]!.get(key)!.label)),
    is_other: row.isOther,
    values: valuesOf(measures, row.values),
    unconverted: row.isOther && isByPair ? addedUp(outside(rows, rests.groups)) : restsOf(row, rests.groups),
    filter: question.hasFilters ? (isByPair && row.isOther ? filterOfRest! : filterOf(row, names, groupings)) : null,
  })
  return {
    totals: valuesOf(measures, totals.values),
    groups: rows.toSorted(comparing(question, names, ranked)).map(shown),
    currency: isMoney ? asking.schema.currency : null,
    time_zone: isTimed ? asking.schema.time_zone : null,
    unconverted: rests.totals.map(withoutKeys),
  }
}

const valuesOf = (measures: Measure[], values: Value[]) =>
  Object.fromEntries(measures.map(({ text }, i) => [text, values[i] ?? null]))

/** Needed if only the first groups are kept, or if subtotals decide the order. */
function rankOf({ order, top, measures, dimensions, isByPair }: Question): Rank | undefined {
  const isNeeded = top !== undefined || (!isByPair && order.by !== 'key' && dimensions.length > 1)
  if (!dimensions.length || !isNeeded) return undefined
  const [measure, descending] = order.by === 'key' ? [measures[0]!, true] : [order.by, order.descending]
  const width = isByPair ? dimensions.length : 1
  return { measure, descending, most: top ?? mostGroups + 1, width, isRest: top !== undefined }
}

type Rest = Unconverted & { field: string }

/** A measure of each money field. Where one of them leaves out lost deals, so does this one. */
function summedMoney(measures: Measure[]): MoneyMeasure[] {
  const isSummed = (measure: Measure): measure is MoneyMeasure =>
    'field' in measure && measure.field.type === 'money' && measure.name !== 'filled'
  const summed = measures.filter(isSummed).toSorted((a, b) => Number(isPartial(a)) - Number(isPartial(b)))
  return [...new Map(summed.map((measure) => [measure.field.key, measure])).values()]
}

async function unconvertedOf(asking: Asking, groupings: Grouping[], measures: MoneyMeasure[]) {
  const [totals, groups]: [Rest[], Rest[]] = [[], []]
  for (const measure of measures) {
    const field = measure.field.key
    const whole = await unconverted(asking, [], measure)
    totals.push(...whole.map((rest) => ({ ...rest, field })))
    if (!whole.length || !groupings.length) continue
    groups.push(...(await unconverted(asking, groupings, measure)).map((rest) => ({ ...rest, field })))
  }
  return { totals, groups }
}

const isPartial = ({ name }: Measure) => name === 'sum_not_lost'

const isSame = (a: Pick<Row, 'keys' | 'isOther'>, b: Row) =>
  a.isOther === b.isOther && a.keys.every((key, i) => key === b.keys[i])
const restsOf = (row: Row, rests: Rest[]) => rests.flatMap((rest) => (isSame(rest, row) ? [withoutKeys(rest)] : []))
/** Those of pairs that are not kept. */
const outside = (rows: Row[], rests: Rest[]) => rests.filter((rest) => !rows.some((row) => isSame(rest, row)))
const withoutKeys = ({ field, currency, count, sum }: Rest) => ({ field, currency, count, sum })

const addedUp = (rests: Rest[]) =>
  [...Map.groupBy(rests, ({ field, currency }) => `${field} ${currency}`).values()].map((alike) => ({
    ...withoutKeys(alike[0]!),
    count: alike.reduce((all, { count }) => all + count, 0),
    sum: alike.reduce((all, { sum }) => all + sum, 0),
  }))

/** With the groups that have no records: of the first grouping, in combination with those of the second. */
function filled(asking: Asking, { measures }: Question, groupings: Grouping[], rows: Row[]): Row[] {
  const keysOf = (i: number) => {
    const used = rows.flatMap((row) => (i === 0 && row.isOther ? [] : [row.keys[i]!]))
    const isKept = groupings[i]!.kept !== undefined
    return [...new Set([...used, ...(isKept ? [] : emptyKeys(asking, groupings[i]!, used))])]
  }
  if (!groupings.length) return rows
  const [first, second] = groupings.map((_, i) => keysOf(i)) as [(string | null)[], (string | null)[]?]
  const known = new Set(rows.map(({ keys, isOther }) => JSON.stringify([keys, isOther])))
  const nothing = measures.map(({ name }) => (name === 'average' || name === 'min' || name === 'max' ? null : 0))
  const missing = first
    .flatMap((key) => (second ? second.map((other) => [key, other]) : [[key]]))
    .filter((keys) => !known.has(JSON.stringify([keys, false])))
    .map((keys): Row => ({ keys, isOther: false, values: nothing }))
  if (rows.length + missing.length > mostGroups) throw tooManyGroups()
  return [...rows, ...missing]
}

/** The rest comes last, after empty keys. Where the first grouping decides, the second is in the order of its keys. */
function comparing(
  { order, measures, isByPair }: Question,
  names: Map<string | null, Named>[],
  ranked: Map<string | null, number>,
) {
  const way = order.descending ? -1 : 1
  const byKey = (i: number, sign: number) => (a: Row, b: Row) => {
    const [one, other] = [a, b].map((row) => row.keys[i]!)
    if (one === other) return 0
    if (one === null || other === null) return one === null ? 1 : -1
    return sign * compared(names[i]!.get(one!)!.place, names[i]!.get(other!)!.place)
  }
  const by = order.by === 'key' ? -1 : measures.indexOf(order.by)
  const byMeasure = (a: Row, b: Row) => {
    const [one, other] = [a, b].map((row) => row.values[by] ?? null)
    if (one === other) return 0
    if (one === null || other === null) return one === null ? 1 : -1
    return way * compared(one!, other!)
  }
  const placeOf = (row: Row) => ranked.get(row.keys[0]!) ?? mostGroups + 1
  return (a: Row, b: Row) =>
    Number(a.isOther) - Number(b.isOther) ||
    (by < 0 ? byKey(0, way)(a, b) : ranked.size && !isByPair ? placeOf(a) - placeOf(b) : byMeasure(a, b)) ||
    byKey(0, 1)(a, b) ||
    (names.length > 1 ? byKey(1, 1)(a, b) : 0)
}

const collator = new Intl.Collator('en', { sensitivity: 'base', numeric: true })
const compared = (a: string | number, b: string | number) =>
  typeof a === 'number' && typeof b === 'number' ? a - b : collator.compare(String(a), String(b))

/** What selects exactly the records of a group. */
function filterOf(row: Row, names: Map<string | null, Named>[], groupings: Grouping[]) {
  const parts = row.keys.map((key, i) =>
    i === 0 && row.isOther ? otherFilter(groupings[0]!, names[0]!) : names[i]!.get(key)!.filter,
  )
  if (!parts.every((part) => part !== undefined)) return null
  return print({ and: parts.flatMap((part) => ('and' in part ? part.and : [part])) })
}

/** All but these pairs. With several values, a record can be in a kept pair and in another one. */
function exceptPairs(rows: Row[], names: Map<string | null, Named>[], groupings: Grouping[]) {
  if (groupings.some(({ dimension }) => dimension.isMulti)) return null
  const pairs = rows
    .filter(({ isOther }) => !isOther)
    .map(({ keys }) => keys.map((key, i) => names[i]!.get(key)!.filter))
  if (!pairs.every((parts) => parts.every((part) => part !== undefined))) return null
  const kept = pairs.map((parts): Filter => ({ and: parts as Filter[] }))
  return print({ not: kept.length === 1 ? kept[0]! : { or: kept } })
}

/** All but the kept groups. A record with several values can be in both, so there the other options are listed. */
function otherFilter({ dimension, kept }: Grouping, names: Map<string | null, Named>): Filter | undefined {
  const { keys, hasEmpty } = kept!
  if (dimension.isMulti) return otherOptions(dimension, keys, hasEmpty)
  const filters = [...keys, ...(hasEmpty ? [null] : [])].map((key) => names.get(key)!.filter)
  if (!filters.every((filter) => filter !== undefined)) return undefined
  return { not: filters.length === 1 ? filters[0]! : { or: filters } }
}

function otherOptions({ path, field }: Dimension, keys: string[], hasEmpty: boolean): Filter | undefined {
  if (!field.options) return undefined
  const others = field.options.map(({ key }) => key).filter((key) => !keys.includes(key))
  const isOther: Filter[] = others.length ? [{ field: path, op: 'has_any', value: others }] : []
  const all: Filter[] = hasEmpty ? isOther : [...isOther, { field: path, op: 'is_empty' }]
  return all.length === 1 ? all[0]! : { or: all }
}
