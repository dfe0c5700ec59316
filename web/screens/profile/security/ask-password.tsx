import { DialogForm, PasswordField } from '../../../ui/form/form.tsx'
import { rulesOf } from '../../../ui/form/rules-of.ts'
import { useForm } from '../../../ui/form/use-form.ts'
import type { Props } from './security.tsx'

/** An open laptop must not be enough to change how its owner signs in. */
export function AskPassword({ action, send, onCancel, children }: Props) {
  const { form, text } = useForm({
    input: rulesOf(
      () => import('../../../../contract/two-factor.ts'),
      ({ twoFactor }) => twoFactor.startTwoFactor.input,
    ),
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
