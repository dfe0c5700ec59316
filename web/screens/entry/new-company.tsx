import { Button, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { contract } from '../../../contract/index.ts'
import type { Input, Output } from '../../../contract/operation.ts'
import { FormFailure } from '../../ui/form-failure.tsx'
import { useOperationForm } from '../../ui/operation-form.ts'
import { PasswordField } from '../../ui/password-field.tsx'
import { browserLocale } from './browser-locale.ts'
import css from './entry.module.css'
import { Entry } from './entry.tsx'
import { useEntering } from './use-entering.ts'

type Props = {
  title: string
  lead: string
  send: (values: Input<typeof contract.signUp>) => Promise<Output<typeof contract.signUp>>
  /** The address, where it is confirmed already. */
  email?: string
  below?: ReactNode
}

/** A company and its first Admin: by set-up, or by sign-up where that is open. */
export function NewCompany({ title, lead, send, email, below }: Props) {
  const { enter } = useEntering()
  const { field, submit, failure, isPending } = useOperationForm({
    input: contract.signUp.input,
    initialValues: { company_name: '', name: '', email: email ?? '', password: '' },
    send: (values) => send({ ...values, ...browserLocale() }),
    onDone: enter,
  })
  return (
    <Entry title={title} lead={lead} below={below}>
      <form className={css.form} onSubmit={submit} noValidate>
        <FormFailure>{failure}</FormFailure>
        <TextInput label="Company name" autoComplete="organization" autoFocus {...field('company_name')} />
        <TextInput label="Your name" autoComplete="name" {...field('name')} />
        <TextInput
          label="Email"
          type="email"
          autoComplete="username"
          {...(email && { readOnly: true, variant: 'filled' })}
          {...field('email')}
        />
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
