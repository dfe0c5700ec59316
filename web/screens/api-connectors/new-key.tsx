import { Button } from '@mantine/core'
import { CopyButton } from '../../ui/copy-button.tsx'
import { DialogActions } from '../../ui/dialog.tsx'
import { RotationSteps } from '../api-keys/rotation-steps.tsx'
import type { MadeKey } from './add-key.tsx'
import { ConnectionTest } from './connection-test.tsx'
import type { Key } from './keys.ts'
import css from './new-key.module.css'
import { Setup } from './setup.tsx'

type Props = { made: MadeKey; replaces?: Key; onCopied: () => void; onDone: () => void }

export const NewKey = ({ made: { key, value }, replaces, onCopied, onDone }: Props) => (
  <>
    <section className={css.key} aria-label="Your new key">
      <p>
        <strong>Copy it now.</strong> You will not see it again.
      </p>
      <code className={css.value} onCopy={onCopied}>
        {value}
      </code>
      <CopyButton focused value={value} label="Copy key" variant="filled" size="sm" onCopied={onCopied} />
    </section>
    <Setup name={key.name} value={value} onCopied={onCopied} />
    <ConnectionTest value={value} />
    {replaces && (
      <section className={css.part} aria-label="Rotation">
        <h3>What is left of the rotation</h3>
        <RotationSteps current={1} />
      </section>
    )}
    <DialogActions>
      <Button variant="default" onClick={onDone}>
        Done
      </Button>
    </DialogActions>
  </>
)
