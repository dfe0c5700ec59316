import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { ObjectShape } from '../../../records/schema.ts'
import { usualColumns } from './list-columns.ts'
import {
  type Column,
  type Layout,
  type ListSearch,
  readColumns,
  readSort,
  writeColumns,
  writeSort,
} from './list-search.ts'
import { remember } from './remembered.ts'
import { type View, viewsQuery } from './views.ts'

type Content = { filter: string; sort: string[]; columns: Column[]; layout: Layout }
export type ListState = ReturnType<typeof useListState>

/** The list as the address has it: what it does not say comes from the view, and then from the object. */
export function useListState(object: ObjectShape) {
  const search = useSearch({ strict: false }) as ListSearch
  const navigate = useNavigate()
  const { data: views } = useSuspenseQuery(viewsQuery(object.key))
  const view = views.find(({ id }) => id === search.view)
  const base = useMemo(() => contentOf(object, view), [object, view])
  const columns = useMemo(
    () => (search.columns === undefined ? base.columns : readColumns(search.columns)),
    [search.columns, base],
  )
  const sort = useMemo(() => (search.sort === undefined ? base.sort : readSort(search.sort)), [search.sort, base])
  const content: Content = {
    filter: search.filter ?? base.filter,
    sort,
    columns,
    layout: search.layout ?? base.layout,
  }
  const isChanged = Object.keys(differences(content, base)).length > 0
  const remembered = view && !isChanged ? { view: view.id } : search
  // biome-ignore lint/correctness/useExhaustiveDependencies: by content
  useEffect(() => remember(object.key, remembered), [object.key, JSON.stringify(remembered)])

  const go = (next: ListSearch, replace: boolean) =>
    void navigate({
      to: '/records/$object',
      params: { object: object.key },
      search: readListSearchOf(next),
      replace,
      resetScroll: false,
    })
  const [isUnshared, setUnshared] = useUnshared(object, search, view, () =>
    go({ ...search, view: undefined } as never, true),
  )
  // What is as in the view need not stand in the address, but for a view that nobody else has.
  const isPersonal = view?.is_shared === false
  const inAddress = (next: Content) => (isPersonal ? written(next) : differences(next, base))
  const isUntold =
    isPersonal && Object.keys(written(content)).some((key) => search[key as keyof ListSearch] === undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each view that one comes to
  useEffect(() => {
    if (isUntold) go({ view: view?.id, record: search.record, ...inAddress(content) } as ListSearch, true)
  }, [isUntold, view?.id])
  /** Other columns are no step to go back to. */
  const change = (patch: Partial<Content>) => {
    const isStep = patch.filter !== undefined || patch.sort !== undefined
    go({ view: view?.id, record: search.record, ...inAddress({ ...content, ...patch }) } as ListSearch, !isStep)
  }
  return {
    ...content,
    views,
    view,
    /** Does the list show something else than the view? */
    isChanged,
    record: search.record,
    /** The address named a view that one does not have. */
    isUnshared,
    forgetUnshared: () => setUnshared(false),
    /** The address of the list with all that it shows, for those who do not have the view. */
    link: () => linkTo(object, { view: view?.id, ...written(content) } as ListSearch),
    change,
    /** From one open record to the next is no step to go back to. */
    open: (id: string | undefined) =>
      go({ ...search, record: id } as ListSearch, id !== undefined && search.record !== undefined),
    openView: (id: string | undefined) => go({ view: id } as ListSearch, false),
    /** Back to what the view says. */
    reset: () => go({ view: view?.id } as ListSearch, false),
  }
}

/** Whoever opens the link of a view that is not theirs must not take what they see for it. */
function useUnshared(object: ObjectShape, search: ListSearch, view: View | undefined, drop: () => void) {
  const client = useQueryClient()
  const [isUnshared, setUnshared] = useState(false)
  const had = useRef<string>(undefined)
  const id = search.view
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
  return [isUnshared, setUnshared] as const
}

const linkTo = (object: ObjectShape, search: ListSearch) => {
  const given = Object.entries(readListSearchOf(search)).map(([key, value]) => [key, String(value)])
  return `${location.origin}/records/${object.key}?${new URLSearchParams(given)}`
}

const readListSearchOf = (search: ListSearch) =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as ListSearch

function contentOf(object: ObjectShape, view: View | undefined): Content {
  if (!view) return { filter: '', sort: [], columns: usualColumns(object), layout: 'comfortable' }
  const columns = view.columns.length ? (view.columns as Column[]) : usualColumns(object)
  return { filter: view.filter ?? '', sort: view.sort, columns, layout: view.layout }
}

function differences(now: Content, base: Content): ListSearch {
  const [mine, theirs] = [written(now), written(base)]
  return Object.fromEntries(Object.entries(mine).filter(([key, value]) => theirs[key as keyof typeof theirs] !== value))
}

const written = (content: Content) => ({
  filter: content.filter,
  sort: writeSort(content.sort),
  columns: writeColumns(content.columns),
  layout: content.layout,
})
