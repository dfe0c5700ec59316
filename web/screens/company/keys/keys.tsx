import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { Message } from '../../../ui/message.tsx'
import { UserSelect } from '../../../users/user-select.tsx'
import { CompanyPage } from '../company-page.tsx'
import { KeyTable } from './key-table.tsx'
import css from './keys.module.css'

export const Keys = () => (
  <CompanyPage
    title="API keys"
    lead="Every key of the company. Each acts as its owner, with the rights of its owner."
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
      <search className={css.filters}>
        <UserSelect
          aria-label="Owner"
          placeholder="Keys of everybody"
          clearable
          clearButtonProps={{ 'aria-label': 'Show the keys of everybody' }}
          state="all"
          value={owner}
          onChange={setOwner}
        />
      </search>
      <KeyTable
        key={owner}
        userId={owner ?? undefined}
        label="Keys of the company"
        empty={
          <Message icon={KeyRound} title={owner ? 'This user has no keys' : 'No keys yet'}>
            People make keys in their profile, under API & Connectors. Keys of agents are made on their page under
            Members.
          </Message>
        }
      />
    </>
  )
}
