import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { contract } from '../../../contract/index.ts'
import type { Output } from '../../../contract/operation.ts'
import { pages } from '../../../contract/shared/pages.ts'
import { api } from '../../client/api.ts'
import { type SignedIn, sessionQuery } from '../../client/session.ts'
import { wordsOf } from '../../ui/basics/errors.ts'
import { ButtonLink } from '../../ui/basics/links.tsx'
import { FormFailure } from '../../ui/basics/states.tsx'
import { Wordmark } from '../../ui/theme/logo.tsx'
import css from './entry.module.css'

type Props = { title: string; lead: ReactNode; children?: ReactNode; below?: ReactNode }

/** The room before the door: sign-in, set-up and what one opens by a link share it. */
export const Entry = ({ title, lead, children, below }: Props) => (
  <main className={css.room}>
    <title>{`${title} · Kith`}</title>
    <Wordmark />
    <div className={css.card}>
      <h1 tabIndex={-1}>{title}</h1>
      <p className={css.lead}>{lead}</p>
      {children}
    </div>
    {below && <p className={css.below}>{below}</p>}
    <p className={css.foot}>A CRM that people and their AI agents use side by side.</p>
  </main>
)

type Answer = Output<typeof contract.signIn>

/** What follows a right password: into the app, or to the second step, whose token lives here alone. */
export function useEntering(next: string = pages.home) {
  const client = useQueryClient()
  const router = useRouter()
  const [stepToken, setStepToken] = useState<string>()
  const enter = (answer: Answer) => {
    if (answer.state === 'second_step') return setStepToken(answer.step_token)
    // Nothing that an earlier person of this browser loaded may be seen by the next one.
    client.removeQueries({ type: 'inactive' })
    client.setQueryData(sessionQuery.queryKey, answer)
    return router.navigate({ href: next, replace: true })
  }
  return { stepToken, enter, startOver: () => setStepToken(undefined) }
}

/** Someone is signed in, and this page is for people who are not. */
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
          Sign out and continue
        </Button>
        <ButtonLink fullWidth variant="default" to={pages.home}>
          Stay signed in
        </ButtonLink>
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
