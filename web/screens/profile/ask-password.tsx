import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { contract } from '../../../contract/index.ts'
import { DialogActions } from '../../ui/dialog.tsx'
import css from '../../ui/form.module.css'
import { FormFailure } from '../../ui/form-failure.tsx'
import { useOperationForm } from '../../ui/operation-form.ts'
import { PasswordField } from '../../ui/password-field.tsx'

type Props = {
  action: string
  /** What it answers stays with the caller, out of every cache. */
  send: (current_password: string) => Promise<void>
  onCancel: () => void
  children: ReactNode
}

/** An open laptop must not be enough to change how its owner signs in. */
export function AskPassword({ action, send, onCancel, children }: Props) {
  const { field, submit, failure, isPending } = useOperationForm({
    input: contract.startTwoFactor.input,
    initialValues: { current_password: '' },
    send: ({ current_password }) => send(current_password),
    onDone: () => {},
    focusOnRefusal: 'current_password',
  })
  return (
    <form onSubmit={submit} noValidate>
      <div className={css.fields}>
        <div>{children}</div>
        <FormFailure>{failure}</FormFailure>
        <PasswordField
          label="Your password"
          autoComplete="current-password"
          data-autofocus
          {...field('current_password')}
        />
      </div>
      <DialogActions>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" loading={isPending}>
          {action}
        </Button>
      </DialogActions>
    </form>
  )
}
