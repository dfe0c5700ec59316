import { TriangleAlert } from 'lucide-react'
import { api } from '../client/api.ts'
import { Panel } from '../ui/basics/layout.tsx'
import { say } from '../ui/basics/notices.tsx'
import { Confirm, Dialog } from '../ui/form/dialog.tsx'
import { AskName } from '../ui/form/form.tsx'
import { rulesOf } from '../ui/form/rules-of.ts'
import { AddKey } from './add-key.tsx'
import { Prefix, RecentClients } from './key-cells.tsx'
import css from './key-dialogs.module.css'
import notes from './key-list.module.css'
import { counted, type Key, useKeysChanged } from './keys.ts'

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

export type OpenDialog =
  | { kind: 'add'; replaces?: Key }
  | { kind: 'rename'; key: Key }
  | { kind: 'delete'; keys: Key[]; onDone: () => void }

function RenameKey({ apiKey, onClose }: { apiKey: Key; onClose: () => void }) {
  const changed = useKeysChanged()
  const rename = async (name: string) => {
    const renamed = await api.updateApiKey({ id: apiKey.id, name })
    changed((keys) => keys.map((key) => (key.id === renamed.id ? renamed : key)))
    say('Key renamed')
    onClose()
  }
  return (
    <Dialog title="Rename the key" onClose={onClose}>
      <AskName
        description="Clients that use this key are not affected."
        input={rulesOf(
          () => import('../../contract/api-keys.ts'),
          ({ apiKeys }) => apiKeys.updateApiKey.input.pick({ name: true }),
        )}
        name={apiKey.name}
        action="Rename"
        send={rename}
        onCancel={onClose}
      />
    </Dialog>
  )
}

type DeleteKeysProps = {
  keys: Key[]
  remove: (ids: string[]) => Promise<unknown>
  onDone: () => void
  onClose: () => void
}

export const DeleteKeys = ({ keys, remove, onDone, onClose }: DeleteKeysProps) => (
  <Confirm
    title={`Delete ${counted(keys.length)}?`}
    action="Delete"
    act={() => remove(keys.map(({ id }) => id))}
    onDone={() => {
      onDone()
      say(`${counted(keys.length)} deleted`)
    }}
    onClose={onClose}
  >
    <p>
      {keys.length === 1
        ? 'It stops working immediately and cannot be restored.'
        : 'They stop working immediately and cannot be restored.'}
    </p>
    <Panel as="ul" divided className={css.keys}>
      {keys.map((key) => (
        <li key={key.id}>
          <bdi>{key.name}</bdi> <Prefix of={key} />
          {key.recent_clients.length > 0 && (
            <div className={notes.note} data-tone="warn">
              <TriangleAlert size={13} />
              <div>
                Used in the last 24 hours by
                <RecentClients clients={key.recent_clients} />
              </div>
            </div>
          )}
        </li>
      ))}
    </Panel>
  </Confirm>
)
