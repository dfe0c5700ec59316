// The groups without records: every option, and every period in the range of the filter or between the first and last.

import { mostGroups } from '../../../contract/aggregates.ts'
import { dayOf, midnightOf } from '../../../contract/filter/days.ts'
import type { Interval, Resolved } from '../../../contract/filter/index.ts'
import { localDay } from '../../../contract/filter/zones.ts'
import { dayMs } from '../../platform/times.ts'
import type { Grouping } from './measured.ts'
import { periodsBetween } from './periods.ts'
import { type Asking, type Dimension, tooManyGroups } from './question.ts'

/** The keys, as SQL returns them, of all groups that could be there. */
export function emptyKeys(asking: Asking, { dimension, buckets }: Grouping, used: (string | null)[]): string[] {
  const { field, period } = dimension
  if (field.type === 'boolean') return ['true', 'false']
  if (field.options) return field.options.map(({ key }) => key)
  if (!period || !buckets) return []
  const days = used.flatMap((key) => (key === null ? [] : [buckets.dayOf(key)])).toSorted()
  const range = rangeIn(asking, dimension)
  const [first, last] = [range.first ?? days[0], range.last ?? days.at(-1)]
  if (first === undefined || last === undefined) return []
  const all = periodsBetween(first, last, period, asking.schema.first_weekday, mostGroups + 1)
  if (all.length > mostGroups) throw tooManyGroups()
  return all.map((day) => buckets.keyOf(day))
}

/** The first and last day that the filter itself names for the field. */
function rangeIn({ resolved, schema }: Asking, { field, steps }: Dimension): { first?: string; last?: string } {
  if (steps.length > 1) return {}
  const intervals = intervalsIn(resolved, field.key)
  const isTime = field.type === 'datetime'
  const dayAt = (bound: string | number, shift: number) =>
    isTime
      ? localDay(Date.parse(String(bound)) + shift, schema.time_zone)
      : dayOf(midnightOf(String(bound)) + shift * dayMs)
  const firsts = intervals.flatMap(({ gte, gt }) =>
    gte !== undefined ? dayAt(gte, 0) : gt !== undefined ? dayAt(gt, 1) : [],
  )
  const lasts = intervals.flatMap(({ lte, lt }) =>
    lte !== undefined ? dayAt(lte, 0) : lt !== undefined ? dayAt(lt, -1) : [],
  )
  const [first, last] = [firsts.toSorted().at(-1), lasts.toSorted()[0]]
  return { ...(first && { first }), ...(last && { last }) }
}

function intervalsIn(resolved: Resolved | undefined, key: string): Interval[] {
  if (resolved?.kind === 'and') return resolved.parts.flatMap((part) => intervalsIn(part, key))
  if (resolved?.kind !== 'test' || resolved.path.length > 1 || resolved.path[0]!.field.key !== key) return []
  return resolved.test.kind === 'within' && resolved.test.intervals.length === 1 ? resolved.test.intervals : []
}
