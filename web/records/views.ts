import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { contract } from '../../contract/index.ts'
import type { Input, Output } from '../../contract/operation.ts'
import { api } from '../client/api.ts'

export type View = Output<typeof contract.createView>

export const viewsQuery = (object: string) =>
  queryOptions({
    queryKey: ['views', object],
    queryFn: async () => (await api.listViews({ object })).items,
    staleTime: 60_000,
  })

export function useViewChange<In, Out>(send: (input: In) => Promise<Out>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: send,
    // Awaited: what comes next looks for the view in the list.
    onSuccess: () => client.invalidateQueries({ queryKey: ['views'] }),
  })
}

export type NewView = Input<typeof contract.createView>
