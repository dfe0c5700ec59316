import { useQueryClient } from '@tanstack/react-query'
import { contract } from '../../../contract/index.ts'
import { api } from '../../client/api.ts'
import { AskName } from '../../ui/ask-name.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { say } from '../../ui/notices.tsx'
import { type Passkey, passkeysQuery } from './passkey.ts'

type Props = { passkey: Passkey; onClose: () => void }

export function RenamePasskey({ passkey, onClose }: Props) {
  const client = useQueryClient()
  const rename = async (name: string) => {
    await api.renamePasskey({ id: passkey.id, name })
    await client.invalidateQueries({ queryKey: passkeysQuery.queryKey })
    say('Passkey renamed')
    onClose()
  }
  return (
    <Dialog title="Rename the passkey" onClose={onClose}>
      <AskName
        input={contract.renamePasskey.input}
        name={passkey.name}
        action="Rename"
        send={rename}
        onCancel={onClose}
      />
    </Dialog>
  )
}

export function DeletePasskey({ passkey, onClose }: Props) {
  const client = useQueryClient()
  return (
    <Confirm
      title={`Delete ${passkey.name}?`}
      action="Delete"
      act={() => api.deletePasskey({ id: passkey.id })}
      onDone={async () => {
        await client.invalidateQueries({ queryKey: passkeysQuery.queryKey })
        say('Passkey deleted')
      }}
      onClose={onClose}
    >
      <p>You can no longer sign in with it. Your device may go on offering it until you remove it there too.</p>
    </Confirm>
  )
}
