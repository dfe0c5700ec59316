import { Button } from '@mantine/core'
import { DialogActions } from '../ui/form/dialog.tsx'
import { ShownOnce } from '../ui/page/shown-once.tsx'
import { CopyButton } from '../ui/text/code.tsx'
import type { MadeKey } from './add-key.tsx'
import type { Key } from './keys.ts'
import css from './new-key.module.css'
import { ConnectionTest, Setup } from './setup.tsx'

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
        <h3>Remaining steps</h3>
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

type NotCopiedProps = { value: string; onBack: () => void; onCopied: () => void; onLeave: () => void }

export const NotCopied = ({ value, onBack, onCopied, onLeave }: NotCopiedProps) => (
  <>
    It cannot be shown again. Without a copy, you would have to delete this key and create another.
    <DialogActions>
      <Button variant="subtle" color="gray" onClick={onBack}>
        Back to the key
      </Button>
      <Button variant="default" onClick={onLeave}>
        Close without copying
      </Button>
      <CopyButton
        value={value}
        label="Copy and close"
        variant="filled"
        size="sm"
        focused
        onCopied={() => {
          onCopied()
          onLeave()
        }}
      />
    </DialogActions>
  </>
)

const steps = ['Create a new key.', 'Switch every client from the old key to the new one.', 'Delete the old key.']

/** In this order, every client always has a working key. `current` counts from 0; what comes before it is done. */
export const RotationSteps = ({ current }: { current?: number }) => (
  <ol className={css.rotationStepsSteps}>
    {steps.map((step, index) => (
      <li
        key={step}
        aria-current={index === current ? 'step' : undefined}
        data-done={(current !== undefined && index < current) || undefined}
      >
        {step}
      </li>
    ))}
  </ol>
)
