import { queryOptions, useQueryClient } from '@tanstack/react-query'
import type { contract } from '../../contract/index.ts'
import type { Input, Output } from '../../contract/operation.ts'
import { api } from '../client/api.ts'
import { sessionQuery } from '../client/session.ts'

export type User = Output<typeof contract.getUser>
export type UserFilter = Pick<Input<typeof contract.listUsers>, 'state' | 'kind' | 'search'>

export const userQuery = (id: string) =>
  queryOptions({ queryKey: ['users', 'one', id], queryFn: () => api.getUser({ id }) })

/** After a change of users everything that shows them asks again: lists, roles with their counts, keys, and yourself. */
export function useUsersChanged() {
  const client = useQueryClient()
  return async (changed?: User) => {
    if (changed) client.setQueryData(userQuery(changed.id).queryKey, changed)
    for (const key of ['users', 'roles', 'company-keys']) void client.invalidateQueries({ queryKey: [key] })
    await client.invalidateQueries({ queryKey: sessionQuery.queryKey })
  }
}
