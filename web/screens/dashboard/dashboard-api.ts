// What dashboards ask the server, and where their figures lead.

import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import type { Dashboard, Figure, WidgetAnswer } from '../../../contract/dashboards.ts'
import type { Widget } from '../../../contract/shared/widget.ts'
import { api } from '../../client/api.ts'
import { allItems } from '../../client/pages.ts'
import { dashboardsKey } from '../../records/data/record-cache.ts'

export type { Dashboard, Figure, Widget, WidgetAnswer }
export type Summary = Omit<Dashboard, 'widgets'>
/** What narrows all widgets of a dashboard. */
export type Scope = { range?: string | undefined; owner?: string | undefined }

export const listQuery = queryOptions({
  queryKey: ['dashboards', 'list'],
  queryFn: () => allItems((cursor) => api.listDashboards({ cursor })),
  staleTime: 60_000,
})

export const dashboardQuery = (id: string) =>
  queryOptions({
    queryKey: ['dashboards', 'one', id],
    queryFn: () => api.getDashboard({ id }),
    staleTime: 60_000,
    retry: false,
  })

/** All widgets in one answer. It is fetched again when records change, while the page is in view. */
export const answerQuery = (id: string, scope: Scope = {}) =>
  queryOptions({
    queryKey: [...dashboardsKey, id, scope],
    queryFn: ({ signal }) => api.queryDashboard({ id, ...scope }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 5000,
    retry: false,
  })

/** A deleted dashboard is not requested again while its page closes. */
export function useDashboardsChanged() {
  const client = useQueryClient()
  return (deletedId?: string) =>
    client.invalidateQueries({
      queryKey: ['dashboards'],
      predicate: ({ queryKey }) => deletedId === undefined || !queryKey.includes(deletedId),
    })
}

type Listed = Pick<Figure, 'object' | 'filter'>

/** The list behind a figure, for a Link. Nothing if no filter selects its records. */
export const listOf = ({ object, filter }: Listed) =>
  object !== null && filter !== null
    ? ({ to: '/records/$object', params: { object }, search: filter ? { filter } : {} } as const)
    : undefined

/** The same as an address, for the points of a chart. */
export function useHrefOf() {
  const router = useRouter()
  return (figure: Listed) => {
    const list = listOf(figure)
    return list && router.buildLocation(list).href
  }
}

export const countOf = (figure: Pick<Figure, 'values'> | undefined | null) => Number(figure?.values.count ?? 0)
