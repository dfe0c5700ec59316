// Routes as they would be: what the form edits and the simulator compares, before anything is switched on.
import { contract } from '../../../contract/index.ts'
import { api } from '../../client/api.ts'
import { createStore } from '../../client/store.ts'
import type { Destination, Route, RouteInput } from './queries.ts'

export type Target = Route['targets'][number]
/** Without `id`: a route that does not exist yet. */
export type Draft = Omit<Route, 'id' | 'position' | 'filter_error' | 'used' | 'created_at'> & { id?: string }
/** `key` names it in the list. */
export type Drafted = Draft & { key: string }

export function draftOf(route: Route): Drafted {
  const { position: _, filter_error: __, used: ___, created_at: ____, ...draft } = route
  return { ...draft, key: route.id }
}

const noCaps: Target['caps'] = { hour: null, day: null, month: null, total: null, budget: null, budget_per: 'month' }
export const newTarget = (destination_id: string): Target => ({
  ...{ destination_id, weight: 1, price: 0, max_price: null },
  caps: noCaps,
})

/** It starts in test mode: nothing is sent before someone says so. Who gets the leads is chosen only if there is no other. */
export function newRoute([first, second]: Destination[]): Draft {
  const usual = contract.createLeadRoute.input.omit({ name: true, targets: true }).parse({})
  return { ...usual, name: '', state: 'test', targets: [newTarget(second ? '' : (first?.id ?? ''))] }
}

/** Kept outside of the screen, so that looking at another tab loses nothing. */
export const draftStore = createStore<Drafted[] | undefined>(undefined)

/** Puts a route into the draft of all routes: in its place, or after the others. */
export function putDraft(routes: Route[], draft: Draft) {
  const all = draftStore.get() ?? routes.map(draftOf)
  const key = draft.id ?? crypto.randomUUID()
  const next = { ...draft, key }
  draftStore.set(all.some((one) => one.key === key) ? all.map((one) => (one.key === key ? next : one)) : [...all, next])
}

const inputOf = ({ id: _, key: __, ...input }: Drafted): RouteInput => input
const isSame = (one: Drafted, route: Route | undefined) =>
  route !== undefined && JSON.stringify(inputOf(one)) === JSON.stringify(inputOf(draftOf(route)))

/** How the draft differs from the routes of today, in words. */
export function changesIn(drafts: Drafted[], routes: Route[]): string[] {
  const today = new Map(routes.map((route) => [route.id, route]))
  const changes = drafts.flatMap((one) => {
    const route = today.get(one.id ?? '')
    if (!route) return [`${one.name} is added`]
    if (isSame(one, route)) return []
    const isOnlyState = isSame({ ...one, state: route.state }, route)
    if (one.state === route.state || !isOnlyState) return [`${one.name} is changed`]
    return [`${one.name} is ${turned[one.state]}`]
  })
  const order = drafts.flatMap(({ id }) => id ?? []).join()
  return order === routes.map(({ id }) => id).join() ? changes : [...changes, 'The order is changed']
}

const turned: Record<Route['state'], string> = { active: 'turned on', paused: 'paused', test: 'only tested' }

/** One after the other, and the order at the end. What was saved before something is refused stays saved. */
export async function applyDraft(drafts: Drafted[], routes: Route[]) {
  const today = new Map(routes.map((route) => [route.id, route]))
  const ids: string[] = []
  for (const one of drafts) {
    const route = today.get(one.id ?? '')
    if (!route) ids.push((await api.createLeadRoute(inputOf(one))).id)
    else {
      if (!isSame(one, route)) await api.updateLeadRoute({ id: route.id, ...inputOf(one) })
      ids.push(route.id)
    }
  }
  await api.orderLeadRoutes({ ids })
}
