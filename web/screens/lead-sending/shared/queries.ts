// Lead sending as the web app reads it. Every key begins with ['lead-sending'].
import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query'
import type { contract } from '../../../../contract/index.ts'
import type { Input, Output } from '../../../../contract/operation.ts'
import { api } from '../../../client/api.ts'
import { allItems, pagesOf } from '../../../client/pages.ts'
import { useSignedIn } from '../../../client/session.ts'
import { useBuiltIn } from '../../../records/data/built-in.ts'
import { asMoney } from '../../../records/data/value-text.ts'

export type Destination = Output<typeof contract.getLeadDestination>
export type DestinationTrial = Output<typeof contract.testLeadDestination>
export type Route = Output<typeof contract.updateLeadRoute>
export type RouteInput = Input<typeof contract.createLeadRoute>
export type Delivery = Output<typeof contract.settleLeadDelivery>
export type DeliveryFilter = NonNullable<Input<typeof contract.listLeadDeliveries>['state']>
export type LeadSource = Output<typeof contract.listLeadSources>['items'][number]
export type DeliveryDetails = Output<typeof contract.getLeadDelivery>
export type Routing = Output<typeof contract.explainLeadRoute>
export type LeadReturn = Output<typeof contract.decideLeadReturn>

const key = 'lead-sending'

export const destinationsQuery = queryOptions({
  queryKey: [key, 'destinations'],
  queryFn: async () => allItems((cursor) => api.listLeadDestinations({ cursor })),
})
export const routesQuery = queryOptions({
  queryKey: [key, 'routes'],
  queryFn: async () => allItems((cursor) => api.listLeadRoutes({ cursor })),
})
export const settingsQuery = queryOptions({
  queryKey: [key, 'settings'],
  queryFn: () => api.getLeadSendingSettings({}),
})
export const sourcesQuery = queryOptions({
  queryKey: [key, 'sources'],
  queryFn: async () => (await api.listLeadSources({})).items,
})
export const deliveriesQuery = (filter: {
  state?: DeliveryFilter | undefined
  destination_id?: string | undefined
  lead_id?: string | undefined
}) => ({
  ...pagesOf([key, 'deliveries', filter], (cursor, signal) =>
    api.listLeadDeliveries({ ...filter, limit: 30, cursor }, { signal }),
  ),
  placeholderData: keepPreviousData,
})
export const deliveryQuery = (id: string) =>
  queryOptions({ queryKey: [key, 'delivery', id], queryFn: () => api.getLeadDelivery({ id }) })
export const traceQuery = (lead_id: string) =>
  queryOptions({ queryKey: [key, 'trace', lead_id], queryFn: () => api.explainLeadRoute({ id: lead_id }) })
export const returnsQuery = (state: LeadReturn['state'] | undefined) => ({
  ...pagesOf([key, 'returns', state], (cursor, signal) =>
    api.listLeadReturns({ state, limit: 30, cursor }, { signal }),
  ),
  placeholderData: keepPreviousData,
})
export const reportQuery = (by: 'destination' | 'source', since: string) =>
  queryOptions({
    queryKey: [key, 'report', by, since],
    queryFn: () => api.getLeadSendingReport({ by, since }),
    placeholderData: keepPreviousData,
  })

/** Amounts of lead sending are in the company's currency. */
export function useMoney() {
  const { currency } = useSignedIn().company
  return (amount: number) => asMoney({ amount: amount.toFixed(2), currency })
}

/** The object Leads, whatever its key is here. */
export const useLeads = () => useBuiltIn('leads')

export function useChanged() {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: [key] })
}
