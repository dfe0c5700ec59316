import { Button, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { contract } from '../../../contract/index.ts'
import { pages } from '../../../contract/pages.ts'
import { api } from '../../api.ts'
import { sessionQuery } from '../../session.ts'
import { check, fieldErrors, wordsOf } from '../../ui/form-errors.ts'
import { FormFailure } from '../../ui/form-failure.tsx'
import { ClosedSetUp } from './closed-set-up.tsx'
import css from './entry.module.css'
import { Entry } from './entry.tsx'
import { PasswordField } from './password-field.tsx'
import { useSetUpToken } from './set-up-token.ts'

export function SetUp() {
  const { data: session } = useSuspenseQuery(sessionQuery)
  const token = useSetUpToken()
  const open = token !== undefined || session.state !== 'set_up' || session.open
  return open ? <SetUpForm token={token} /> : <ClosedSetUp />
}

const isShown = (field: string) => field in contract.setUp.input.shape && field !== 'token'

function SetUpForm({ token }: { token?: string | undefined }) {
  const client = useQueryClient()
  const router = useRouter()
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { company_name: '', name: '', email: '', password: '' },
    validate: check(contract.setUp.input),
  })
  const focus = (field: string | undefined) => field && form.getInputNode(field)?.focus()
  const setUp = useMutation({
    mutationFn: api.setUp,
    onSuccess: async (session) => {
      client.setQueryData(sessionQuery.queryKey, session)
      await router.navigate({ to: pages.dashboard, replace: true })
    },
    onError: (error) => {
      const faults = fieldErrors(error)
      form.setErrors(faults)
      focus(Object.keys(faults).find(isShown))
    },
  })
  const submit = form.onSubmit(
    (values) => setUp.mutate({ ...values, token }),
    (errors) => focus(Object.keys(errors)[0]),
  )
  const atFields = Object.keys(fieldErrors(setUp.error)).some(isShown)
  return (
    <Entry title="Set up Kith" lead="Create your company and your own account. You will be its first Admin.">
      <form className={css.form} onSubmit={submit} noValidate>
        <FormFailure>{setUp.error && !atFields && wordsOf(setUp.error)}</FormFailure>
        <TextInput
          label="Company name"
          autoComplete="organization"
          autoFocus
          key={form.key('company_name')}
          {...form.getInputProps('company_name')}
        />
        <TextInput label="Your name" autoComplete="name" key={form.key('name')} {...form.getInputProps('name')} />
        <TextInput
          label="Email"
          type="email"
          autoComplete="username"
          key={form.key('email')}
          {...form.getInputProps('email')}
        />
        <PasswordField
          description="At least 8 characters; 15 or more are better."
          autoComplete="new-password"
          key={form.key('password')}
          {...form.getInputProps('password')}
        />
        <Button type="submit" fullWidth mt={4} loading={setUp.isPending}>
          Create company
        </Button>
      </form>
    </Entry>
  )
}
