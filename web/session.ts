import { queryOptions, useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import type { Grant } from '../contract/access.ts'
import type { contract } from '../contract/index.ts'
import type { Output } from '../contract/operation.ts'
import { pages } from '../contract/pages.ts'
import { api } from './api.ts'

export type Session = Output<typeof contract.getSession>
export type SignedIn = Extract<Session, { state: 'signed_in' }>

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: (): Promise<Session> => api.getSession({}),
  staleTime: 60_000,
  retry: 1,
  networkMode: 'always',
})

/** Only below the frame, which is never drawn for strangers. */
export function useSignedIn() {
  const { data } = useSuspenseQuery(sessionQuery)
  // After the session ended a page with unsaved input stays on screen, as the person it was drawn for.
  const last = useRef<SignedIn>(undefined)
  if (data.state === 'signed_in') last.current = data
  if (!last.current) throw new Error('You are signed out. Load the page again to sign in.')
  const { me, company } = last.current
  return { me, company, may: (grant: Grant) => me.grants.includes(grant) }
}

export function useUpdateMe() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: api.updateMe,
    onSuccess: (me) => {
      client.setQueryData(sessionQuery.queryKey, (old) => (old?.state === 'signed_in' ? { ...old, me } : old))
      return client.invalidateQueries({ queryKey: ['users'] })
    },
  })
}

export function useUpdateCompany() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: api.updateCompany,
    onSuccess: (company) =>
      client.setQueryData(sessionQuery.queryKey, (old) =>
        old?.state === 'signed_in' ? { ...old, company, me: { ...old.me, company_name: company.name } } : old,
      ),
  })
}

export function useSignOut() {
  return useMutation({ mutationFn: () => api.signOut({}), onSuccess: () => location.assign(pages.signIn) })
}
