import { Anchor } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { pages } from '../../../contract/pages.ts'
import { api } from '../../client/api.ts'
import { sessionQuery } from '../../client/session.ts'
import { Entry } from './entry.tsx'
import { NewCompany } from './new-company.tsx'
import { SignUpByMail } from './sign-up-by-mail.tsx'
import { SignedInAlready } from './signed-in-already.tsx'

export function SignUp() {
  const { data: session } = useSuspenseQuery(sessionQuery)
  if (session.state === 'signed_in')
    return <SignedInAlready session={session}>A new company needs an account of its own.</SignedInAlready>
  if (session.state === 'signed_out' && session.sign_up === 'closed')
    return (
      <Entry title="Sign-up is closed" lead="New companies cannot be created here." below={<ToSignIn />}>
        To join a company that is here already, ask one of its Admins for an invitation.
      </Entry>
    )
  if (session.state === 'signed_out' && session.sign_up === 'by_mail') return <SignUpByMail below={<ToSignIn />} />
  return (
    <NewCompany
      title="Create a company"
      lead="And your own account in it. You will be its first Admin."
      send={api.signUp}
      below={<ToSignIn />}
    />
  )
}

const ToSignIn = () => (
  <>
    Have an account?{' '}
    <Anchor component={Link} to={pages.signIn}>
      Sign in
    </Anchor>
  </>
)
