import { Button, TextInput } from '@mantine/core'
import { contract } from '../../../contract/index.ts'
import { api } from '../../client/api.ts'
import { FormFailure } from '../../ui/form-failure.tsx'
import { useOperationForm } from '../../ui/operation-form.ts'
import { PasswordField } from '../../ui/password-field.tsx'
import css from './entry.module.css'
import { Entry } from './entry.tsx'
import type { LinkFormProps } from './join-form.tsx'
import { useLinkSignIn } from './use-link-sign-in.ts'

export function ResetForm({ link, token, onDone }: LinkFormProps) {
  const signInAfter = useLinkSignIn(link.email)
  const { field, submit, failure, isPending } = useOperationForm({
    input: contract.resetPassword.input.pick({ password: true }),
    initialValues: { password: '' },
    send: ({ password }) => signInAfter(password, () => api.resetPassword({ password, token })),
    onDone,
    focusOnRefusal: 'password',
  })
  return (
    <Entry title="Set a new password" lead={`For your account at ${link.company_name}. All your sessions end.`}>
      <form className={css.form} onSubmit={submit} noValidate>
        <FormFailure>{failure}</FormFailure>
        <TextInput label="Email" value={link.email} readOnly autoComplete="username" variant="filled" />
        <PasswordField
          label="New password"
          description="At least 8 characters; 15 or more are better."
          autoComplete="new-password"
          autoFocus
          {...field('password')}
        />
        <Button type="submit" fullWidth mt={4} loading={isPending}>
          Set the password
        </Button>
      </form>
    </Entry>
  )
}
