import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { pages } from '../../../contract/shared/pages.ts'
import { sessionQuery } from '../../client/session.ts'
import { AnchorLink } from '../../ui/basics/links.tsx'
import css from './entry.module.css'
import { Entry, SignedInAlready } from './entry.tsx'
import { EmailForm } from './sign-up.tsx'

export function ForgotPassword() {
  const { data: session } = useSuspenseQuery(sessionQuery)
  const [asked, setAsked] = useState(false)
  if (session.state === 'signed_in')
    return <SignedInAlready session={session}>To set a new password, sign out first.</SignedInAlready>
  if (asked) return <Asked />
  if (session.state === 'signed_out' && !session.mails) return <AskAnAdmin />
  return (
    <EmailForm
      title="Forgot your password?"
      lead="Enter your email address. We'll send you a link to set a new password."
      below={<BackToSignIn />}
      operation="requestPasswordReset"
      onSent={() => setAsked(true)}
    />
  )
}

// The same text whether there is an account or not, so that it does not reveal who has one.
const Asked = () => (
  <Entry
    title="Check your email"
    lead="If there is an account with this address, we’ve sent it a link."
    below={<BackToSignIn />}
  >
    <div role="status">The link expires in an hour. No email? Ask your Admin for a link.</div>
  </Entry>
)

const AskAnAdmin = () => (
  <Entry
    title="Forgot your password?"
    lead="This server cannot send emails, but your Admin can help you."
    below={<BackToSignIn />}
  >
    <ol className={css.steps}>
      <li>Ask an Admin of your company for a link to set a new password.</li>
      <li>They can create it in Company, Members, on your page.</li>
      <li>Open the link in this browser.</li>
    </ol>
  </Entry>
)

const BackToSignIn = () => <AnchorLink to={pages.signIn}>Back to sign-in</AnchorLink>
