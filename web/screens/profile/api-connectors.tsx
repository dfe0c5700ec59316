import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import { pages } from '../../../contract/pages.ts'
import { mcpEndpoint } from '../../keys/clients.ts'
import { Dialogs, type OpenDialog } from '../../keys/key-dialogs.tsx'
import { KeyList } from '../../keys/key-list.tsx'
import { keysQuery } from '../../keys/keys.ts'
import { CopyCode } from '../../ui/code.tsx'
import { LoadedList } from '../../ui/loaded.tsx'
import { Message } from '../../ui/states.tsx'
import css from './api-connectors.module.css'
import { ProfilePage } from './profile-page.tsx'

export function ApiConnectors() {
  const [dialog, open] = useState<OpenDialog>()
  return (
    <ProfilePage title="API & Connectors" lead="Keys let your agents and programs use Kith as you.">
      <div className={css.content}>
        <Keys open={open} />
        <p className={css.foot}>
          <span>
            MCP endpoint <CopyCode value={mcpEndpoint} what="endpoint" whole />
          </span>
          <Link to={pages.apiKeys}>How keys work</Link>
        </p>
      </div>
      {dialog && <Dialogs dialog={dialog} onClose={() => open(undefined)} />}
    </ProfilePage>
  )
}

function Keys({ open }: { open: (dialog: OpenDialog) => void }) {
  // Every response renders the list again, including the relative times.
  const keys = useQuery({ ...keysQuery, notifyOnChangeProps: 'all' })
  return (
    <LoadedList query={keys} what="keys" height={220} empty={<NoKeys onAdd={() => open({ kind: 'add' })} />}>
      {(keys) => <KeyList keys={keys} open={open} />}
    </LoadedList>
  )
}

const NoKeys = ({ onAdd }: { onAdd: () => void }) => (
  <Message
    icon={KeyRound}
    title="No keys yet"
    action={
      <Button leftSection={<Plus size={15} aria-hidden="true" />} onClick={onAdd}>
        Add
      </Button>
    }
  >
    <p>
      A key is a secret of 64 characters that lets one client, such as Claude Desktop or n8n, act as you in Kith, with
      your permissions.
    </p>
    <p>
      Create one key per client. You can then see which client did what, and revoke one without affecting the others.
    </p>
  </Message>
)
