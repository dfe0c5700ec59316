import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, queryOptions, useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { contract } from '../../contract/index.ts'
import type { Input, Output } from '../../contract/operation.ts'
import { isId } from '../../contract/shared/ids.ts'
import { api } from '../client/api.ts'
import { sessionQuery, useSignedIn } from '../client/session.ts'

export type User = Output<typeof contract.getUser>
export type UserFilter = Pick<Input<typeof contract.listUsers>, 'state' | 'kind' | 'q'>

export const userQuery = (id: string) =>
  queryOptions({ queryKey: ['users', 'one', id], queryFn: ({ signal }) => api.getUser({ id }, { signal }) })

const pauseMs = 150

/** Users found by a part of the name while one types; the first ones before. `isCurrent`: for what stands there now. */
export function useFoundUsers(text: string, state?: UserFilter['state']) {
  const [search] = useDebouncedValue(text, pauseMs)
  const { data, isPlaceholderData } = useQuery({
    queryKey: ['users', 'found', state, search],
    queryFn: ({ signal }) => api.listUsers({ state, q: search || undefined, limit: 50 }, { signal }),
    placeholderData: keepPreviousData,
  })
  const found = useMemo(() => data?.items.toSorted(invitedLast), [data])
  return { found, isCurrent: search === text && !isPlaceholderData }
}

const invitedLast = (a: User, b: User) => Number(a.state === 'invited') - Number(b.state === 'invited')

/** After a change of users everything that shows them asks again: lists, roles with their counts, keys, and yourself. */
export function useUsersChanged() {
  const client = useQueryClient()
  return async (changed?: User) => {
    if (changed) client.setQueryData(userQuery(changed.id).queryKey, changed)
    for (const key of ['users', 'roles', 'company-keys']) void client.invalidateQueries({ queryKey: [key] })
    await client.invalidateQueries({ queryKey: sessionQuery.queryKey })
  }
}

const mostKnown = 500

/** The first few hundred users, for names next to records. Others are fetched one by one. */
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
    queryFn: ({ signal }) => api.getUser({ id }, { signal }),
    enabled: !isPending && !known?.has(id),
    retry: false,
  })
  return known?.get(id) ?? alone ?? (isError ? null : undefined)
}

/** Names of users by ID. Users beyond the first few hundred are looked up one by one, once someone asks for them. */
export function useNames() {
  const { me } = useSignedIn()
  const { data: known } = useQuery(knownUsersQuery)
  const wanted = useRef(new Set<string>())
  const [asked, setAsked] = useState<string[]>([])
  useEffect(() => {
    if (known && wanted.current.size > asked.length) setAsked([...wanted.current])
  })
  const found = useQueries({
    queries: asked.map((id) => ({ ...userQuery(id), retry: false, staleTime: 60_000 })),
    combine: (answers) => new Map(answers.flatMap(({ data }) => (data ? [[data.id, data.name] as const] : []))),
  })
  return (given: unknown) => {
    const id = String(given)
    const name = known?.get(id)?.name ?? found.get(id) ?? (id === me.id ? me.name : undefined)
    if (name === undefined && known && isId(id)) wanted.current.add(id)
    return name ?? 'someone'
  }
}
