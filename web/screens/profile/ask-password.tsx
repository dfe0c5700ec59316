import type { ReactNode } from 'react'
import { contract } from '../../../contract/index.ts'
import { DialogForm } from '../../ui/dialog-form.tsx'
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
  const form = useOperationForm({
    input: contract.startTwoFactor.input,
    initialValues: { current_password: '' },
    send: ({ current_password }) => send(current_password),
    onDone: () => {},
    focusOnRefusal: 'current_password',
  })
  return (
    <DialogForm of={form} about={children} action={action} onCancel={onCancel}>
      <PasswordField
        label="Your password"
        autoComplete="current-password"
        data-autofocus
        {...form.field('current_password')}
      />
    </DialogForm>
  )
}
