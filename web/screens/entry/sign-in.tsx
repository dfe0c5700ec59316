import { Anchor, Button, TextInput } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { contract } from '../../../contract/index.ts'
import { pages } from '../../../contract/pages.ts'
import { canUsePasskeys } from '../../account/passkeys.ts'
import { api } from '../../client/api.ts'
import { sessionQuery } from '../../client/session.ts'
import { FormFailure } from '../../ui/form-failure.tsx'
import { useOperationForm } from '../../ui/operation-form.ts'
import { PasswordField } from '../../ui/password-field.tsx'
import { CodeStep } from './code-step.tsx'
import css from './entry.module.css'
import { Entry } from './entry.tsx'
import { PasskeySignIn } from './passkey-sign-in.tsx'
import { useEntering } from './use-entering.ts'

const route = getRouteApi(pages.signIn)

export function SignIn() {
  const { next } = route.useSearch()
  const { data: session } = useSuspenseQuery(sessionQuery)
  const { stepToken, enter, startOver } = useEntering(next)
  if (stepToken) return <CodeStep token={stepToken} onDone={enter} onBack={startOver} />
  return (
    <Entry
      title="Sign in"
      lead={next ? 'Sign in to go on where you were.' : 'Welcome back.'}
      below={
        session.state === 'signed_out' &&
        session.sign_up !== 'closed' && (
          <>
            New here?{' '}
            <Anchor component={Link} to={pages.signUp}>
              Create a company
            </Anchor>
          </>
        )
      }
    >
      <SignInForm onDone={enter} />
      {canUsePasskeys() && <PasskeySignIn onDone={enter} />}
      <p className={css.aside}>
        <Anchor component={Link} to={pages.forgotPassword}>
          Forgot your password?
        </Anchor>
      </p>
    </Entry>
  )
}

function SignInForm({ onDone }: { onDone: ReturnType<typeof useEntering>['enter'] }) {
  const { field, submit, failure, isPending } = useOperationForm({
    input: contract.signIn.input,
    initialValues: { email: '', password: '' },
    send: api.signIn,
    onDone,
    focusOnRefusal: 'password',
  })
  return (
    <form className={css.form} onSubmit={submit} noValidate>
      <FormFailure>{failure}</FormFailure>
      <TextInput label="Email" type="email" autoComplete="username webauthn" autoFocus {...field('email')} />
      <PasswordField autoComplete="current-password" {...field('password')} />
      <Button type="submit" fullWidth mt={4} loading={isPending}>
        Sign in
      </Button>
    </form>
  )
}
