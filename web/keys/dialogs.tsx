import { api } from '../client/api.ts'
import { AddKey } from './add-key.tsx'
import { DeleteKeys } from './delete-keys.tsx'
import { type Key, useKeysChanged } from './keys.ts'
import type { OpenDialog } from './open-dialog.ts'
import { RenameKey } from './rename-key.tsx'

type Props = { dialog: OpenDialog; onClose: () => void }

export function Dialogs({ dialog, onClose }: Props) {
  if (dialog.kind === 'add') return <AddOwn replaces={dialog.replaces} onClose={onClose} />
  if (dialog.kind === 'rename') return <RenameKey apiKey={dialog.key} onClose={onClose} />
  return <DeleteOwn keys={dialog.keys} onDone={dialog.onDone} onClose={onClose} />
}

function AddOwn({ replaces, onClose }: { replaces?: Key; onClose: () => void }) {
  const changed = useKeysChanged()
  const create = async (name: string) => {
    const made = await api.createApiKey({ name, replaces_id: replaces?.id })
    changed((keys) => [made.key, ...keys])
    return made
  }
  return <AddKey replaces={replaces} create={create} onClose={onClose} />
}

function DeleteOwn({ keys, onDone, onClose }: { keys: Key[]; onDone: () => void; onClose: () => void }) {
  const changed = useKeysChanged()
  const remove = async (ids: string[]) => {
    await api.deleteApiKeys({ ids })
    changed((all) => all.filter(({ id }) => !ids.includes(id)))
  }
  return <DeleteKeys keys={keys} remove={remove} onDone={onDone} onClose={onClose} />
}
