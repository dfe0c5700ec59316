import { Button, Checkbox } from '@mantine/core'
import { Download } from 'lucide-react'
import { useSignedIn } from '../../client/session.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { DialogActions } from '../../ui/dialog.tsx'
import { FormFailure } from '../../ui/form-failure.tsx'
import css from './security.module.css'

type Props = {
  codes: string[]
  kept: boolean
  /** Somebody tried to leave without them. */
  reminded: boolean
  onKept: (kept: boolean) => void
  onDone: () => void
}

export function RecoveryCodes({ codes, kept, reminded, onKept, onDone }: Props) {
  const { me } = useSignedIn()
  const lines = codes.join('\n')
  const about = `Recovery codes of ${me.email} for Kith at ${location.host}\nEach works once, in place of a code of the app.\n`
  return (
    <div className={css.codes}>
      <p>
        They let you in when your phone is not at hand. Each works once. <strong>You will not see them again.</strong>
      </p>
      <ul aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className={css.actions}>
        <CopyButton value={lines} label="Copy codes" size="sm" focused />
        <Button
          variant="default"
          leftSection={<Download size={14} aria-hidden="true" />}
          onClick={() => saveAs('kith-recovery-codes.txt', `${about}\n${lines}\n`)}
        >
          Download as text
        </Button>
      </div>
      <FormFailure>
        {reminded && !kept && 'Keep the codes first, then tick the box. Without them a lost phone locks you out.'}
      </FormFailure>
      <Checkbox
        label="I have kept these codes in a safe place"
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

function saveAs(name: string, text: string) {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}
