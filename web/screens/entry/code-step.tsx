import { Anchor, Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { contract } from '../../../contract/index.ts'
import { api } from '../../client/api.ts'
import { CodeField } from '../../ui/code-field.tsx'
import { FormFailure } from '../../ui/form-failure.tsx'
import { useOperationForm } from '../../ui/operation-form.ts'
import css from './entry.module.css'
import { Entry } from './entry.tsx'
import type { useEntering } from './use-entering.ts'

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
          : 'Enter one of the recovery codes that you kept. Each works once.'
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
  const { form, field, submit, failure, isPending } = useOperationForm({
    input: contract.completeSignIn.input.pick({ code: true }),
    initialValues: { code: '' },
    send: ({ code }) => api.completeSignIn({ step_token: token, code }).finally(markTyped),
    onDone,
    focusOnRefusal: 'code',
  })
  // A refused code is marked, so that the next one is typed over it.
  const markTyped = () => setTimeout(() => (form.getInputNode('code') as HTMLInputElement | null)?.select())
  return (
    <form className={css.form} onSubmit={submit} noValidate>
      <FormFailure>{failure}</FormFailure>
      {byApp ? (
        <CodeField autoFocus isPending={isPending} {...field('code')} />
      ) : (
        <TextInput
          label="Recovery code"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          autoFocus
          {...field('code')}
        />
      )}
      <Button type="submit" fullWidth mt={4} loading={isPending}>
        Sign in
      </Button>
    </form>
  )
}
