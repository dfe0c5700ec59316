// A list in groups: rows are sorted by group, and each group has a heading. Rows of collapsed groups are not asked for.
import { useMemo } from 'react'
import { print } from '../../../../contract/filter/index.ts'
import { periodOf } from '../../../../contract/filter/moments.ts'
import { clockAt } from '../../../../contract/filter/zones.ts'
import type { ObjectColor } from '../../../../contract/objects.ts'
import { dateFormat } from '../../../../contract/shared/date-format.ts'
import { inSentence } from '../../../../contract/shared/in-sentence.ts'
import { useSignedIn } from '../../../client/session.ts'
import type { RecordShape } from '../../../records/data/records-api.ts'
import type { FieldShape, ObjectShape } from '../../../records/data/schema.ts'
import { asDate, optionOf, shownLanguage } from '../../../records/data/value-text.ts'
import type { AggregateGroup, Aggregates } from '../../../records/lists/calculations.ts'
import { conditionOf, groupFields } from '../../../records/lists/display-fields.ts'
import type { GroupBy } from '../../../records/lists/list-search.ts'
import type { ListState } from '../../../records/lists/use-list-state.ts'
import type { Rows } from '../../../records/lists/use-rows.ts'

type Period = NonNullable<GroupBy['period']>
/** `text`: as the server is asked for it. `keyOf`: the group of a record; '' is the one without a value. */
export type Grouping = {
  field: FieldShape
  period: Period | undefined
  text: string
  keyOf: (record: RecordShape) => string
}
export type Group = {
  key: string
  label: string
  color?: ObjectColor | undefined
  isCollapsed: boolean
  numbers?: AggregateGroup
}
export type Line = { group: Group } | { row: number }
/** `list`: nothing if the list has no groups, and each line is a row. */
export type Lines = {
  list: Line[] | undefined
  count: number
  lineOf: (row: number) => number
  rowAt: (line: number) => number
}

/** By options, users and months. */
const isTime = ({ type }: FieldShape) => type === 'date' || type === 'datetime'

export function useGrouping(object: ObjectShape, state: ListState): Grouping | undefined {
  const { company } = useSignedIn()
  const { groupBy, type } = state
  return useMemo(() => {
    const field = type === 'table' ? groupFields(object).find(({ key }) => key === groupBy?.field) : undefined
    if (!field) return undefined
    const period = isTime(field) ? (groupBy?.period ?? 'month') : undefined
    const dayOf = (value: string) =>
      field.type === 'date' ? value : new Date(clockAt(Date.parse(value), company.time_zone)).toISOString().slice(0, 10)
    const keyOf = (record: RecordShape) => {
      const value = record[field.key]
      if (value === null || value === undefined || value === '') return ''
      return period ? periodOf(dayOf(String(value)), period, company.first_weekday) : String(value)
    }
    return { field, period, text: period ? `${period}(${field.key})` : field.key, keyOf }
  }, [object, groupBy, type, company.time_zone, company.first_weekday])
}

/** What the rows are asked for: sorted by group, without those of collapsed groups. */
export function groupedQuestion(grouping: Grouping | undefined, state: ListState, numbers: Aggregates | undefined) {
  const { asked, sort, collapsed } = state
  if (!grouping) return { filter: asked, sort }
  const { key } = grouping.field
  const hidden = collapsed.flatMap((group) => {
    const known = numbers?.groups.find(({ keys }) => String(keys[0] ?? '') === group)?.filter
    if (known) return [`not (${known})`]
    return grouping.period ? [] : [print({ not: conditionOf(grouping.field, group || null) })]
  })
  const own = sort.find((one) => one.replace('-', '') === key) ?? key
  const others = sort.filter((one) => one !== own)
  return {
    filter: [...(asked && hidden.length ? [`(${asked})`] : asked ? [asked] : []), ...hidden].join(' and '),
    sort: [own, ...(others.length ? others : ['-created_at'])].slice(0, mostSorts),
  }
}

const mostSorts = 5

/** The rows with the headings of their groups. */
export function useLines(
  grouping: Grouping | undefined,
  rows: Rows,
  state: ListState,
  numbers: Aggregates | undefined,
): Lines {
  const { collapsed, sort } = state
  return useMemo(() => {
    if (!grouping) return plainLines(rows.rows.length)
    const { field } = grouping
    const isDown = sort.includes(`-${field.key}`)
    const known = sortedGroups(grouping, numbers, isDown)
    const groupOf = (key: string): Group => {
      const found = known.find((one) => keyIn(one) === key)
      const option = optionOf(field, key)
      return {
        key,
        label: labelOf(grouping, key, found),
        color: option?.color,
        isCollapsed: collapsed.includes(key),
        ...(found && { numbers: found }),
      }
    }
    const list: Line[] = []
    let [last, next]: [string | undefined, number] = [undefined, 0]
    const addCollapsed = (to: number) => {
      for (; next < to; next++)
        if (collapsed.includes(keyIn(known[next]!))) list.push({ group: groupOf(keyIn(known[next]!)) })
    }
    for (const [row, record] of rows.rows.entries()) {
      const key = grouping.keyOf(record)
      if (key !== last) {
        const place = known.findIndex((one) => keyIn(one) === key)
        if (last === undefined && rows.isFromEnd && !rows.isWhole) next = Math.max(0, place)
        addCollapsed(place)
        next = Math.max(next, place + 1)
        list.push({ group: groupOf(key) })
        last = key
      }
      list.push({ row })
    }
    if (rows.isWhole || rows.isFromEnd) addCollapsed(known.length)
    const lineOfRow = list.flatMap((line, index) => ('row' in line ? [index] : []))
    const rowAtLine: number[] = []
    for (let line = list.length - 1, row = rows.rows.length - 1; line >= 0; line--) {
      const one = list[line]!
      if ('row' in one) row = one.row
      rowAtLine[line] = Math.max(0, row)
    }
    return {
      list,
      count: list.length,
      lineOf: (row) => lineOfRow[row] ?? row,
      rowAt: (line) => rowAtLine[Math.min(line, list.length - 1)] ?? 0,
    }
  }, [grouping, rows.rows, rows.isWhole, rows.isFromEnd, collapsed, sort, numbers])
}

const plainLines = (count: number): Lines => ({ list: undefined, count, lineOf: (row) => row, rowAt: (line) => line })

const keyIn = ({ keys }: AggregateGroup) => String(keys[0] ?? '')

/** In the order of the rows: users by their IDs, and no value last whichever way. */
function sortedGroups({ field }: Grouping, numbers: Aggregates | undefined, isDown: boolean) {
  const groups = numbers?.groups ?? []
  const filled = groups.filter((one) => keyIn(one) !== '')
  const sorted = field.type === 'user' ? filled.toSorted((a, b) => (keyIn(a) < keyIn(b) ? -1 : 1)) : filled
  return [...(isDown ? sorted.toReversed() : sorted), ...groups.filter((one) => keyIn(one) === '')]
}

function labelOf({ field, period }: Grouping, key: string, known: AggregateGroup | undefined) {
  if (key === '') return `No ${inSentence(field.label)}`
  if (period) return periodName(key, period)
  return optionOf(field, key)?.label ?? known?.labels[0] ?? (known ? 'Removed user' : '…')
}

function periodName(day: string, period: Period) {
  if (period === 'year') return day.slice(0, 4)
  if (period === 'quarter') return `Q${Math.ceil(Number(day.slice(5, 7)) / 3)} ${day.slice(0, 4)}`
  if (period === 'week') return `Week of ${asDate(day)}`
  if (period === 'day') return asDate(day)
  const format = dateFormat(shownLanguage(), { month: 'long', year: 'numeric', timeZone: 'UTC' })
  return format.format(new Date(`${day}T12:00:00Z`))
}

export const toggled = (collapsed: string[], key: string) =>
  collapsed.includes(key) ? collapsed.filter((one) => one !== key) : [...collapsed, key]
