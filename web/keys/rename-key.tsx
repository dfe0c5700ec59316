import { contract } from '../../contract/index.ts'
import { api } from '../client/api.ts'
import { AskName } from '../ui/ask-name.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { say } from '../ui/notices.tsx'
import { type Key, useKeysChanged } from './keys.ts'

export function RenameKey({ apiKey, onClose }: { apiKey: Key; onClose: () => void }) {
  const changed = useKeysChanged()
  const rename = async (name: string) => {
    const renamed = await api.renameApiKey({ id: apiKey.id, name })
    changed((keys) => keys.map((key) => (key.id === renamed.id ? renamed : key)))
    say('Key renamed')
    onClose()
  }
  return (
    <Dialog title="Rename the key" onClose={onClose}>
      <AskName
        description="The clients that hold the key notice nothing."
        input={contract.renameApiKey.input}
        name={apiKey.name}
        action="Rename"
        send={rename}
        onCancel={onClose}
      />
    </Dialog>
  )
}
