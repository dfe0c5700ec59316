import { Link } from '@tanstack/react-router'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { pages } from '../../../../contract/shared/pages.ts'
import { apiConnectors } from '../../../client/areas.ts'
import { KeyTable } from '../../../keys/key-table.tsx'
import { Filters } from '../../../ui/basics/layout.tsx'
import { Message } from '../../../ui/basics/states.tsx'
import { UserSelect } from '../../../users/user-select.tsx'
import { CompanyPage } from '../company-area.tsx'

export const Keys = () => (
  <CompanyPage
    title="All API keys"
    lead={
      <>
        The keys of all members and agents. Your own are under <Link to={apiConnectors}>Profile, API & Connectors</Link>
        ; how keys work is explained under <Link to={pages.apiKeys}>API Keys</Link>.
      </>
    }
    needs="members.manage"
    wide
  >
    <AllKeys />
  </CompanyPage>
)

function AllKeys() {
  const [owner, setOwner] = useState<string | null>(null)
  return (
    <>
      <Filters>
        <UserSelect
          aria-label="Owner"
          placeholder="Everyone’s keys"
          clearLabel="Show everyone’s keys"
          state="all"
          value={owner}
          onChange={setOwner}
        />
      </Filters>
      <KeyTable
        key={owner}
        userId={owner ?? undefined}
        label="Company API keys"
        empty={
          <Message icon={KeyRound} title={owner ? 'This user has no keys' : 'No keys yet'}>
            People create keys in their profile, under API & Connectors. Create an agent’s keys on its page under
            Members.
          </Message>
        }
      />
    </>
  )
}
