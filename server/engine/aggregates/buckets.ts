// Sorts the values of a date field into periods. The bounds of periods of times are computed here and not by PostgreSQL,
// which may know other time zone rules than the filters that lead to the same records.

import { mostGroups } from '../../../contract/aggregates.ts'
import { addDays, dayOf, midnightOf, momentText } from '../../../contract/filter/days.ts'
import { periodOf } from '../../../contract/filter/moments.ts'
import { localDay } from '../../../contract/filter/zones.ts'
import { Params, run } from '../../kernel/statement.ts'
import { type ScopedField, scopeOf } from '../rights/scope.ts'
import { isoTime } from '../values/from-row.ts'
import { type Bucket, keySql, objectsAt } from './keys.ts'
import { instantOf, nextPeriod, periodSql, periodsBetween } from './periods.ts'
import { type Asking, type Dimension, tooManyGroups } from './question.ts'

/** `bucket` gives keys in SQL; `dayOf` turns them into the first day of the period and `keyOf` back. */
export type Buckets = { bucket: Bucket; dayOf: (key: string) => string; keyOf: (day: string) => string }

/** With more periods than this, only those in which there are records are computed. */
const mostPeriods = 1500
const dayPattern = /^\d{4}-/

export async function bucketsOf(asking: Asking, dimension: Dimension): Promise<Buckets | undefined> {
  const { field, period } = dimension
  const { first_weekday } = asking.schema
  if (!period) return undefined
  if (field.type === 'date')
    return {
      bucket: (value) => periodSql(value, period, first_weekday),
      dayOf: (key) => (key.endsWith('BC') ? `0000${key.slice(4, 10)}` : key),
      keyOf: (day) => day,
    }
  const days = (await allPeriods(asking, dimension)) ?? (await usedPeriods(asking, dimension))
  const bounds = days.map((day) => momentText(instantOf(day, asking.schema.time_zone)))
  const storable = bounds.map((bound) => (bound < '0001' ? '-infinity' : bound))
  return {
    bucket: (value, isText, params) =>
      days.length
        ? `width_bucket(${value}, ${isText ? params.add(bounds, 'text[]') : params.add(storable, 'timestamptz[]')})`
        : // Names the value, because PostgreSQL refuses parameters that the statement does not use.
          `case when ${value} is null then null::int end`,
    // Only a record that was saved in between can be outside of all periods.
    dayOf: (key) => (dayPattern.test(key) ? key : days[Math.max(0, Number(key) - 1)]!),
    keyOf: (day) => (days.includes(day) ? String(days.indexOf(day) + 1) : day),
  }
}

/** All periods between the first and the last time that any record has, from the index; undefined if there are many. */
async function allPeriods(asking: Asking, dimension: Dimension): Promise<string[] | undefined> {
  const { time_zone, first_weekday } = asking.schema
  const { period } = dimension
  const ends: string[] = []
  for (const object of objectsAt(asking, dimension)) {
    const field = scopeOf(asking.schema, asking.actor)[object.key]!.fields.find(
      ({ key }) => key === dimension.field.key,
    ) as ScopedField
    const column = field.system?.column ?? field.own?.slot
    if (!column) return undefined
    const params = new Params()
    const conditions = `r.company_id = ${params.add(asking.actor.company_id, 'uuid')} and r.object_id = ${params.add(object.id, 'uuid')}
      and r.deleted_at is null and r.${column} is not null`
    const end = (way: string) =>
      `(select r.${column}::text from records r where ${conditions} order by r.${column} ${way} limit 1)`
    const [row] = await run<{ first: string | null; last: string | null }>(
      asking.context.db,
      `select ${end('asc')} as first, ${end('desc')} as last`,
      params,
    )
    if (row?.first && row.last) ends.push(isoTime(row.first), isoTime(row.last))
  }
  if (!ends.length) return []
  const [first, last] = [ends.toSorted()[0]!, ends.toSorted().at(-1)!].map((time) =>
    localDay(Date.parse(time), time_zone),
  )
  const days = periodsBetween(first!, last!, period!, first_weekday, mostPeriods)
  return days.length < mostPeriods ? withNext(days, dimension) : undefined
}

/** The periods around those, in UTC, in which there are records. */
async function usedPeriods(asking: Asking, dimension: Dimension): Promise<string[]> {
  const { first_weekday } = asking.schema
  const period = dimension.period!
  const params = new Params()
  const inUtc: Bucket = (value, isText) =>
    periodSql(isText ? `left(${value}, 10)` : `(${value} at time zone 'UTC')::date::text`, period, first_weekday)
  const { join, key } = keySql(asking, dimension, inUtc, undefined, 'g', params)
  // A period of a time zone is in two periods of UTC.
  const most = mostGroups * 2
  const rows = await run<{ day: string | null }>(
    asking.context.db,
    `select distinct ${key} as day from records r ${join} where ${asking.conditions(params).join(' and ')} limit ${most + 1}`,
    params,
  )
  if (rows.length > most) throw tooManyGroups()
  const near = rows.flatMap(({ day }) =>
    day
      ? [periodOf(dayOf(addDays(midnightOf(day), -1)), period, first_weekday), day, nextPeriod(day, period) ?? day]
      : [],
  )
  return withNext(near, dimension)
}

/** Each period needs an end, too. */
const withNext = (days: string[], { period }: Dimension) =>
  [...new Set(days.flatMap((day) => [day, nextPeriod(day, period!) ?? day]))].toSorted()
