import { Button } from '@mantine/core'
import { CopyButton } from '../ui/copy-button.tsx'
import { DialogActions } from '../ui/dialog.tsx'

type Props = { value: string; onBack: () => void; onCopied: () => void; onLeave: () => void }

export const NotCopied = ({ value, onBack, onCopied, onLeave }: Props) => (
  <>
    Nobody can show it again, not even Kith. Without a copy the key is of no use, and you would delete it and make
    another.
    <DialogActions>
      <Button variant="subtle" color="gray" onClick={onBack}>
        Back to the key
      </Button>
      <Button variant="default" onClick={onLeave}>
        Close without it
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
