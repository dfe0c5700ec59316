import { Button, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { contract } from '../../../contract/index.ts'
import { api } from '../../client/api.ts'
import { FormFailure } from '../../ui/form-failure.tsx'
import { useOperationForm } from '../../ui/operation-form.ts'
import css from './entry.module.css'
import { Entry } from './entry.tsx'

type Props = {
  title: string
  lead: string
  below: ReactNode
  operation: 'requestPasswordReset' | 'requestSignUp'
  onSent: (email: string) => void
}

/** Asks for the address that a link is mailed to. */
export function EmailForm({ operation, onSent, ...entry }: Props) {
  const { field, submit, failure, isPending } = useOperationForm({
    input: contract[operation].input,
    initialValues: { email: '' },
    send: async ({ email }) => {
      await api[operation]({ email })
      return email
    },
    onDone: onSent,
    focusOnRefusal: 'email',
  })
  return (
    <Entry {...entry}>
      <form className={css.form} onSubmit={submit} noValidate>
        <FormFailure>{failure}</FormFailure>
        <TextInput label="Email" type="email" autoComplete="username" autoFocus {...field('email')} />
        <Button type="submit" fullWidth mt={4} loading={isPending}>
          Send the link
        </Button>
      </form>
    </Entry>
  )
}
