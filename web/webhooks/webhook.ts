// Webhooks as the web app reads them. Every key begins with ['webhooks'].
import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query'
import type { contract } from '../../contract/index.ts'
import type { Output } from '../../contract/operation.ts'
import { api } from '../client/api.ts'
import { allItems, pagesOf } from '../client/pages.ts'
import { asMinute } from '../ui/text/moments.ts'

export type Webhook = Output<typeof contract.getWebhook>
export type Delivery = Output<typeof contract.listWebhookDeliveries>['items'][number]
export type DeliveryDetails = Output<typeof contract.getWebhookDelivery>
export type Attempt = DeliveryDetails['log'][number]

export const webhooksQuery = queryOptions({
  queryKey: ['webhooks', 'all'],
  queryFn: () => allItems((cursor) => api.listWebhooks({ cursor })),
})

/** Figures of a webhook change with every delivery, without a live event. */
const figuresMs = 10_000

export const webhookQuery = (id: string) =>
  queryOptions({
    queryKey: ['webhooks', 'one', id],
    queryFn: () => api.getWebhook({ id }),
    refetchInterval: figuresMs,
  })

/** How often the log looks for more while it is followed. */
const tailMs = 2000
/** Further pages are read for what is past. */
const mostFollowed = 2

export type LogFilter = { state?: Delivery['state'] | undefined; event_id?: string | undefined }

export const deliveriesQuery = (id: string, filter: LogFilter, isFollowed: boolean) => ({
  ...pagesOf(['webhooks', 'log', id, filter], (cursor, signal) =>
    api.listWebhookDeliveries({ id, ...filter, limit: 50, cursor }, { signal }),
  ),
  placeholderData: keepPreviousData,
  refetchInterval: ({ state: { data } }: { state: { data?: { pages: unknown[] } | undefined } }) =>
    isFollowed && (data?.pages.length ?? 0) <= mostFollowed ? tailMs : (false as const),
})

export const deliveryQuery = (id: string, delivery_id: string) =>
  queryOptions({
    queryKey: ['webhooks', 'delivery', id, delivery_id],
    queryFn: () => api.getWebhookDelivery({ id, delivery_id }),
    refetchInterval: ({ state: { data } }) => (data?.state === 'waiting' ? tailMs : false),
  })

export function useWebhooksChanged() {
  const client = useQueryClient()
  return (changed?: Webhook) => {
    if (changed) client.setQueryData(webhookQuery(changed.id).queryKey, changed)
    return client.invalidateQueries({ queryKey: ['webhooks'] })
  }
}

export type Health = { tone: 'ok' | 'warn' | 'bad' | 'quiet'; word: string; about?: string }

/** How a webhook is doing. One that is active but fails is not fine. */
export function healthOf(webhook: Webhook): Health {
  const { state, failing_since, filter_error, disabled_reason } = webhook
  if (state === 'disabled') return { tone: 'bad', word: 'Disabled', ...(disabled_reason && { about: disabled_reason }) }
  if (state === 'paused') return { tone: 'quiet', word: 'Paused' }
  if (filter_error) return { tone: 'bad', word: 'Filter broken', about: filter_error }
  if (failing_since)
    return { tone: 'warn', word: 'Failing', about: `No delivery has succeeded since ${asMinute(failing_since)}` }
  return { tone: 'ok', word: 'Active' }
}

/** In percent; nothing if nothing was sent. Never 100 if something failed. */
export function successRate({ delivered_24h, failed_24h }: Webhook) {
  const all = delivered_24h + failed_24h
  if (!all) return undefined
  const percent = (100 * delivered_24h) / all
  return failed_24h ? Math.min(99.9, Math.round(percent * 10) / 10) : 100
}

/** The address without what is the same for all. */
export const shortAddress = (url: string) => url.replace(/^https?:\/\//, '').replace(/\/$/, '')
