import { Anchor, Button, TextInput } from '@mantine/core'
import { useMutation, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Fingerprint } from 'lucide-react'
import { useEffect, useState } from 'react'
import { pages } from '../../../contract/shared/pages.ts'
import { canUsePasskeys, loadPasskeys, passkeyFault } from '../../account/passkeys.ts'
import { api } from '../../client/api.ts'
import { sessionQuery } from '../../client/session.ts'
import { wordsOf } from '../../ui/basics/errors.ts'
import { AnchorLink } from '../../ui/basics/links.tsx'
import { FormFailure } from '../../ui/basics/states.tsx'
import { Form, PasswordField } from '../../ui/form/form.tsx'
import { rulesOf } from '../../ui/form/rules-of.ts'
import { useForm } from '../../ui/form/use-form.ts'
import { CodeField } from '../../ui/text/code.tsx'
import css from './entry.module.css'
import { Entry, useEntering } from './entry.tsx'

const route = getRouteApi(pages.signIn)

export function SignIn() {
  const { next } = route.useSearch()
  const { data: session } = useSuspenseQuery(sessionQuery)
  const { stepToken, enter, startOver } = useEntering(next)
  if (stepToken) return <CodeStep token={stepToken} onDone={enter} onBack={startOver} />
  return (
    <Entry
      title="Sign in"
      lead={next ? 'Sign in to continue where you left off.' : 'Welcome back.'}
      below={
        session.state === 'signed_out' &&
        session.sign_up !== 'closed' && (
          <>
            New here? <AnchorLink to={pages.signUp}>Create a company</AnchorLink>
          </>
        )
      }
    >
      <SignInForm onDone={enter} />
      {canUsePasskeys() && <PasskeySignIn onDone={enter} />}
      <p className={css.aside}>
        <AnchorLink to={pages.forgotPassword}>Forgot your password?</AnchorLink>
      </p>
    </Entry>
  )
}

function SignInForm({ onDone }: { onDone: ReturnType<typeof useEntering>['enter'] }) {
  const { form, text } = useForm({
    input: rulesOf(
      () => import('../../../contract/session.ts'),
      ({ session }) => session.signIn.input,
    ),
    isGuarded: false,
    initial: { email: '', password: '' },
    send: api.signIn,
    onDone,
    focusOnRefusal: 'password',
  })
  return (
    <Form of={form} className={css.form}>
      <TextInput label="Email" type="email" autoComplete="username webauthn" autoFocus {...text('email')} />
      <PasswordField autoComplete="current-password" {...text('password')} />
      <Button type="submit" fullWidth mt={4} loading={form.isPending}>
        Sign in
      </Button>
    </Form>
  )
}

type Props = { token: string; onDone: ReturnType<typeof useEntering>['enter']; onBack: () => void }

/** The second step of signing in: a code of the app, or one of the recovery codes. */
export function CodeStep({ token, onDone, onBack }: Props) {
  const [way, setWay] = useState<'app' | 'recovery'>('app')
  const byApp = way === 'app'
  return (
    <Entry
      title="Two-factor sign-in"
      lead={
        byApp
          ? 'Enter the six digits that your authenticator app shows for Kith.'
          : 'Enter one of your recovery codes. Each code works once.'
      }
      below={
        <Anchor component="button" type="button" onClick={onBack}>
          Back to sign-in
        </Anchor>
      }
    >
      <CodeForm key={way} byApp={byApp} token={token} onDone={onDone} />
      <p className={css.aside}>
        <Anchor component="button" type="button" onClick={() => setWay(byApp ? 'recovery' : 'app')}>
          {byApp ? 'Use a recovery code' : 'Use the authenticator app'}
        </Anchor>
      </p>
    </Entry>
  )
}

function CodeForm({ byApp, token, onDone }: Omit<Props, 'onBack'> & { byApp: boolean }) {
  const { form, text } = useForm({
    input: rulesOf(
      () => import('../../../contract/session.ts'),
      ({ session }) => session.completeSignIn.input.pick({ code: true }),
    ),
    isGuarded: false,
    initial: { code: '' },
    send: ({ code }) => api.completeSignIn({ step_token: token, code }),
    onDone,
    focusOnRefusal: 'code',
  })
  return (
    <Form of={form} className={css.form}>
      {byApp ? (
        <CodeField autoFocus isPending={form.isPending} {...text('code')} />
      ) : (
        <TextInput
          label="Recovery code"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          autoFocus
          {...text('code')}
        />
      )}
      <Button type="submit" fullWidth mt={4} loading={form.isPending}>
        Sign in
      </Button>
    </Form>
  )
}

type Proof = Record<string, unknown>

/** Signs in with a passkey by a button, and by the list that the browser offers in the email field. */
function PasskeySignIn({ onDone }: { onDone: ReturnType<typeof useEntering>['enter'] }) {
  const { mutate, isPending, error } = useMutation({
    mutationFn: async (proof?: Proof) => api.signInWithPasskey({ response: proof ?? (await askBrowser(false)) }),
    gcTime: 0,
    onSuccess: onDone,
  })
  useOffered(mutate)
  return (
    <div className={css.other}>
      <p className={css.or}>or</p>
      <FormFailure>{error && (passkeyFault(error) ?? wordsOf(error))}</FormFailure>
      <Button
        variant="default"
        fullWidth
        loading={isPending}
        leftSection={<Fingerprint size={16} />}
        onClick={() => mutate(undefined)}
      >
        Use a passkey
      </Button>
    </div>
  )
}

async function askBrowser(inField: boolean): Promise<Proof> {
  const [{ startAuthentication }, { options }] = await Promise.all([loadPasskeys(), api.startPasskeySignIn({})])
  return { ...(await startAuthentication({ optionsJSON: options as never, useBrowserAutofill: inField })) }
}

/** Offered without being asked for, so it fails without a word: the button is still there. */
function useOffered(onChosen: (proof: Proof) => void) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, while the page is open
  useEffect(() => {
    let open = true
    const offer = async () => {
      if (!(await PublicKeyCredential.isConditionalMediationAvailable?.()) || !open) return
      const proof = await askBrowser(true)
      if (open) onChosen(proof)
    }
    void offer().catch(() => {})
    return () => {
      open = false
      void loadPasskeys().then(({ WebAuthnAbortService }) => WebAuthnAbortService.cancelCeremony())
    }
  }, [])
}
