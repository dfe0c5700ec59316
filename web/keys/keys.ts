import { queryOptions, useQueryClient } from '@tanstack/react-query'
import type { contract } from '../../contract/index.ts'
import type { Output } from '../../contract/operation.ts'
import { api } from '../client/api.ts'

export type Key = Output<typeof contract.listApiKeys>['items'][number]

export const keysQuery = queryOptions({
  queryKey: ['api-keys'],
  queryFn: async () => (await api.listApiKeys({})).items.map(withoutOurTest),
  refetchInterval: 30_000,
  refetchOnWindowFocus: 'always',
})

export const withoutOurTest = <K extends Key>(key: K): K => ({
  ...key,
  recent_clients: key.recent_clients.filter(({ name }) => name !== testName),
})

/** Changes what the list shows at once, and asks the server for the truth. */
export function useKeysChanged() {
  const client = useQueryClient()
  return (change: (keys: Key[]) => Key[]) => {
    client.setQueryData(keysQuery.queryKey, (keys) => keys && change(keys))
    void client.invalidateQueries({ queryKey: keysQuery.queryKey })
  }
}

export const counted = (count: number) => (count === 1 ? '1 key' : `${count} keys`)

/** The client name of our own connection test, so that it is not listed as a client to switch to the new key. */
export const testName = 'Kith connection test'
