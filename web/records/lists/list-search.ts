// The state of a list in its URL: everything that another user needs to see the same list.

import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { isDay } from '../../../contract/filter/days.ts'
import { print } from '../../../contract/filter/print.ts'
import type { contract } from '../../../contract/index.ts'
import type { Input, Output } from '../../../contract/operation.ts'
import { own } from '../../../contract/shared/own.ts'
import { columnCalculations, groupPeriods, viewTypes } from '../../../contract/views.ts'
import { api } from '../../client/api.ts'
import { allItems } from '../../client/pages.ts'
import { isRecordId } from '../data/records-api.ts'

export type Column = { key: string; width?: number; pinned?: boolean; calculation?: Calculation }
export type Calculation = (typeof columnCalculations)[number]
export type Layout = View['layout']
export type ViewType = View['type']
export type GroupBy = NonNullable<View['group_by']>
export const spans = ['month', 'week', 'agenda'] as const
export type Span = (typeof spans)[number]
export type ListSearch = {
  view?: string
  filter?: string
  /** Words that the records contain, besides the filter. */
  q?: string
  /** -score,last_name */
  sort?: string
  /** !title:320,emails,amount:160~sum where ! is pinned, a number the width, and a word after ~ the calculation. */
  columns?: string
  /** A table unless it says otherwise. */
  type?: ViewType
  /** The field of groups, of a board or of a calendar: stage, or expected_close:month. "none": no groups. */
  by?: string
  /** The groups that are collapsed, by their keys. */
  collapsed?: string
  layout?: Layout
  /** The day that a calendar shows, and how much around it; not part of a view. */
  day?: string
  span?: Span
  /** The record that is open beside the list. */
  record?: string
}

const text = (value: unknown) =>
  typeof value === 'string'
    ? value
    : typeof value === 'number' || typeof value === 'boolean'
      ? String(value)
      : undefined

export function readListSearch(search: Record<string, unknown>): ListSearch {
  const layout = search.layout === 'compact' || search.layout === 'comfortable' ? search.layout : undefined
  const { view, filter, q, sort, columns, by, collapsed, record } = search
  const all = {
    view: text(view),
    filter: text(filter),
    q: text(q)?.slice(0, longestSearch),
    sort: text(sort),
    columns: text(columns),
    type: viewTypes.find((one) => one === search.type),
    by: text(by),
    collapsed: text(collapsed),
    layout,
    day: isDay(String(search.day)) ? String(search.day) : undefined,
    span: spans.find((one) => one === search.span),
    record: isRecordId(String(record)) ? String(record) : undefined,
  }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}

/** So long that the search and the longest filter are still one filter. */
const longestSearch = 200

/** The filter and the search as one filter. */
export function askedFilter(filter: string, q = '') {
  const search = q.trim() && print({ search: q.trim() })
  if (!search || !filter) return search || filter
  return `(${filter}) and ${search}`
}

export const readSort = (sort: string) => sort.split(',').filter(Boolean)
export const writeSort = (sort: string[]) => sort.join(',')

/** No field is called none: it would be a reserved word in filters. */
const noGroups = 'none'
export const readGroupBy = (by: string): GroupBy | null => {
  const [field = '', period] = by.split(':')
  if (field === noGroups || !field) return null
  const known = groupPeriods.find((one) => one === period)
  return { field, ...(known && { period: known }) }
}
export const writeGroupBy = (by: GroupBy | null) => (by ? `${by.field}${by.period ? `:${by.period}` : ''}` : noGroups)

export const writeColumns = (columns: Column[]) =>
  columns
    .map(
      ({ key, width, pinned, calculation }) =>
        `${pinned ? '!' : ''}${key}${width ? `:${width}` : ''}${calculation ? `~${calculation}` : ''}`,
    )
    .join(',')

/** Room for a face, a letter and the sign that more follows. */
export const narrowest = 80
const widest = 1200
export const fitting = (width: number) => Math.round(Math.min(widest, Math.max(narrowest, width)))

export function readColumns(written: string): Column[] {
  return written
    .split(',')
    .filter(Boolean)
    .map((one) => {
      const [place = '', word] = one.replace(/^!/, '').split('~')
      const [key = '', width] = place.split(':')
      const wide = Number(width)
      const calculation = columnCalculations.find((known) => known === word)
      return {
        key,
        ...(wide > 0 && { width: fitting(wide) }),
        ...(one.startsWith('!') && { pinned: true }),
        ...(calculation && { calculation }),
      }
    })
}

/** What the server is asked for beyond the record itself, for columns such as `organization.country`. */
export function askedFields(columns: Column[]) {
  const paths = columns.map(({ key }) => key).filter((key) => key.includes('.'))
  if (!paths.length) return undefined
  return [...new Set(['*', ...paths.flatMap((path) => [`${path.split('.')[0]}.title`, path])])]
}

export type View = Output<typeof contract.createView>

export const viewsQuery = (object: string) =>
  queryOptions({
    queryKey: ['views', object],
    queryFn: async () => allItems((cursor) => api.listViews({ object, cursor })),
    staleTime: 60_000,
  })

export function useViewChange<In, Out>(send: (input: In) => Promise<Out>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: send,
    // Awaited: what comes next looks for the view in the list.
    onSuccess: () => client.invalidateQueries({ queryKey: ['views'] }),
  })
}

export type NewView = Input<typeof contract.createView>

// How lists looked last, kept in this browser.

const place = 'kith.records'
type Remembered = { lists?: Record<string, ListSearch> }

function read(): Remembered {
  try {
    return (JSON.parse(localStorage.getItem(place) ?? '{}') as Remembered | null) ?? {}
  } catch {
    return {}
  }
}

export const lastList = (object: string): ListSearch => own(read().lists ?? {}, object) ?? {}

/** Without filter and search: a list that looks empty because of an old filter misleads. */
export function remember(object: string, { record: _, filter: __, q: ___, day: ____, ...search }: ListSearch) {
  const lists = { ...read().lists, [object]: search }
  try {
    localStorage.setItem(place, JSON.stringify({ lists }))
  } catch {
    // A browser that keeps nothing still shows lists.
  }
}

/** Where the way back from a record leads, in this tab: to the list as it was, with its filter and search. */
type WayBack = { search: ListSearch; asked: string; sort: string[] }

const wayBackOf = (object: string) => `kith.way-back.${object}`

export function rememberWayBack(object: string, { search: { record: _, ...search }, asked, sort }: WayBack) {
  try {
    sessionStorage.setItem(wayBackOf(object), JSON.stringify({ search, asked, sort }))
  } catch {
    // Then it leads to the whole list.
  }
}

export function wayBack(object: string): WayBack {
  const whole = { search: lastList(object), asked: '', sort: [] }
  try {
    return (JSON.parse(sessionStorage.getItem(wayBackOf(object)) ?? 'null') as WayBack | null) ?? whole
  } catch {
    return whole
  }
}
