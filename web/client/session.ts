import { queryOptions, useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import type { contract } from '../../contract/index.ts'
import type { Input, Output } from '../../contract/operation.ts'
import type { Grant } from '../../contract/shared/access.ts'
import { pages } from '../../contract/shared/pages.ts'
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
  if (!last.current) throw new Error('You are signed out. Reload the page to sign in.')
  const { me, company } = last.current
  return {
    me,
    company,
    may: (access: Grant | 'admin') => (access === 'admin' ? me.is_admin : me.grants.includes(access)),
  }
}

type Me = SignedIn['me']

export const useUpdateMe = () => useMeChange(api.updateMe)
export const useSetMyPicture = () => useMeChange(api.updateMyPicture)

function useMeChange<In>(send: (input: In) => Promise<Me>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: send,
    onSuccess: (me) => {
      client.setQueryData(sessionQuery.queryKey, withMe(me))
      return client.invalidateQueries({ queryKey: ['users'] })
    },
  })
}

type Choice = Pick<Input<typeof contract.updateMe>, 'language' | 'time_zone' | 'shortcuts'>

type Choosing = { choice: Choice; before: Partial<Me>; onRefused: (error: Error) => void }

/** A choice that shows at once, and is taken back, alone, when the server does not take it. */
export function useChoose() {
  const client = useQueryClient()
  const { me } = useSignedIn()
  const patch = (values: object) =>
    client.setQueryData(sessionQuery.queryKey, (now) =>
      now?.state === 'signed_in' ? { ...now, me: { ...now.me, ...values } as Me } : now,
    )
  // Here and not in mutate: those are called for the last choice only.
  const { mutate } = useMutation({
    mutationFn: ({ choice }: Choosing) => api.updateMe(choice),
    onSuccess: (saved, { choice }) => patch(those(saved, choice)),
    onError: (error, { before, onRefused }) => {
      patch(before)
      onRefused(error)
    },
  })
  return (choice: Choice, onRefused: (error: Error) => void) => {
    const before = those(me, choice)
    patch(choice)
    mutate({ choice, before, onRefused })
  }
}

const those = (me: Me, choice: Choice): Partial<Me> =>
  Object.fromEntries(Object.keys(choice).map((key) => [key, me[key as keyof Choice]]))

const withMe = (me: Me) => (old: Session | undefined) => (old?.state === 'signed_in' ? { ...old, me } : old)

export const useUpdateCompany = () => useCompanyChange(api.updateCompany)
export const useUpdateRetention = () => useCompanyChange(api.updateRetentionSettings)

function useCompanyChange<In, Out extends Partial<SignedIn['company']>>(send: (input: In) => Promise<Out>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: send,
    onSuccess: (saved) =>
      client.setQueryData(sessionQuery.queryKey, (old) => {
        if (old?.state !== 'signed_in') return old
        const company = { ...old.company, ...saved }
        return { ...old, company, me: { ...old.me, company_name: company.name } }
      }),
  })
}

export function useSignOut() {
  return useMutation({ mutationFn: () => api.signOut({}), onSuccess: () => location.assign(pages.signIn) })
}
