import { twoFactor } from '../../../../contract/two-factor.ts'
import { DialogForm, PasswordField } from '../../../ui/form/form.tsx'
import { useForm } from '../../../ui/form/use-form.ts'
import type { Props } from './security.tsx'

/** An open laptop must not be enough to change how its owner signs in. */
export function AskPassword({ action, send, onCancel, children }: Props) {
  const { form, text } = useForm({
    input: twoFactor.startTwoFactor.input,
    isGuarded: false,
    initial: { current_password: '' },
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
        {...text('current_password')}
      />
    </DialogForm>
  )
}
