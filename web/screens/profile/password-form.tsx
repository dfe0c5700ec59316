import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { contract } from '../../../contract/index.ts'
import { api } from '../../api.ts'
import css from '../../ui/form.module.css'
import { FormFailure } from '../../ui/form-failure.tsx'
import { say } from '../../ui/notices.ts'
import { useOperationForm } from '../../ui/operation-form.ts'
import { PasswordField } from '../../ui/password-field.tsx'
import { sessionsQuery } from './sessions.tsx'

export function PasswordForm() {
  const client = useQueryClient()
  const { form, field, submit, failure, isPending } = useOperationForm({
    input: contract.changePassword.input,
    initialValues: { current_password: '', new_password: '' },
    send: api.changePassword,
    onDone: () => {
      form.reset()
      void client.invalidateQueries({ queryKey: sessionsQuery.queryKey })
      say('Password changed. Your other sessions have ended.')
    },
    keepsTyped: true,
  })
  return (
    <form onSubmit={submit} className={css.fields} noValidate>
      <FormFailure>{failure}</FormFailure>
      <PasswordField label="Current password" autoComplete="current-password" {...field('current_password')} />
      <PasswordField
        label="New password"
        description="At least 8 characters; 15 or more are better."
        autoComplete="new-password"
        {...field('new_password')}
      />
      <div className={css.actions}>
        <Button type="submit" loading={isPending}>
          Change password
        </Button>
      </div>
    </form>
  )
}
