import { infiniteQueryOptions, useQueryClient } from '@tanstack/react-query'
import type { contract } from '../../../../contract/index.ts'
import type { Output } from '../../../../contract/operation.ts'
import { api } from '../../../api.ts'
import { withoutOurTest } from '../../api-connectors/keys.ts'

export type CompanyKey = Output<typeof contract.listCompanyApiKeys>['items'][number]

export const companyKeysQuery = (user_id: string | undefined) =>
  infiniteQueryOptions({
    queryKey: ['company-keys', user_id ?? 'all'],
    queryFn: async ({ pageParam }) => {
      const page = await api.listCompanyApiKeys({ user_id, limit: 50, cursor: pageParam })
      return { ...page, items: page.items.map(withoutOurTest) }
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    refetchInterval: 30_000,
  })

export function useCompanyKeysChanged() {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: ['company-keys'] })
}
