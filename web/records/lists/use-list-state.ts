import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { ObjectShape } from '../data/schema.ts'
import {
  askedFilter,
  type Column,
  type GroupBy,
  type Layout,
  type ListSearch,
  readColumns,
  readGroupBy,
  readSort,
  remember,
  rememberWayBack,
  type View,
  type ViewType,
  viewsQuery,
  writeColumns,
  writeGroupBy,
  writeSort,
} from './list-search.ts'
import { usualColumns } from './use-columns.ts'

type Content = {
  filter: string
  sort: string[]
  columns: Column[]
  type: ViewType
  groupBy: GroupBy | null
  collapsed: string[]
  layout: Layout
}
export type ListState = ReturnType<typeof useListState>

/** The list as the address has it: what it does not say comes from the view, and then from the object. */
export function useListState(object: ObjectShape, search: ListSearch) {
  const navigate = useNavigate()
  const { data: views } = useSuspenseQuery(viewsQuery(object.key))
  const view = views.find(({ id }) => id === search.view)
  const base = useMemo(() => contentOf(object, view), [object, view])
  const columns = useMemo(() => columnsIn(search.columns, base), [search.columns, base])
  const sort = useMemo(() => sortIn(search.sort, base), [search.sort, base])
  const groupBy = useMemo(() => groupByIn(search.by, base), [search.by, base])
  const collapsed = useMemo(() => collapsedIn(search.collapsed, base), [search.collapsed, base])
  const [isUnshared, setUnshared] = useState(false)

  const state = useMemo(() => {
    const content: Content = { ...contentIn(search, base), columns, sort, groupBy, collapsed }
    const isPersonal = view?.is_shared === false
    // What is as in the view need not stand in the address, but for a view that nobody else has.
    const inAddress = (next: Content) => (isPersonal ? fullSearch(next, base) : differences(next, base))
    /** From what the address says by now: it may have changed since the list was drawn. */
    const go = (next: (now: ListSearch) => ListSearch, replace: boolean) =>
      void navigate({
        to: '/records/$object',
        params: { object: object.key },
        search: (now: ListSearch) => readListSearchOf(next(now)),
        replace,
        resetScroll: false,
      })
    return {
      ...content,
      q: search.q ?? '',
      /** What the server is asked for: the filter and the search. */
      asked: askedFilter(content.filter, search.q),
      /** The next letter is no step to go back to. */
      search: (q: string) => go((now) => ({ ...now, q: q || undefined }), search.q !== undefined),
      views,
      view,
      /** Does the list show something else than the view? */
      isChanged: Object.keys(differences(content, base)).length > 0,
      /** Does a view that nobody else has show something that the address does not say? */
      isUntold:
        isPersonal &&
        Object.keys(fullSearch(content, base)).some((key) => search[key as keyof ListSearch] === undefined),
      tell: () => go(({ record, q }) => ({ view: view?.id, record, q, ...inAddress(content) }), true),
      record: search.record,
      day: search.day,
      span: search.span,
      /** Another day or span of a calendar. */
      show: (shown: Pick<ListSearch, 'day' | 'span'>) => go((now) => ({ ...now, ...shown }), true),
      /** The address named a view that one does not have. */
      isUnshared,
      forgetUnshared: () => setUnshared(false),
      /** The address of the list with all that it shows, for those who do not have the view. */
      link: () => linkTo(object, { view: view?.id, q: search.q, ...fullSearch(content, base) }),
      /** Other columns are no step to go back to. */
      change: (patch: Partial<Content>) => {
        const isStep = patch.filter !== undefined || patch.sort !== undefined || patch.type !== undefined
        const changed = (now: ListSearch) => inAddress({ ...contentIn(now, base), ...patch })
        go(({ record, q, day, span, ...now }) => ({ view: view?.id, record, q, day, span, ...changed(now) }), !isStep)
      },
      /** From one open record to the next is no step to go back to. */
      open: (id: string | undefined) =>
        go((now) => ({ ...now, record: id }), id !== undefined && search.record !== undefined),
      /** No filter, search or sort; other than what the view says, if need be. */
      clear: () =>
        go(
          (now) => ({
            view: view?.id,
            record: now.record,
            ...inAddress({ ...contentIn(now, base), filter: '', sort: [] }),
          }),
          false,
        ),
      openView: (id: string | undefined) => go(() => ({ view: id }), false),
      dropView: () => go(({ view: _, ...now }) => now, true),
      /** Back to what the view says. */
      reset: () => go(({ q }) => ({ view: view?.id, q }), false),
    }
  }, [object, search, views, view, base, columns, sort, groupBy, collapsed, isUnshared, navigate])

  const remembered = view && !state.isChanged ? { view: view.id } : search
  // biome-ignore lint/correctness/useExhaustiveDependencies: by content
  useEffect(() => remember(object.key, remembered), [object.key, JSON.stringify(remembered)])
  const { asked } = state
  useEffect(() => rememberWayBack(object.key, { search, asked, sort }), [object.key, search, asked, sort])
  useUnshared(object, search, view, setUnshared, state.dropView)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each view that one comes to
  useEffect(() => {
    if (state.isUntold) state.tell()
  }, [state.isUntold, view?.id])
  return state
}

/** Users who open a link to a view they cannot access must not mistake the list for that view. */
function useUnshared(
  object: ObjectShape,
  { view: id }: ListSearch,
  view: View | undefined,
  setUnshared: (isUnshared: boolean) => void,
  drop: () => void,
) {
  const client = useQueryClient()
  const had = useRef<string>(undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each view that the address names
  useEffect(() => {
    if (view) {
      had.current = view.id
      setUnshared(false)
    }
    if (view || id === undefined) return
    let isOver = false
    // It may have been shared since the views were asked for.
    const views = client.fetchQuery({ ...viewsQuery(object.key), staleTime: 5000 })
    const look = (all: View[]) => {
      if (isOver || all.some((one) => one.id === id)) return
      // One that was there until now was deleted, which its owner knows.
      setUnshared(had.current !== id)
      drop()
    }
    views.then(look, () => {})
    return () => {
      isOver = true
    }
  }, [id, view?.id])
}

const linkTo = (object: ObjectShape, search: ListSearch) => {
  const given = Object.entries(readListSearchOf(search)).map(([key, value]) => [key, String(value)])
  return `${location.origin}/records/${object.key}?${new URLSearchParams(given)}`
}

const readListSearchOf = (search: ListSearch) =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as ListSearch

function contentOf(object: ObjectShape, view: View | undefined): Content {
  const usual = usualColumns(object)
  if (!view)
    return { filter: '', sort: [], columns: usual, type: 'table', groupBy: null, collapsed: [], layout: 'comfortable' }
  const { filter, sort, type, group_by: groupBy, collapsed, layout } = view
  const columns = view.columns.length ? (view.columns as Column[]) : usual
  return { filter: filter ?? '', sort, columns, type, groupBy, collapsed, layout }
}

const columnsIn = (columns: string | undefined, base: Content) =>
  columns === undefined ? base.columns : readColumns(columns)
const sortIn = (sort: string | undefined, base: Content) => (sort === undefined ? base.sort : readSort(sort))
const groupByIn = (by: string | undefined, base: Content) => (by === undefined ? base.groupBy : readGroupBy(by))
const collapsedIn = (collapsed: string | undefined, base: Content) =>
  collapsed === undefined ? base.collapsed : readCollapsed(collapsed)

function contentIn({ filter, sort, columns, type, by, collapsed, layout }: ListSearch, base: Content): Content {
  return {
    filter: filter ?? base.filter,
    sort: sortIn(sort, base),
    columns: columnsIn(columns, base),
    type: type ?? base.type,
    groupBy: groupByIn(by, base),
    collapsed: collapsedIn(collapsed, base),
    layout: layout ?? base.layout,
  }
}

/** As an address has them: the group without a value is "-". */
const readCollapsed = (text: string) =>
  text
    .split(',')
    .filter(Boolean)
    .map((key) => (key === '-' ? '' : key))
const writeCollapsed = (keys: string[]) => keys.map((key) => key || '-').join(',')

function differences(now: Content, base: Content): ListSearch {
  const [mine, theirs] = [written(now), written(base)]
  return Object.fromEntries(Object.entries(mine).filter(([key, value]) => theirs[key as keyof typeof theirs] !== value))
}

/** All that someone without the view must know. What an ordinary table has need not be said. */
function fullSearch(content: Content, base: Content): ListSearch {
  const { type, by, collapsed, ...rest } = written(content)
  const usual = written({ ...base, type: 'table', groupBy: null, collapsed: [] })
  const special = Object.entries({ type, by, collapsed }).filter(
    ([key, value]) => value !== usual[key as keyof typeof usual] || value !== written(base)[key as keyof typeof usual],
  )
  return { ...rest, ...Object.fromEntries(special) }
}

const written = (content: Content) => ({
  filter: content.filter,
  sort: writeSort(content.sort),
  columns: writeColumns(content.columns),
  type: content.type,
  by: writeGroupBy(content.groupBy),
  collapsed: writeCollapsed(content.collapsed),
  layout: content.layout,
})
