import { contract } from '../../../contract/index.ts'
import { api } from '../../client/api.ts'
import { CodeField } from '../../ui/code-field.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { DialogSubmit } from '../../ui/dialog-form.tsx'
import { FormFailure } from '../../ui/form-failure.tsx'
import { useOperationForm } from '../../ui/operation-form.ts'
import { QrCode } from './qr-code.tsx'
import css from './security.module.css'

type Props = { secret: string; uri: string; onConfirmed: (codes: string[]) => void; onCancel: () => void }

export function ScanCode({ secret, uri, onConfirmed, onCancel }: Props) {
  const { field, submit, failure, isPending } = useOperationForm({
    input: contract.confirmTwoFactor.input,
    initialValues: { code: '' },
    // Hands the codes on and returns nothing: what it returned would stay in the cache of mutations.
    send: async ({ code }) => onConfirmed((await api.confirmTwoFactor({ code })).recovery_codes),
    onDone: () => {},
    focusOnRefusal: 'code',
  })
  const groups = secret.match(/.{1,4}/g) ?? []
  return (
    <form onSubmit={submit} noValidate>
      <ol className={css.steps}>
        <li>
          <h3>1. Scan this with the app</h3>
          <QrCode text={uri} label="QR code for your authenticator app" />
          <p className={css.or}>Or type this key into it:</p>
          <div className={css.secret}>
            <code>{groups.join(' ')}</code>
            <CopyButton value={secret} what="key" />
          </div>
        </li>
        <li>
          <h3>2. Enter the six digits that it shows</h3>
          <FormFailure>{failure}</FormFailure>
          <CodeField autoFocus isPending={isPending} {...field('code')} />
        </li>
      </ol>
      <DialogSubmit action="Turn on" isPending={isPending} onCancel={onCancel} />
    </form>
  )
}
