import { Button, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import { contract } from '../../../contract/index.ts'
import { pages } from '../../../contract/pages.ts'
import { ApiError, api } from '../../api.ts'
import { sessionQuery } from '../../session.ts'
import { check, fieldErrors, wordsOf } from '../../ui/form-errors.ts'
import { FormFailure } from '../../ui/form-failure.tsx'
import { asWait } from '../../ui/moments.ts'
import css from './entry.module.css'
import { Entry } from './entry.tsx'
import { PasswordField } from './password-field.tsx'

const route = getRouteApi(pages.signIn)

export function SignIn() {
  const { next } = route.useSearch()
  const client = useQueryClient()
  const router = useRouter()
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { email: '', password: '' },
    validate: check(contract.signIn.input),
  })
  const focus = (field: string) => form.getInputNode(field)?.focus()
  const signIn = useMutation({
    mutationFn: api.signIn,
    onSuccess: async (session) => {
      client.setQueryData(sessionQuery.queryKey, session)
      await router.navigate({ href: next ?? pages.dashboard, replace: true })
    },
    onError: (error) => {
      const faults = fieldErrors(error)
      form.setErrors(faults)
      focus(Object.keys(faults)[0] ?? 'password')
    },
  })
  const submit = form.onSubmit(
    (values) => signIn.mutate(values),
    (errors) => focus(Object.keys(errors)[0]!),
  )
  return (
    <Entry title="Sign in" lead={next ? 'Sign in to go on where you were.' : 'Welcome back.'}>
      <form className={css.form} onSubmit={submit} noValidate>
        <FormFailure>{signIn.error && refusal(signIn.error)}</FormFailure>
        <TextInput
          label="Email"
          type="email"
          autoComplete="username"
          autoFocus
          key={form.key('email')}
          {...form.getInputProps('email')}
        />
        <PasswordField autoComplete="current-password" key={form.key('password')} {...form.getInputProps('password')} />
        <Button type="submit" fullWidth mt={4} loading={signIn.isPending}>
          Sign in
        </Button>
      </form>
    </Entry>
  )
}

function refusal(error: Error) {
  const wait = error instanceof ApiError && error.retryAfter
  return wait ? `Too many attempts. Wait ${asWait(wait)}, then try again.` : wordsOf(error)
}
