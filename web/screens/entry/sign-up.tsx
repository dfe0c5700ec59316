import { Button, TextInput } from '@mantine/core'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { pages } from '../../../contract/shared/pages.ts'
import { ApiError, api } from '../../client/api.ts'
import { sessionQuery } from '../../client/session.ts'
import { AnchorLink } from '../../ui/basics/links.tsx'
import { Form } from '../../ui/form/form.tsx'
import { rulesOf } from '../../ui/form/rules-of.ts'
import { useForm } from '../../ui/form/use-form.ts'
import { BrokenLink, CheckedLink, forgetLinkToken, useLinkToken } from './account-link.tsx'
import css from './entry.module.css'
import { Entry, SignedInAlready } from './entry.tsx'
import { NewCompany } from './set-up.tsx'

export function SignUp() {
  const { data: session } = useSuspenseQuery(sessionQuery)
  if (session.state === 'signed_in')
    return <SignedInAlready session={session}>A new company needs a separate account.</SignedInAlready>
  if (session.state === 'signed_out' && session.sign_up === 'closed')
    return (
      <Entry title="Sign-up is closed" lead="New companies cannot be created here." below={<ToSignIn />}>
        To join an existing company, ask one of its Admins for an invitation.
      </Entry>
    )
  if (session.state === 'signed_out' && session.sign_up === 'by_mail') return <SignUpByMail below={<ToSignIn />} />
  return (
    <NewCompany
      title="Create a company"
      lead="This also creates your account. You will be the first Admin."
      send={api.signUp}
      below={<ToSignIn />}
    />
  )
}

const ToSignIn = () => (
  <>
    Have an account? <AnchorLink to={pages.signIn}>Sign in</AnchorLink>
  </>
)

const storedAs = 'kith-sign-up-token'

/** First the address, then, by the link that was mailed to it, everything else. */
function SignUpByMail({ below }: { below: ReactNode }) {
  const token = useLinkToken(storedAs)
  const [sentTo, setSentTo] = useState<string>()
  if (token) return <ByLink key={token} token={token} below={below} />
  if (sentTo) return <Sent to={sentTo} below={below} />
  return (
    <EmailForm
      title="Create a company"
      lead="Enter your email address. We'll send you a link to continue."
      below={below}
      operation="requestSignUp"
      onSent={setSentTo}
    />
  )
}

const Sent = ({ to, below }: { to: string; below: ReactNode }) => (
  <Entry title="Check your email" lead={`We sent a link to ${to}. Open it to continue.`} below={below}>
    <div role="status">The link expires in an hour. If you don’t get an email, check your spam folder.</div>
  </Entry>
)

function ByLink({ token, below }: { token: string; below: ReactNode }) {
  const link = useQuery({
    queryKey: ['sign-up-link', token],
    queryFn: () => api.getSignUpLink({ token }),
    staleTime: Number.POSITIVE_INFINITY, // Once used it cannot be read again.
    gcTime: 0,
  })
  const isRefused = link.error instanceof ApiError && [404, 422].includes(link.error.problem.status)
  useEffect(() => {
    if (isRefused) forgetLinkToken(storedAs)
  }, [isRefused])
  if (isRefused) return <BrokenLink kind="sign_up" />
  return (
    <CheckedLink title="Create a company" query={link}>
      {({ email }) => (
        <NewCompany
          title="Create a company"
          lead="This also creates your account. You will be the first Admin."
          email={email}
          send={async (values) => {
            const answer = await api.signUp({ ...values, token })
            forgetLinkToken(storedAs)
            return answer
          }}
          below={below}
        />
      )}
    </CheckedLink>
  )
}

type Props = {
  title: string
  lead: string
  below: ReactNode
  operation: 'requestPasswordReset' | 'requestSignUp'
  onSent: (email: string) => void
}

/** Asks for the address that a link is mailed to. */
export function EmailForm({ operation, onSent, ...entry }: Props) {
  const { form, text } = useForm({
    input: rulesOf(
      () => Promise.all([import('../../../contract/account-links.ts'), import('../../../contract/set-up.ts')]),
      ([{ accountLinks }, { setUp }]) => ({ ...accountLinks, ...setUp })[operation].input,
    ),
    isGuarded: false,
    initial: { email: '' },
    send: async ({ email }) => {
      await api[operation]({ email })
      return email
    },
    onDone: onSent,
    focusOnRefusal: 'email',
  })
  return (
    <Entry {...entry}>
      <Form of={form} className={css.form}>
        <TextInput label="Email" type="email" autoComplete="username" autoFocus {...text('email')} />
        <Button type="submit" fullWidth mt={4} loading={form.isPending}>
          Send the link
        </Button>
      </Form>
    </Entry>
  )
}
