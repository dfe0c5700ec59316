import { Button } from '@mantine/core'
import { DialogActions } from '../ui/dialog.tsx'
import { ShownOnce } from '../ui/shown-once.tsx'
import type { MadeKey } from './add-key.tsx'
import { ConnectionTest } from './connection-test.tsx'
import type { Key } from './keys.ts'
import css from './new-key.module.css'
import { RotationSteps } from './rotation-steps.tsx'
import { Setup } from './setup.tsx'

type Props = { made: MadeKey; replaces?: Key; onCopied: () => void; onDone: () => void }

export const NewKey = ({ made: { key, value }, replaces, onCopied, onDone }: Props) => (
  <>
    <ShownOnce label="Your new key" value={value} copy="Copy key" onCopied={onCopied}>
      <p>
        <strong>Copy it now.</strong> You will not see it again.
      </p>
    </ShownOnce>
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
