import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { pages } from '../../../contract/pages.ts'
import { api } from '../../client/api.ts'
import { type SignedIn, sessionQuery } from '../../client/session.ts'
import { wordsOf } from '../../ui/form-errors.ts'
import { FormFailure } from '../../ui/form-failure.tsx'
import css from './entry.module.css'
import { Entry } from './entry.tsx'

/** Somebody is signed in here, and this page is for somebody who is not. */
export function SignedInAlready({ session, children }: { session: SignedIn; children: ReactNode }) {
  const { mutate, isPending, error } = useSignOutHere()
  return (
    <Entry
      title="You are signed in"
      lead={
        <>
          As <bdi>{session.me.name}</bdi> of <bdi>{session.company.name}</bdi>. {children}
        </>
      }
    >
      <div className={css.form}>
        <FormFailure>{error && wordsOf(error)}</FormFailure>
        <Button fullWidth loading={isPending} onClick={() => mutate()}>
          Sign out and go on
        </Button>
        <Button fullWidth variant="default" component={Link} to={pages.dashboard}>
          Stay signed in
        </Button>
      </div>
    </Entry>
  )
}

/** Without leaving the page, because the token of a link would be lost with it. */
function useSignOutHere() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async () => {
      await api.signOut({})
      return api.getSession({})
    },
    onSuccess: (session) => {
      client.removeQueries({ type: 'inactive' })
      client.setQueryData(sessionQuery.queryKey, session)
    },
  })
}
