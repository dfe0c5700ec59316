import { Button, TextInput } from '@mantine/core'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { contract } from '../../../contract/index.ts'
import { pages } from '../../../contract/pages.ts'
import { api } from '../../api.ts'
import { sessionQuery } from '../../session.ts'
import { FormFailure } from '../../ui/form-failure.tsx'
import { useOperationForm } from '../../ui/operation-form.ts'
import { PasswordField } from '../../ui/password-field.tsx'
import { ClosedSetUp } from './closed-set-up.tsx'
import css from './entry.module.css'
import { Entry } from './entry.tsx'
import { useSetUpToken } from './set-up-token.ts'

export function SetUp() {
  const { data: session } = useSuspenseQuery(sessionQuery)
  const token = useSetUpToken()
  const open = token !== undefined || session.state !== 'set_up' || session.open
  return open ? <SetUpForm token={token} /> : <ClosedSetUp />
}

function SetUpForm({ token }: { token?: string | undefined }) {
  const client = useQueryClient()
  const router = useRouter()
  const { field, submit, failure, isPending } = useOperationForm({
    input: contract.setUp.input,
    initialValues: { company_name: '', name: '', email: '', password: '' },
    send: (values) => api.setUp({ ...values, token }),
    onDone: (session) => {
      client.setQueryData(sessionQuery.queryKey, session)
      return router.navigate({ to: pages.dashboard, replace: true })
    },
  })
  return (
    <Entry title="Set up Kith" lead="Create your company and your own account. You will be its first Admin.">
      <form className={css.form} onSubmit={submit} noValidate>
        <FormFailure>{failure}</FormFailure>
        <TextInput label="Company name" autoComplete="organization" autoFocus {...field('company_name')} />
        <TextInput label="Your name" autoComplete="name" {...field('name')} />
        <TextInput label="Email" type="email" autoComplete="username" {...field('email')} />
        <PasswordField
          description="At least 8 characters; 15 or more are better."
          autoComplete="new-password"
          {...field('password')}
        />
        <Button type="submit" fullWidth mt={4} loading={isPending}>
          Create company
        </Button>
      </form>
    </Entry>
  )
}
