import { Button, TextInput } from '@mantine/core'
import { contract } from '../../../contract/index.ts'
import { api } from '../../api.ts'
import { FormFailure } from '../../ui/form-failure.tsx'
import { useOperationForm } from '../../ui/operation-form.ts'
import { PasswordField } from '../../ui/password-field.tsx'
import type { Link } from './account-link.tsx'
import css from './entry.module.css'
import { Entry } from './entry.tsx'
import type { useEntering } from './use-entering.ts'

export type LinkFormProps = { link: Link; token: string; onDone: ReturnType<typeof useEntering>['enter'] }

export function JoinForm({ link, token, onDone }: LinkFormProps) {
  const { field, submit, failure, isPending } = useOperationForm({
    input: contract.acceptInvitation.input.pick({ name: true, password: true }),
    initialValues: { name: link.name, password: '' },
    send: (values) => api.acceptInvitation({ ...values, token }),
    onDone,
    keepsTyped: true,
  })
  return (
    <Entry
      title={`Join ${link.company_name}`}
      lead="You were invited to work here. Choose a name and a password, and you are in."
    >
      <form className={css.form} onSubmit={submit} noValidate>
        <FormFailure>{failure}</FormFailure>
        <TextInput label="Email" value={link.email} readOnly autoComplete="username" variant="filled" />
        <TextInput label="Your name" autoComplete="name" autoFocus={!link.name} {...field('name')} />
        <PasswordField
          description="At least 8 characters; 15 or more are better."
          autoComplete="new-password"
          autoFocus={Boolean(link.name)}
          {...field('password')}
        />
        <Button type="submit" fullWidth mt={4} loading={isPending}>
          Join
        </Button>
      </form>
    </Entry>
  )
}
