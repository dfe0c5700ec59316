import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import { pages } from '../../../../contract/shared/pages.ts'
import { companySections, newRole, rolePage } from '../../../client/areas.ts'
import { keyVariable, mcpEndpoint } from '../../../keys/clients.ts'
import { Dialogs, type OpenDialog } from '../../../keys/key-dialogs.tsx'
import { KeyList } from '../../../keys/key-list.tsx'
import { keysQuery } from '../../../keys/keys.ts'
import { SetupLater } from '../../../keys/setup.tsx'
import { agentRecipes } from '../../../roles/recipes.ts'
import { useIsAdmin } from '../../../roles/roles.ts'
import { Panel, Part } from '../../../ui/basics/layout.tsx'
import { ButtonLink } from '../../../ui/basics/links.tsx'
import { LoadedList } from '../../../ui/basics/loaded.tsx'
import { Message } from '../../../ui/basics/states.tsx'
import { CopyCode } from '../../../ui/text/code.tsx'
import { ProfilePage } from '../profile-page.tsx'
import css from './api-connectors.module.css'

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
          <span>
            <Link to={pages.apiKeys}>How keys work</Link>
            <Link to={pages.api}>All operations</Link>
          </span>
        </p>
        <Connecting />
        <AgentRoles />
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

const Connecting = () => (
  <Part
    className={css.part}
    title="Connect a client"
    about={`Ready to paste. The key itself comes from the variable ${keyVariable}.`}
  >
    <SetupLater />
  </Part>
)

/** A key can do what its owner can: an agent that should do less gets a user and a role of its own. */
function AgentRoles() {
  const isAdmin = useIsAdmin()
  return (
    <Part
      className={css.part}
      title="A limited role for an agent"
      about={
        <>
          A key can do everything that you can. An agent that should do less gets its own user under{' '}
          <Link to={companySections.members.to}>Company, Members</Link> (Add agent), with a limited role such as one of
          these.
        </>
      }
    >
      <ul className={css.recipes}>
        {agentRecipes.map(({ id, name, description }) => (
          <Panel as="li" padded key={id}>
            <h3>{name}</h3>
            <p>{description}</p>
            {isAdmin && (
              <ButtonLink variant="default" size="xs" to={rolePage} params={{ id: newRole }} search={{ from: id }}>
                Create this role
              </ButtonLink>
            )}
          </Panel>
        ))}
      </ul>
      <p className={css.hint}>
        A client can also limit itself: <code>X-MCP-Readonly: true</code> leaves only tools that read, and{' '}
        <code>X-MCP-Tools: search_records,get_records</code> only these.{' '}
        {!isAdmin && 'Only Admins can create roles and agents.'}
      </p>
    </Part>
  )
}

const NoKeys = ({ onAdd }: { onAdd: () => void }) => (
  <Message
    icon={KeyRound}
    title="No keys yet"
    action={
      <Button leftSection={<Plus size={15} />} onClick={onAdd}>
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
