// What a user sees in the sidebar, kept on the server so that every browser shows the same.

import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Navigation } from '../../../contract/navigation.ts'
import { api } from '../../client/api.ts'
import { allItems } from '../../client/pages.ts'
import { useSaveAtOnce } from '../../ui/form/use-save-at-once.ts'
import { type ObjectShape, schemaQuery } from '../data/schema.ts'
import type { View } from './list-search.ts'

export const navigationQuery = queryOptions({
  queryKey: ['navigation'],
  queryFn: () => api.getNavigation({}),
  staleTime: 60_000,
})

export const allViewsQuery = queryOptions({
  queryKey: ['views', 'all'],
  queryFn: async () => allItems((cursor) => api.listViews({ cursor })),
  staleTime: 60_000,
})

const untouched: Navigation = { objects: [], hidden: [], pinned_views: [] }
export const useNavigation = () => useQuery(navigationQuery).data ?? untouched

/** The objects whose records the user may read, in the user's order, hidden ones too. */
export function ordered(objects: ObjectShape[], { objects: order }: Navigation) {
  const place = ({ key }: ObjectShape) => (order.includes(key) ? order.indexOf(key) : order.length)
  return objects.filter(({ rights }) => rights.read !== 'none').toSorted((a, b) => place(a) - place(b))
}

const none: ObjectShape[] = []

/** The objects in the sidebar, each with its pinned views. */
export function useShownObjects() {
  const navigation = useNavigation()
  const objects = useQuery(schemaQuery).data ?? none
  const { data: views = [] } = useQuery({ ...allViewsQuery, enabled: navigation.pinned_views.length > 0 })
  const pinned = navigation.pinned_views.flatMap((id) => views.find((view) => view.id === id) ?? [])
  return ordered(objects, navigation)
    .filter(({ key }) => !navigation.hidden.includes(key))
    .map((object) => ({ object, views: pinned.filter((view) => view.object === object.key) }))
}

/** Shown at once, and reverted if the server refuses it. */
export const useUpdateNavigation = () =>
  useSaveAtOnce<Navigation, Partial<Navigation>>({
    queryKey: navigationQuery.queryKey,
    apply: (now, change) => ({ ...now, ...change }),
    send: (change) => api.updateNavigation(change),
    refused: 'The sidebar could not be saved',
  })

/** Pins a view below its object in the sidebar, or removes it from there. */
export function usePin(view: Pick<View, 'id'>) {
  const { pinned_views } = useNavigation()
  const update = useUpdateNavigation()
  const isPinned = pinned_views.includes(view.id)
  const others = pinned_views.filter((id) => id !== view.id)
  return { isPinned, toggle: () => update({ pinned_views: isPinned ? others : [...others, view.id] }) }
}
