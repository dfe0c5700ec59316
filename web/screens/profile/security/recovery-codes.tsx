import { Button, Checkbox } from '@mantine/core'
import { Download } from 'lucide-react'
import { encode } from 'uqr'
import { api } from '../../../client/api.ts'
import { useSignedIn } from '../../../client/session.ts'
import { Panel } from '../../../ui/basics/layout.tsx'
import { FormFailure } from '../../../ui/basics/states.tsx'
import { DialogActions } from '../../../ui/form/dialog.tsx'
import { DialogSubmit, Form } from '../../../ui/form/form.tsx'
import { rulesOf } from '../../../ui/form/rules-of.ts'
import { useForm } from '../../../ui/form/use-form.ts'
import { CodeField, CopyButton } from '../../../ui/text/code.tsx'
import { saveFile } from '../../../ui/text/save-file.ts'
import css from './security.module.css'

type Props = {
  codes: string[]
  kept: boolean
  /** The user tried to leave without saving them. */
  reminded: boolean
  onKept: (kept: boolean) => void
  onDone: () => void
}

export function RecoveryCodes({ codes, kept, reminded, onKept, onDone }: Props) {
  const { me } = useSignedIn()
  const lines = codes.join('\n')
  const about = `Kith recovery codes for ${me.email} at ${location.host}\nEach works once, instead of a code from the app.\n`
  return (
    <div className={css.codes}>
      <p>
        Use them to sign in when you don’t have your phone. Each works once.{' '}
        <strong>You will not see them again.</strong>
      </p>
      <Panel as="ul" sunken className={css.list} aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </Panel>
      <div className={css.actions}>
        <CopyButton value={lines} label="Copy codes" size="sm" focused />
        <Button
          variant="default"
          leftSection={<Download size={14} />}
          onClick={() =>
            saveFile('kith-recovery-codes.txt', new Blob([`${about}\n${lines}\n`], { type: 'text/plain' }))
          }
        >
          Download as text
        </Button>
      </div>
      <FormFailure>
        {reminded && !kept && 'Save the codes first, then tick the box. Without them, losing your phone locks you out.'}
      </FormFailure>
      <Checkbox
        label="I have saved these codes in a safe place"
        checked={kept}
        onChange={(event) => onKept(event.currentTarget.checked)}
      />
      <DialogActions>
        <Button disabled={!kept} onClick={onDone}>
          Done
        </Button>
      </DialogActions>
    </div>
  )
}

type ScanCodeProps = { secret: string; uri: string; onConfirmed: (codes: string[]) => void; onCancel: () => void }

export function ScanCode({ secret, uri, onConfirmed, onCancel }: ScanCodeProps) {
  const { form, text } = useForm({
    input: rulesOf(
      () => import('../../../../contract/two-factor.ts'),
      ({ twoFactor }) => twoFactor.confirmTwoFactor.input,
    ),
    isGuarded: false,
    initial: { code: '' },
    // Hands the codes on and returns nothing: what it returned would stay in the cache of mutations.
    send: async ({ code }) => onConfirmed((await api.confirmTwoFactor({ code })).recovery_codes),
    onDone: () => {},
    focusOnRefusal: 'code',
  })
  const groups = secret.match(/.{1,4}/g) ?? []
  return (
    <Form of={form} className="">
      <ol className={css.steps}>
        <li>
          <h3>1. Scan this with the app</h3>
          <QrCode text={uri} label="QR code for your authenticator app" />
          <p className={css.or}>Or enter this key in the app:</p>
          <div className={css.secret}>
            <code>{groups.join(' ')}</code>
            <CopyButton value={secret} what="key" />
          </div>
        </li>
        <li>
          <h3>2. Enter the six digits it shows</h3>
          <CodeField autoFocus isPending={form.isPending} {...text('code')} />
        </li>
      </ol>
      <DialogSubmit of={form} action="Turn on" onCancel={onCancel} />
    </Form>
  )
}

/** Black on white in either theme: that is what cameras expect. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { size, data } = encode(text, { border: 3, ecc: 'M' })
  const dots = data.flatMap((row, y) => row.map((on, x) => (on ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return (
    <svg className={css.qr} viewBox={`0 0 ${size} ${size}`} shapeRendering="crispEdges" role="img" aria-label={label}>
      <rect width={size} height={size} fill="#fff" />
      <path d={dots} fill="#000" />
    </svg>
  )
}
