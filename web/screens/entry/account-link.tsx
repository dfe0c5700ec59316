import { Button, Skeleton } from '@mantine/core'
import { type UseQueryResult, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { pages } from '../../../contract/shared/pages.ts'
import { ApiError, api } from '../../client/api.ts'
import { sessionQuery } from '../../client/session.ts'
import { ButtonLink } from '../../ui/basics/links.tsx'
import { Loaded } from '../../ui/basics/loaded.tsx'
import { ConfirmForm, JoinForm, type AccountLink as LinkShape, ResetForm } from './account-forms.tsx'
import css from './entry.module.css'
import { Entry, SignedInAlready, useEntering } from './entry.tsx'
import { CodeStep } from './sign-in.tsx'

export const Join = () => <AccountLink kind="invitation" />

export const ResetPassword = () => <AccountLink kind="reset" />

export const ConfirmEmail = () => <AccountLink kind="email" />

const storedAs = (kind: LinkShape['kind']) => `kith-${kind}-token`

/** What a link leads to. Its token is kept for a reload of this tab, until it is used or refused. */
function AccountLink({ kind }: { kind: LinkShape['kind'] }) {
  const token = useLinkToken(storedAs(kind))
  return token ? <ReadLink key={token} kind={kind} token={token} /> : <BrokenLink kind={kind} />
}

function ReadLink({ kind, token }: { kind: LinkShape['kind']; token: string }) {
  const router = useRouter()
  const { data: session } = useSuspenseQuery(sessionQuery)
  const { stepToken, enter } = useEntering()
  const link = useQuery({
    queryKey: ['account-link', token],
    queryFn: () => api.getAccountLink({ token }),
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
  if (refused) return <BrokenLink kind={kind} />
  const formOf = (link: LinkShape) => {
    // It does not sign anyone in, so it does not matter who is signed in here.
    if (link.kind === 'email') return <ConfirmForm link={link} token={token} />
    if (session.state === 'signed_in' && session.me.email !== link.email)
      return <SignedInAlready session={session}>This link is for {link.email}.</SignedInAlready>
    const Form = link.kind === 'invitation' ? JoinForm : ResetForm
    return <Form link={link} token={token} onDone={onDone} />
  }
  return (
    <CheckedLink title="Please wait" query={link}>
      {formOf}
    </CheckedLink>
  )
}

type CheckedProps<Link> = { title: string; query: UseQueryResult<Link>; children: (link: Link) => ReactNode }

/** What a link leads to, once it is checked. */
export const CheckedLink = <Link,>({ title, query, children }: CheckedProps<Link>) => (
  <Loaded
    query={query}
    waiting={
      <Entry title={title} lead="Checking your link.">
        <Skeleton height={180} radius="md" role="status" aria-label="Checking the link" />
      </Entry>
    }
    failed={(failure) => (
      <Entry title="Your link" lead="It could not be verified.">
        {failure}
      </Entry>
    )}
  >
    {children}
  </Loaded>
)

export type LinkKind = 'invitation' | 'reset' | 'email' | 'sign_up'

const words: Record<LinkKind, { lead: string; next: string }> = {
  invitation: {
    lead: 'An invitation works once and for a limited time, and a newer one replaces it.',
    next: 'If it still does not work, ask the person who invited you for a new one.',
  },
  reset: {
    lead: 'A link to set a password works once and for an hour, and a newer one replaces it.',
    next: 'If it still does not work, request a new one.',
  },
  email: {
    lead: 'A link to confirm an address works once and for seven days, and a newer one replaces it.',
    next: 'If it still does not work, ask your Admin for a new one.',
  },
  sign_up: {
    lead: 'A link to create a company works once and for an hour.',
    next: 'If it still does not work, request a new one.',
  },
}

/** Used, replaced by a newer one, expired or truncated: the same for the person who opens it. */
export const BrokenLink = ({ kind }: { kind: LinkKind }) => (
  <Entry title="This link does not work" lead={words[kind].lead}>
    <ol className={css.steps}>
      <li>Open the complete link again from the message that contains it.</li>
      <li>{words[kind].next}</li>
      <li>Already used it? Sign in.</li>
    </ol>
    <div className={css.ways}>
      <ButtonLink fullWidth to={pages.signIn}>
        Sign in
      </ButtonLink>
      {kind === 'reset' && (
        <ButtonLink fullWidth variant="default" to={pages.forgotPassword}>
          Request a new link
        </ButtonLink>
      )}
      {kind === 'sign_up' && (
        <Button fullWidth variant="default" component="a" href={pages.signUp}>
          Request a new link
        </Button>
      )}
    </div>
  </Entry>
)

const inAddress = () => new URLSearchParams(location.hash.slice(1)).get('token') ?? undefined

/** The secret of a link, from behind the #. It leaves the address bar at once, so that it stays out of the history. */
export function useLinkToken(storeAs?: string) {
  const [token, setToken] = useState(() => inAddress() ?? (storeAs && sessionStorage.getItem(storeAs)) ?? undefined)
  useEffect(() => {
    const take = () => {
      const found = inAddress()
      if (!found) return
      setToken(found)
      if (storeAs) sessionStorage.setItem(storeAs, found) // For a reload of this tab.
      history.replaceState(history.state, '', location.pathname + location.search)
    }
    take()
    // Pasting another link into an open page changes only the fragment.
    window.addEventListener('hashchange', take)
    return () => window.removeEventListener('hashchange', take)
  }, [storeAs])
  return token || undefined
}

export const forgetLinkToken = (storedAs: string) => sessionStorage.removeItem(storedAs)
