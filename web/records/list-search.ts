// The state of a list in its URL: everything that another user needs to see the same list.

import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { print } from '../../contract/filter/index.ts'
import type { contract } from '../../contract/index.ts'
import type { Input, Output } from '../../contract/operation.ts'
import { own } from '../../contract/own.ts'
import { api } from '../client/api.ts'
import { isRecordId } from './records-api.ts'

export type Column = { key: string; width?: number; pinned?: boolean }
export type Layout = View['layout']
export type ListSearch = {
  view?: string
  filter?: string
  /** Words that the records contain, besides the filter. */
  q?: string
  /** -score,last_name */
  sort?: string
  /** !title:320,emails,status:160 where ! is pinned and a number the width. */
  columns?: string
  layout?: Layout
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
  const { view, filter, q, sort, columns, record } = search
  const all = {
    view: text(view),
    filter: text(filter),
    q: text(q)?.slice(0, longestSearch),
    sort: text(sort),
    columns: text(columns),
    layout,
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

export const writeColumns = (columns: Column[]) =>
  columns.map(({ key, width, pinned }) => `${pinned ? '!' : ''}${key}${width ? `:${width}` : ''}`).join(',')

/** Room for a face, a letter and the sign that more follows. */
export const narrowest = 80
const widest = 1200
export const fitting = (width: number) => Math.round(Math.min(widest, Math.max(narrowest, width)))

export function readColumns(written: string): Column[] {
  return written
    .split(',')
    .filter(Boolean)
    .map((one) => {
      const [key = '', width] = one.replace(/^!/, '').split(':')
      const wide = Number(width)
      return { key, ...(wide > 0 && { width: fitting(wide) }), ...(one.startsWith('!') && { pinned: true }) }
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
    queryFn: async () => (await api.listViews({ object })).items,
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
export function remember(object: string, { record: _, filter: __, q: ___, ...search }: ListSearch) {
  const lists = { ...read().lists, [object]: search }
  try {
    localStorage.setItem(place, JSON.stringify({ lists }))
  } catch {
    // A browser that keeps nothing still shows lists.
  }
}
