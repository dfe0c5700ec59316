import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import type { contract } from '../../../contract/index.ts'
import type { Output } from '../../../contract/operation.ts'
import { api } from '../../api.ts'
import { sessionQuery, useSignedIn } from '../../session.ts'

export type Role = Output<typeof contract.createRole>

export const rolesQuery = queryOptions({
  queryKey: ['roles'],
  queryFn: async () => (await api.listRoles({})).items,
})

/** Only Admins make and change roles. */
export const useIsAdmin = () => {
  const { me } = useSignedIn()
  const { data } = useQuery(rolesQuery)
  return Boolean(data?.find(({ name }) => name === me.role)?.is_admin)
}

/** A role may be your own, so your rights are asked for again too. */
export function useRolesChanged() {
  const client = useQueryClient()
  return async () => {
    void client.invalidateQueries({ queryKey: ['users'] })
    void client.invalidateQueries({ queryKey: sessionQuery.queryKey })
    await client.invalidateQueries({ queryKey: rolesQuery.queryKey })
  }
}
