import { Skeleton } from '@mantine/core'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { contract } from '../../../contract/index.ts'
import type { Output } from '../../../contract/operation.ts'
import { pages } from '../../../contract/pages.ts'
import { ApiError, api } from '../../client/api.ts'
import { sessionQuery } from '../../client/session.ts'
import { Failure } from '../../ui/failure.tsx'
import { BrokenLink } from './broken-link.tsx'
import { CodeStep } from './code-step.tsx'
import { ConfirmForm } from './confirm-form.tsx'
import { Entry } from './entry.tsx'
import { JoinForm } from './join-form.tsx'
import { forgetLinkToken, useLinkToken } from './link-token.ts'
import { ResetForm } from './reset-form.tsx'
import { SignedInAlready } from './signed-in-already.tsx'
import { useEntering } from './use-entering.ts'

export type Link = Output<typeof contract.readAccountLink>

export const Join = () => <AccountLink kind="invitation" />
export const ResetPassword = () => <AccountLink kind="reset" />
export const ConfirmEmail = () => <AccountLink kind="email" />

const storedAs = (kind: Link['kind']) => `kith-${kind}-token`

/** What a link leads to. Its token is kept for a reload of this tab, until it is used or refused. */
function AccountLink({ kind }: { kind: Link['kind'] }) {
  const token = useLinkToken(storedAs(kind))
  return token ? <ReadLink key={token} kind={kind} token={token} /> : <BrokenLink kind={kind} />
}

function ReadLink({ kind, token }: { kind: Link['kind']; token: string }) {
  const router = useRouter()
  const { data: session } = useSuspenseQuery(sessionQuery)
  const { stepToken, enter } = useEntering()
  const link = useQuery({
    queryKey: ['account-link', token],
    queryFn: () => api.readAccountLink({ token }),
    staleTime: Number.POSITIVE_INFINITY, // Once used it cannot be read again.
    gcTime: 0,
  })
  const refused = link.error instanceof ApiError && [400, 404, 409, 410, 422].includes(link.error.problem.status)
  useEffect(() => {
    if (refused) forgetLinkToken(storedAs(kind))
  }, [refused, kind])
  const onDone: typeof enter = (answer) => {
    forgetLinkToken(storedAs(kind))
    return enter(answer)
  }
  if (stepToken)
    return <CodeStep token={stepToken} onDone={enter} onBack={() => router.navigate({ to: pages.signIn })} />
  if (link.isPending) return <Reading />
  if (link.isError) {
    if (refused) return <BrokenLink kind={kind} />
    return (
      <Entry title="Your link" lead="It could not be checked.">
        <Failure error={link.error} onRetry={link.refetch} busy={link.isFetching} />
      </Entry>
    )
  }
  // It does not sign anyone in, so it does not matter who is signed in here.
  if (link.data.kind === 'email') return <ConfirmForm link={link.data} token={token} />
  if (session.state === 'signed_in' && session.me.email !== link.data.email)
    return <SignedInAlready session={session}>This link is for {link.data.email}.</SignedInAlready>
  const Form = link.data.kind === 'invitation' ? JoinForm : ResetForm
  return <Form link={link.data} token={token} onDone={onDone} />
}

const Reading = () => (
  <Entry title="One moment" lead="Your link is being checked.">
    <Skeleton height={180} radius="md" role="status" aria-label="Checking the link" />
  </Entry>
)
