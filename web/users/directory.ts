import { queryOptions, useQuery } from '@tanstack/react-query'
import type { contract } from '../../contract/index.ts'
import type { Output } from '../../contract/operation.ts'
import { api } from '../client/api.ts'

export type User = Output<typeof contract.getUser>

const mostKnown = 500

/** The first few hundred users, for names beside records; whoever is not among them is asked for alone. */
export const knownUsersQuery = queryOptions({
  queryKey: ['users', 'known'],
  queryFn: async () => {
    const users: User[] = []
    let cursor: string | undefined
    do {
      const page = await api.listUsers({ state: 'all', limit: 100, cursor })
      users.push(...page.items)
      cursor = page.next_cursor ?? undefined
    } while (cursor && users.length < mostKnown)
    return new Map(users.map((user) => [user.id, user]))
  },
  staleTime: 60_000,
})

/** Nothing while the user is being fetched. null: deleted, or could not be fetched. */
export function useUser(id: string): User | null | undefined {
  const { data: known, isPending } = useQuery(knownUsersQuery)
  const { data: alone, isError } = useQuery({
    queryKey: ['users', 'one', id],
    queryFn: () => api.getUser({ id }),
    enabled: !isPending && !known?.has(id),
    retry: false,
  })
  return known?.get(id) ?? alone ?? (isError ? null : undefined)
}
