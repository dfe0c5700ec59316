import { Button, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import type { contract } from '../../../contract/index.ts'
import type { Output } from '../../../contract/operation.ts'
import { pages } from '../../../contract/shared/pages.ts'
import { api } from '../../client/api.ts'
import { sessionQuery } from '../../client/session.ts'
import { wordsOf } from '../../ui/basics/errors.ts'
import { ButtonLink } from '../../ui/basics/links.tsx'
import { FormFailure } from '../../ui/basics/states.tsx'
import { Form, PasswordField } from '../../ui/form/form.tsx'
import { rulesOf } from '../../ui/form/rules-of.ts'
import { useForm } from '../../ui/form/use-form.ts'
import css from './entry.module.css'
import { Entry, type useEntering } from './entry.tsx'

type LinkFormProps = { link: AccountLink; token: string; onDone: ReturnType<typeof useEntering>['enter'] }

export function JoinForm({ link, token, onDone }: LinkFormProps) {
  const signInAfter = useLinkSignIn(link.email)
  const { form, text } = useForm({
    input: rulesOf(
      () => import('../../../contract/account-links.ts'),
      ({ accountLinks }) => accountLinks.acceptInvitation.input.pick({ name: true, password: true }),
    ),
    initial: { name: link.name, password: '' },
    send: (values) => signInAfter(values.password, () => api.acceptInvitation({ ...values, token })),
    onDone,
  })
  return (
    <Entry title={`Join ${link.company_name}`} lead="You were invited. Choose a name and a password to join.">
      <Form of={form} className={css.form}>
        <TextInput label="Email" value={link.email} readOnly autoComplete="username" variant="filled" />
        <TextInput label="Your name" autoComplete="name" autoFocus={!link.name} {...text('name')} />
        <PasswordField
          description="At least 8 characters; 15 or more is stronger."
          autoComplete="new-password"
          autoFocus={Boolean(link.name)}
          {...text('password')}
        />
        <Button type="submit" fullWidth mt={4} loading={form.isPending}>
          Join
        </Button>
      </Form>
    </Entry>
  )
}

export function ResetForm({ link, token, onDone }: LinkFormProps) {
  const signInAfter = useLinkSignIn(link.email)
  const { form, text } = useForm({
    input: rulesOf(
      () => import('../../../contract/account-links.ts'),
      ({ accountLinks }) => accountLinks.resetPassword.input.pick({ password: true }),
    ),
    isGuarded: false,
    initial: { password: '' },
    send: ({ password }) => signInAfter(password, () => api.resetPassword({ password, token })),
    onDone,
    focusOnRefusal: 'password',
  })
  return (
    <Entry title="Set a new password" lead={`For your account at ${link.company_name}. All your sessions will end.`}>
      <Form of={form} className={css.form}>
        <TextInput label="Email" value={link.email} readOnly autoComplete="username" variant="filled" />
        <PasswordField
          label="New password"
          description="At least 8 characters; 15 or more is stronger."
          autoComplete="new-password"
          autoFocus
          {...text('password')}
        />
        <Button type="submit" fullWidth mt={4} loading={form.isPending}>
          Set password
        </Button>
      </Form>
    </Entry>
  )
}

/** By a click and not by opening the page: programs that look into mail open links too. */
export function ConfirmForm({ link: { email, name, company_name }, token }: { link: AccountLink; token: string }) {
  const client = useQueryClient()
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: () => api.confirmEmail({ token }),
    gcTime: 0,
    onSuccess: () => client.invalidateQueries({ queryKey: sessionQuery.queryKey }),
  })
  if (isSuccess)
    return (
      <Entry title="Your address is confirmed" lead={`You can now sign in with ${email}.`}>
        <ButtonLink fullWidth to={pages.signIn}>
          Go to Kith
        </ButtonLink>
      </Entry>
    )
  return (
    <Entry title="Confirm your address" lead={`For the account of ${name} at ${company_name}.`}>
      <div className={css.form}>
        <FormFailure>{error && wordsOf(error)}</FormFailure>
        <TextInput label="New address" value={email} readOnly variant="filled" />
        <Button fullWidth loading={isPending} onClick={() => mutate()}>
          Confirm address
        </Button>
      </div>
    </Entry>
  )
}

export type AccountLink = Output<typeof contract.getAccountLink>

/** Uses a link, then signs in with the password that was just chosen. A link works once: a second try only signs in. */
export function useLinkSignIn(email: string) {
  const isUsed = useRef(false)
  return async (password: string, follow: () => Promise<unknown>) => {
    if (!isUsed.current) await follow()
    isUsed.current = true
    return api.signIn({ email, password })
  }
}
