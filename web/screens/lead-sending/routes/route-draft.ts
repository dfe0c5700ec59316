// Routes as they would be: what the form edits and the simulator compares, before anything is switched on.
import { usualRoute } from '../../../../contract/lead-routes.ts'
import { api } from '../../../client/api.ts'
import { createStore } from '../../../client/store.ts'
import type { Destination, Route, RouteInput } from '../shared/queries.ts'

export type Target = Route['targets'][number]
/** Without `id`: a route that does not exist yet. */
export type Draft = Omit<Route, 'id' | 'version' | 'position' | 'filter_error' | 'used' | 'created_at'> & {
  id?: string
  version?: number
}
/** `key` names it in the list. */
export type Drafted = Draft & { key: string }

export function draftOf(route: Route): Drafted {
  const { position: _, filter_error: __, used: ___, created_at: ____, ...draft } = route
  return { ...draft, key: route.id }
}

const noCaps: Target['caps'] = { hour: null, day: null, month: null, total: null, budget: null, budget_per: 'month' }
export const newTarget = (destination_id: string): Target => ({
  destination_id,
  weight: 1,
  price: 0,
  max_price: null,
  caps: noCaps,
})

/** It starts in test mode: nothing is sent before someone says so. Who gets the leads is chosen only if there is no other. */
export function newRoute([first, second]: Destination[]): Draft {
  return { ...usualRoute, name: '', state: 'test', targets: [newTarget(second ? '' : (first?.id ?? ''))] }
}

/** Kept outside of the screen, so that looking at another tab loses nothing. */
export const draftStore = createStore<Drafted[] | undefined>(undefined)

/** Puts a route into the draft of all routes: in its place, or after the others. */
export function putDraft(routes: Route[], draft: Draft) {
  const all = draftStore.get() ?? routes.map(draftOf)
  const at = all.findIndex(({ id }) => id !== undefined && id === draft.id)
  // With the version that the draft began with.
  if (at < 0) draftStore.set([...all, { ...draft, key: draft.id ?? crypto.randomUUID() }])
  else draftStore.set(all.with(at, { ...all[at]!, ...draft }))
}

const inputOf = ({ id: _, version: __, key: ___, ...input }: Drafted): RouteInput => input
const isSame = (one: Drafted, route: Route | undefined) =>
  route !== undefined && JSON.stringify(inputOf(one)) === JSON.stringify(inputOf(draftOf(route)))

/** How the draft differs from the routes of today, in words. */
export function changesIn(drafts: Drafted[], routes: Route[]): string[] {
  const today = new Map(routes.map((route) => [route.id, route]))
  const changes = drafts.flatMap((one) => {
    const route = today.get(one.id ?? '')
    if (!route) return [`${one.name} added`]
    if (isSame(one, route)) return []
    const isOnlyState = isSame({ ...one, state: route.state }, route)
    if (one.state === route.state || !isOnlyState) return [`${one.name} changed`]
    return [`${one.name} is ${turned[one.state]}`]
  })
  const order = drafts.flatMap(({ id }) => id ?? []).join()
  return order === routes.map(({ id }) => id).join() ? changes : [...changes, 'Order changed']
}

const turned: Record<Route['state'], string> = { active: 'turned on', paused: 'paused', test: 'only tested' }

/** All of it or nothing, and not over what someone else has changed since the draft began. */
export const applyDraft = (drafts: Drafted[]) =>
  api.replaceLeadRoutes({ routes: drafts.map(({ key: _, ...route }) => route) })
