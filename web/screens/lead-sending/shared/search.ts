import { getRouteApi } from '@tanstack/react-router'
import { isId } from '../../../../contract/shared/ids.ts'
import type { DeliveryFilter } from './queries.ts'

export const tabs = ['routes', 'simulator', 'destinations', 'deliveries', 'returns', 'reports', 'in'] as const
export type Tab = (typeof tabs)[number]

const states: Record<DeliveryFilter, true> = {
  sending: true,
  waiting: true,
  accepted: true,
  rejected: true,
  duplicate: true,
  failed: true,
  unknown: true,
  returned: true,
}

/** What the address says: the tab, and which deliveries the log shows. `lead`: only those of one lead, with its trace. */
export type SendingSearch = {
  tab?: Tab
  state?: DeliveryFilter
  destination?: string
  delivery?: string
  lead?: string
}

export function readSendingSearch(given: Record<string, unknown>): SendingSearch {
  const tab = tabs.find((one) => one === given.tab)
  const ids = (['destination', 'delivery', 'lead'] as const).filter((name) => isId(String(given[name])))
  return {
    ...(tab && tab !== 'routes' && { tab }),
    ...(Object.hasOwn(states, String(given.state)) && { state: given.state as DeliveryFilter }),
    ...Object.fromEntries(ids.map((name) => [name, String(given[name])])),
  }
}

const route = getRouteApi('/frame/lead-sending')

export function useSendingSearch() {
  const search = readSendingSearch(route.useSearch())
  const navigate = route.useNavigate()
  const go = (next: Record<string, unknown>, replace: boolean) =>
    void navigate({ search: readSendingSearch(next), replace, resetScroll: false })
  return {
    search,
    /** Back leads away from the page, not through everything that was looked at. */
    change: (patch: Partial<Record<keyof SendingSearch, string | null>>) => go({ ...search, ...patch }, true),
    openTab: (tab: Tab, more: SendingSearch = {}) => go({ ...more, tab }, false),
  }
}
