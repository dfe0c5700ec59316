import { useQueryClient } from '@tanstack/react-query'
import type { contract } from '../../../../contract/index.ts'
import type { Output } from '../../../../contract/operation.ts'
import { api } from '../../../client/api.ts'
import { withoutOurTest } from '../../../keys/keys.ts'
import { pagesOf } from '../../../ui/pages.ts'

export type CompanyKey = Output<typeof contract.listCompanyApiKeys>['items'][number]

export const companyKeysQuery = (user_id: string | undefined) => ({
  ...pagesOf(['company-keys', user_id ?? 'all'], async (cursor) => {
    const page = await api.listCompanyApiKeys({ user_id, limit: 50, cursor })
    return { ...page, items: page.items.map(withoutOurTest) }
  }),
  refetchInterval: 30_000,
})

export function useCompanyKeysChanged() {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: ['company-keys'] })
}
