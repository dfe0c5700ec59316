import { AddKey } from './add-key.tsx'
import { DeleteKeys } from './delete-keys.tsx'
import type { OpenDialog } from './open-dialog.ts'
import { RenameKey } from './rename-key.tsx'

/** Loaded together, apart from the list. */
export default function Dialogs({ dialog, onClose }: { dialog: OpenDialog; onClose: () => void }) {
  if (dialog.kind === 'add') return <AddKey replaces={dialog.replaces} onClose={onClose} />
  if (dialog.kind === 'rename') return <RenameKey apiKey={dialog.key} onClose={onClose} />
  return <DeleteKeys keys={dialog.keys} onDone={dialog.onDone} onClose={onClose} />
}
