import { getRouteApi } from '@tanstack/react-router'
import { isId } from '../../../../contract/shared/ids.ts'
import { deliveryStates } from '../../../../contract/webhooks.ts'
import type { Delivery } from '../../../webhooks/webhook.ts'

const tabs = ['deliveries', 'settings', 'verify'] as const
export type WebhookTab = (typeof tabs)[number]

/** What the address says of a webhook's page: its tab, and which deliveries its log shows. */
export type WebhookSearch = { tab?: WebhookTab; state?: Delivery['state']; event?: string; delivery?: string }

export function readWebhookSearch({ tab, state, event, delivery }: Record<string, unknown>): WebhookSearch {
  const known = tabs.find((one) => one === tab)
  return {
    ...(known && known !== 'deliveries' && { tab: known }),
    ...(deliveryStates.some((one) => one === state) && { state: state as Delivery['state'] }),
    ...(typeof event === 'string' && event && { event: event.slice(0, 100) }),
    ...(isId(String(delivery)) && { delivery: String(delivery) }),
  }
}

const route = getRouteApi('/frame/company-area/company/webhooks/$id')

export function useWebhookSearch() {
  const search = readWebhookSearch(route.useSearch())
  const navigate = route.useNavigate()
  const go = (next: Record<string, unknown>, replace: boolean) =>
    void navigate({ search: readWebhookSearch(next), replace, resetScroll: false })
  return {
    search,
    /** Back leads away from the page, not through every state that was looked at. */
    change: (patch: Partial<Record<keyof WebhookSearch, string | null>>) => go({ ...search, ...patch }, true),
    openTab: (tab: WebhookTab) => go({ tab }, false),
  }
}
