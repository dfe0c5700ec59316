import { Button, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import { contract } from '../../../contract/index.ts'
import { pages } from '../../../contract/pages.ts'
import { api } from '../../api.ts'
import { sessionQuery } from '../../session.ts'
import { FormFailure } from '../../ui/form-failure.tsx'
import { useOperationForm } from '../../ui/operation-form.ts'
import { PasswordField } from '../../ui/password-field.tsx'
import css from './entry.module.css'
import { Entry } from './entry.tsx'

const route = getRouteApi(pages.signIn)

export function SignIn() {
  const { next } = route.useSearch()
  const client = useQueryClient()
  const router = useRouter()
  const { field, submit, failure, isPending } = useOperationForm({
    input: contract.signIn.input,
    initialValues: { email: '', password: '' },
    send: api.signIn,
    onDone: (session) => {
      client.setQueryData(sessionQuery.queryKey, session)
      return router.navigate({ href: next ?? pages.dashboard, replace: true })
    },
    focusOnRefusal: 'password',
  })
  return (
    <Entry title="Sign in" lead={next ? 'Sign in to go on where you were.' : 'Welcome back.'}>
      <form className={css.form} onSubmit={submit} noValidate>
        <FormFailure>{failure}</FormFailure>
        <TextInput label="Email" type="email" autoComplete="username" autoFocus {...field('email')} />
        <PasswordField autoComplete="current-password" {...field('password')} />
        <Button type="submit" fullWidth mt={4} loading={isPending}>
          Sign in
        </Button>
      </form>
    </Entry>
  )
}
